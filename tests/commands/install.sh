#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests the targets install, uninstall and dist. An installed iospan must find its libraries
# relative to its own path, wherever the tree is moved.
. "$(dirname "$0")/../lib/ktap.sh"
. tests/lib/measured.sh

# Installs the build below DIR. The prefix of the installation then differs from the prefix of the
# build.
install_build() # arguments: DIR
{
	make_build -o all install PREFIX="$1" BINDIR="$1/bin" LIBDIR="$1/lib/iospan"
}

# Runs make on the build, without manual pages, because these take seconds.
make_build() # arguments: ARGUMENT...
{
	env -u MAKEFLAGS -u MAKELEVEL make -s "$@" O="$IOSPAN_BUILD" pages= >/dev/null
}

test_schemas_and_files_for_prometheus_are_installed()
{
	installed=$ktap_work/installed
	install_build "$installed"
	for file in README.rst iospan-rules.yml iospan-alerts.yml iospan-dashboard.json; do
		cmp "$installed/share/iospan/prometheus/$file" "Documentation/prometheus/$file" ||
			fail "$file differs"
	done
	expect_eq "$(diff -r "$installed/share/iospan/schema" Documentation/schema)" ""
	expect_match "$(grep ^ExecStart= "$installed/lib/systemd/system/iospan-exporter.service")" \
		"ExecStart=$installed/bin/iospan exporter *"
}

# Manual pages name other pages, such as metrics.rst. These other pages must be installed, too.
test_pages_that_manual_pages_name_are_installed()
{
	installed=$ktap_work/installed
	install_build "$installed"
	named=$(grep -ohE '[A-Za-z-]+\.rst' Documentation/iospan*.rst | sort -u)
	expect_match "$named" "*metrics.rst*"
	for page in $named; do
		expect_ne "$(find "$installed" -name "$page")" "" "$page"
	done
}

# A file that make has not installed must stay, also in a folder of iospan.
test_uninstall_removes_what_install_has_installed()
{
	tree=$ktap_work/tree
	mkdir -p "$tree/usr/bin" "$tree/usr/share/iospan"
	touch "$tree/usr/share/iospan/mine"
	before=$(find "$tree" -name 'iospan*' -o ! -type d)
	make_build install DESTDIR="$tree" PREFIX=/usr
	expect_gt "$(find "$tree" ! -type d | wc -l)" 20 "installed files"
	make_build uninstall DESTDIR="$tree" PREFIX=/usr
	expect_eq "$(find "$tree" -name 'iospan*' -o ! -type d)" "$before"
	make_build uninstall DESTDIR="$tree" PREFIX=/usr
	expect_eq "$?" 0 "status of the second time"
}

# Users may have compilers with other warnings. So warnings must be errors (-Werror) only for the
# targets that build tests.
test_warnings_are_errors_in_tests_only()
{
	unset WERROR MAKEFLAGS MAKELEVEL
	O=$ktap_work/none
	expect_eq "$(make -nB all O="$O" | grep -ce -Werror)" 0 "make all"
	expect_gt "$(make -nB build-unit O="$O" | grep -ce -Werror)" 100 "make build-unit"
}

test_tarball_has_the_same_bytes_twice()
{
	needs '[ -e .git ]' "needs a clone of the repository"
	version=$(sed -n 's/^VERSION := //p' Makefile)
	for dir in first second; do
		expect_true "packaging/dist.sh $version '$ktap_work/$dir' 2>/dev/null" "dist $dir"
	done
	expect_true "cmp '$ktap_work'/*/iospan-$version.tar.gz"
	files=$(tar -tzf "$ktap_work/first/iospan-$version.tar.gz")
	for file in Makefile debian/changelog packaging/iospan.spec; do
		expect_true "echo '$files' | grep -qx iospan-$version/$file" "$file in the tarball"
	done
}

# Debian's control file must list the packages that the Makefile lists. It may omit gcc, libc6-dev
# and dpkg-dev, because each system that builds packages has them.
test_build_dependencies_of_the_package()
{
	# shellcheck disable=SC2016  # make expands the variables
	in_makefile=$(env -u MAKEFLAGS -u MAKELEVEL make -s \
		--eval='print: ; @echo $(BUILD_DEPS) $(PACKAGE_DEPS)' print)
	expect_eq "$(sed -n 's/^Build-Depends://; T; :more; /,$/ { N; b more }; s/-compat ([^)]*)//; s/ [^ ,]* <cross>,//; s/ <!cross>//g; s/:native//g; p' \
		debian/control | tr -s ', \n' '\n' | sort | xargs)" \
		"$(echo "$in_makefile" | tr ' ' '\n' | grep -vxE 'gcc|libc6-dev|dpkg-dev' | sort | xargs)"
}

