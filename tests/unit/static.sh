#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Static checks of the tree. Each suppression has a reason. The last test plants a fault for each
# check, because a check with a wrong option would find nothing.
. "$(dirname "$0")/../lib/ktap.sh"

# tool COMMAND: fails the test if the command is not installed. `make check-unit` sets
# IOSPAN_TOOLS=optional, which skips the test instead.
tool()
{
	command -v "$1" >/dev/null && return
	needs '[ "$IOSPAN_TOOLS" != optional ]' "needs the package $1"
	fail "needs the package $1"
	ktap_end
}

scripts() { grep -rlI "^#!.*$1" .ci debian packaging tests | sort; }

# Suppresses wrong or harmless messages of cppcheck:
# - identicalInnerCondition: wrong about "if (n) return n";
# - selfAssignment: wrong about "ret = f() ?: ret" (GNU C);
# - readdirCalled: harmless, because no threads share a DIR;
# - ctuuninitvar: does not see that CALL() sets the variables that call_end() reads.
# Tests are not checked, because each runs in its own process, and does not free all memory.
check_c()
{
	mkdir -p "$cache" || return
	cppcheck -j2 --quiet --inline-suppr --cppcheck-build-dir="$cache" \
		--enable=warning,performance,portability \
		--library=posix --library=gnu --library=tests/unit/cppcheck.cfg \
		--suppress=identicalInnerCondition --suppress=selfAssignment \
		--suppress=readdirCalled --suppress=ctuuninitvar:preload/call.h \
		-DVERSION='""' -DLIBDIR='""' -I. "$@" 2>&1
}

# Other versions of clang-format format differently. bpf/vmlinux.h is not checked, because it is
# generated.
clang_format_version=14
c_sources() { find bench bpf packaging preload tests tools user -name '*.[ch]' ! -name vmlinux.h; }
check_format() { clang-format --dry-run -Werror --style=file:.clang-format "$@" 2>&1; }

# The file .shellcheckrc has the suppressions.
check_shell() { shellcheck "$@" 2>&1; }

# Tests import all names of tests/lib with a star. pyflakes warns of each such import; grep removes
# these warnings.
check_python()
{
	pyflakes3 "$@" 2>&1 |
		grep -Ev 'may be undefined, or defined from star|unable to detect undefined names'
}

# -L lists correct words that codespell does not know: buildd (mmdebstrap), DAMON (kernel), TE (roff),
# "fro" ("to and fro"). -S lists folders with files that other programs wrote.
check_spelling()
{
	codespell -L buildd,damon,inflight,fro,te -S tests/data,tests/fuzz/corpus,__pycache__ "$@" 2>&1
}

# If reuse cannot parse the licence of a file, it prints ERROR but exits with 0.
check_licences()
{
	report=$(reuse --root "$1" lint 2>&1) && ! echo "$report" | grep ERROR || echo "$report"
}

seconds_c_code=300
test_c_code()
{
	tool cppcheck
	cache=$IOSPAN_BUILD/cppcheck
	expect_eq "$(check_c user bench tools preload)" ""
}

test_format()
{
	tool clang-format
	needs 'clang-format --version | grep -q "version $clang_format_version\."' \
		"needs clang-format $clang_format_version"
	# shellcheck disable=SC2046  # no name has a space
	expect_eq "$(check_format $(c_sources))" ""
}

test_shell_scripts()
{
	tool shellcheck
	# shellcheck disable=SC2046  # no name has a space
	expect_eq "$(check_shell $(scripts /bin/sh) tests/*.sh)" ""
}

test_python_scripts()
{
	tool pyflakes3
	# shellcheck disable=SC2046
	expect_eq "$(check_python $(scripts python3) tests/lib)" ""
}

test_spelling()
{
	tool codespell
	expect_eq "$(check_spelling .ci bench bpf debian Documentation Makefile packaging preload tests \
		tools user ./*.md)" ""
}

# .reuse/dep5 has the licences of files without an SPDX line.
test_licences()
{
	tool reuse
	needs '[ -e .git ]' "needs git to list the files of the project"
	expect_eq "$(check_licences .)" ""
}

test_faults_are_found()
{
	for command in clang-format cppcheck shellcheck pyflakes3 codespell reuse; do
		tool "$command"
	done
	dir=$(scratch_dir) cache=$dir/cache
	printf 'void f(void)\n{\n\tint fd = open("x", 0);\n\tif (fd > 3)\n\t\tfd = 3;\n}\n' >"$dir/a.c"
	# shellcheck disable=SC2016
	printf '#!/bin/sh\ncat $1\n' >"$dir/a.sh"
	printf 'import os\n' >"$dir/a.py"
	# The word is split, so that codespell does not find it in this file.
	printf 'te%s disk\n' h >"$dir/a.md"
	mkdir "$dir/tree"
	printf '/* SPDX-%s: GPL-2.0 */\n' License-Identifier >"$dir/tree/a.c"
	expect_match "$(check_licences "$dir/tree")" "*Missing licenses: GPL-2.0*"
	expect_match "$(check_c "$dir/a.c")" "*Resource leak: fd*"
	printf 'void f(void) {}\n' >"$dir/b.c"
	expect_match "$(check_format "$dir/b.c")" "*code should be clang-formatted*"
	expect_match "$(check_shell "$dir/a.sh")" "*SC2086*"
	expect_match "$(check_python "$dir/a.py")" "*'os' imported but unused"
	expect_match "$(check_spelling "$dir/a.md")" "*==> *"
}

test_main "$@"