# Links a copy of the build without the libraries that only some commands need. Other commands must
# work.
test_commands_without_their_library_are_left_out()
{
	needs '! nm "$IOSPAN_BUILD/user/main.o" | grep -qE "asan|gcov"' "needs a build without SAN and COV"
	copy=$ktap_work/copy
	mkdir "$copy"
	cp -a "$IOSPAN_BUILD"/*.h "$IOSPAN_BUILD"/*.o "$IOSPAN_BUILD"/*.so "$copy"
	for folder in user bench tools; do
		cp -a "$IOSPAN_BUILD/$folder" "$copy"
	done
	unset MAKEFLAGS MAKELEVEL
	made=$(make -s lacking='libmicrohttpd ncursesw gsl' O="$copy" "$copy/iospan")
	expect_match "$made" "*without the command top, because the library ncursesw is missing*"
	IOSPAN=$copy/iospan
	expect_eq "$(ldd "$IOSPAN" | grep -E 'ncurses|tinfo|microhttpd|crypt|gsl')" ""
	expect_match "$("$IOSPAN" help)" "*top  *not in this build, which lacks the library ncursesw*"
	expect_match "$made" "*without the command bench load, because the library gsl is missing*"
	expect_match "$("$IOSPAN" version -v)" "*libmicrohttpd  *no  *iospan exporter*"
	expect_match "$("$IOSPAN" version -v)" "*gsl  *no  *iospan bench load*"
	expect_match "$("$IOSPAN" version -v --json)" "*\"name\": *\"ncursesw\"*"
	run_command '"$IOSPAN" top --by cgroup'
	expect_eq "$status:$out" "1:"
	expect_match "$err" "iospan: this build has no command 'top', because the library ncursesw *"
	run_command '"$IOSPAN" bench load -d 1 file'
	expect_match "$status:$err" "1:iospan: this build has no command 'bench load', because the library gsl *"
	run_command '"$IOSPAN" completion bash'
	expect_eq "$status:$err" "0:"
}

# dd makes two accesses at the app layer: one read and one write.
copy="-o report --json --layers app -- dd if=/bin/sh of=copy bs=512 count=1 status=none"

test_installed_tree_can_be_moved()
{
	needs_measuring
	installed=$ktap_work/installed
	install_build "$installed/first"
	mv "$installed/first" "$installed/second"
	IOSPAN=$installed/second/bin/iospan
	iospan_run "$copy"
	expect_eq "$status:$err" "0:"
	expect_eq "$(json "$dir/report" 'd["layers"]["app"]["accesses"]')" 2
}

# iospan must look for libiospan-mpi.so in the moved tree. The path in the error message shows where
# it looked.
test_mpi_library_is_found_in_a_moved_tree()
{
	installed=$ktap_work/installed
	install_build "$installed/first"
	mv "$installed/first" "$installed/second"
	echo "no library" >"$installed/second/lib/iospan/libiospan-mpi.so"
	run_command "$installed/second/bin/iospan bench sets 4 $installed --engine mpiio 2>&1"
	expect_match "$out" "*cannot use '$installed/second/*libiospan-mpi.so'*"
}

# Without libiospan.so, iospan cannot measure the app layer. If only this layer was requested,
# iospan must not run the command.
test_app_layer_alone_needs_the_library()
{
	needs_measuring
	installed=$ktap_work/installed
	install_build "$installed/one"
	rm "$installed/one/lib/iospan/libiospan.so"
	IOSPAN=$installed/one/bin/iospan
	iospan_run "-l app -- touch ran"
	expect_eq "$status" 1
	expect_match "$err" "iospan: cannot measure the app layer: libiospan.so is not in *"
	expect_eq "$(ls -A "$dir")" ""
	iospan_run "-l app,device -o report --json -- true"
	expect_eq "$status" 0 "with another layer"
	expect_match "$(json "$dir/report" 'd["notes"]')" "*libiospan.so is not in *"
	expect_nothing_left
}

# iospan must load no library from the current directory, or from a path that the loader rejects.
test_path_that_the_loader_rejects()
{
	needs_measuring
	installed=$ktap_work/installed
	install_build "$installed/first"
	for name in 'a b' 'a$LIB'; do
		mv "$installed"/* "$installed/$name"
		run_command "cd $installed && '$name/bin/iospan' run -l app -- touch ran"
		expect_eq "$status:$out" "1:"
		expect_match "$err" \
			"iospan: cannot measure the app layer: the loader takes no library *"
		expect_eq "$(ls "$installed")" "$name"
	done
}

test_main "$@"
