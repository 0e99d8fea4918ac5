#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The rules of the tree, design.md section 4. A rule is a function that runs in
# the top directory and prints one line per breach; the last test breaks them all.
. "$(dirname "$0")/../lib/ktap.sh"

# Who may include whom: zones, and the zones that each may use. The library in
# user/ is told apart by name; show.c and show-json.c are both "show".
zones='
bpf      bpf shared
shared   shared
preload  preload shared
base     base
data     data base shared
kernel   kernel data base shared
command  command kernel data base shared
bench    bench command kernel data base shared
tools    tools command kernel data base shared
tests    tests bench tools preload kernel data base shared
'
library='
base     clock control correlation curve density distance err forest http infile information kriging library nan num openmetrics opt out output page pairs permutation plane plot privileges progress reading reopen ridge seal signals stat table wide
data     cgroup class dev disk environment hist host metric model predict span trace traits workload
kernel   calls exporter feature interval janitor losses machine maps measure measured notes recorder repair retire session show top tracer usual wanted workdir
'

# Prints "FILE: why" for each include that points the wrong way.
rule_includes()
{
	find bpf user preload bench tools tests -name '*.[ch]' 2>/dev/null | sort |
		xargs grep -H '^[[:space:]]*#[[:space:]]*include' |
		awk -F: -v zones="$zones" -v library="$library" '
	BEGIN {
		n = split(zones, rows, "\n")
		for (i = 1; i <= n; i++) {
			words = split(rows[i], word, " ")
			for (j = 2; j <= words; j++)
				may[word[1], word[j]] = 1
		}
		n = split(library, rows, "\n")
		for (i = 1; i <= n; i++) {
			words = split(rows[i], word, " ")
			for (j = 2; j <= words; j++)
				tier[word[j]] = word[1]
		}
	}
	function zone(path,	stem) {
		if (path ~ /^bpf\/|\.bpf\.c$/)
			return path ~ /\.bpf\.[ch]$|vmlinux\.h$/ ? "bpf" : "shared"
		if (path !~ /^user\//)
			return substr(path, 1, index(path, "/") - 1)
		if (path ~ /^user\/(main\.c|cmd\.h|cmd-[^\/]*)$/)
			return "command"
		stem = path
		gsub(/^user\/|[-.].*$/, "", stem)
		return tier[stem]
	}
	function plain(path) {
		while (sub(/[^\/]+\/\.\.\//, "", path))
			;
		return path
	}
	function breach(why) { print file ": " why }
	{
		file = $1
		from = zone(file)
		name = $0
		sub(/^[^<"]*[<"]/, "", name)
		sub(/[>"].*$/, "", name)
		if (from == "" && !said[file]++)
			breach("is in no tier: give it one in tests/unit/tree.sh")
		# three files: one alone would be too long
		if (name ~ /\.skel\.h$/ && file !~ /^user\/tracer(-maps|-programs)?\.c$/)
			breach("only the tracer may include " name)
		if (name == "jansson.h" && file != "user/out.c" && from != "tests")
			breach("only out.c may include " name)
		if ($0 !~ /"/ || name ~ /\.skel\.h$/)
			next
		dir = file
		sub(/[^\/]*$/, "", dir)
		to = plain(dir name)
		if (from != "" && !((from, zone(to)) in may))
			breach("may not include " to)
	}'
}

rule_licence()
{
	find bpf user preload bench tools tests .ci Makefile -type f \( -name '*.[ch]' \
		-o -name '*.sh' -o -name '*.py' -o ! -name '*.*' \) 2>/dev/null |
		sort | xargs -r awk '
	FNR <= 3 && /SPDX-Licen[s]e-Identifier: GPL-2\.0-(only|or-later)/ { found[FILENAME] = 1 }
	FNR > 3 { nextfile }
	END {
		for (i = 1; i < ARGC; i++)
			if (!found[ARGV[i]])
				print ARGV[i] ": no SPDX line of a licence in LICENSES"
	}'
}

rule_makefile()
{
	for file in Makefile tests/tests.mk; do
		lines=$(wc -l <"$file")
		[ "$lines" -lt 150 ] || echo "$file: $lines lines, the limit is 149"
	done
}

rule_pages()
{
	sed -n 's/^\t{ "\([a-z -]*\)", cmd_.*/\1/p' user/main.c | tr ' ' - | while read -r name; do
		[ -s "Documentation/iospan-$name.rst" ] ||
			echo "Documentation/iospan-$name.rst: missing"
	done
}

rule_scripts()
{
	grep -rlI '^#!/bin/sh' .ci tests 2>/dev/null | sort | while read -r file; do
		sh -n "$file" 2>/dev/null || echo "$file: is not valid shell"
		[ -x "$file" ] || echo "$file: is not executable"
	done
}

rule_whitespace()
{
	grep -rnI '[[:space:]]$' .ci bpf user preload bench tools tests Documentation \
		Makefile README* --exclude='*.expected' --exclude-dir=corpus 2>/dev/null |
		sed 's/\(:[0-9]*\):.*/\1: white space at the end of a line/'
}

rule_length()
{
	find bpf user preload bench tools tests -name '*.[ch]' -exec wc -l {} + 2>/dev/null |
		awk '$2 != "total" && $1 > 400 { print $2 ": " $1 " lines" }' | sort
}

test_includes_point_down() { expect_eq "$(rule_includes)" ""; }
test_every_source_has_a_licence() { expect_eq "$(rule_licence)" ""; }
test_makefile_is_short() { expect_eq "$(rule_makefile)" ""; }
test_every_command_has_a_page() { expect_eq "$(rule_pages)" ""; }
test_scripts_are_valid() { expect_eq "$(rule_scripts)" ""; }
test_no_trailing_whitespace() { expect_eq "$(rule_whitespace)" ""; }

# A long file is not wrong, but should not go unseen.
test_files_are_short()
{
	long=$(rule_length)
	needs "[ -z '$long' ]" "above 400 lines: $(echo "$long" | tr '\n' ' ')"
}

test_commands_are_found()
{
	expect_gt "$(sed -n '/^\t{ "[a-z-]*", cmd_/p' user/main.c | wc -l)" 1
}

# FILE INCLUDE...: writes a file with these lines, or adds them
source_file()
{
	mkdir -p "$(dirname "$1")"
	[ -e "$1" ] || echo "/* SPDX-License-Identifier: GPL-2.0-or-later */" >"$1"
	file=$1
	shift
	for include; do
		echo "#include $include" >>"$file"
	done
}

test_includes_that_are_allowed()
{
	cd "$(scratch_dir)" || return
	source_file bpf/device.bpf.c '"vmlinux.h"' '"maps.bpf.h"' '"event.h"' '<bpf/bpf.h>'
	source_file preload/posix.c '"preload.h"' '"../bpf/event.h"' '<stdio.h>'
	source_file user/out.c '"err.h"' '<jansson.h>'
	source_file user/metric.h '"../bpf/event.h"' '"num.h"' '"hist.h"'
	source_file user/tracer.c '"iospan.skel.h"' '"dev.h"' '"../user/opt.h"'
	source_file user/tracer-maps.c '"iospan.skel.h"'
	source_file user/feature-bpf.c '"feature.h"' '<bpf/libbpf.h>'
	source_file user/main.c '"cmd.h"' '"session.h"'
	source_file user/cmd-run.c '"cmd.h"' '"session.h"'
	source_file bench/load.c '"load.h"' '"../user/cmd.h"' '"../user/span.h"'
	source_file tools/report.c '"../user/cmd.h"' '"trace/chunk.h"'
	source_file tests/unit/x.c '"../../user/tracer.h"' '"../lib/harness.h"' '<jansson.h>'
	expect_eq "$(rule_includes)" ""
}

test_includes_that_are_not()
{
	cd "$(scratch_dir)" || return
	source_file bench/load.c '"../tools/report.h"'
	source_file bpf/device.bpf.c '"../user/err.h"'
	source_file bpf/event.h '"vmlinux.h"'
	source_file preload/posix.c '"../user/num.h"'
	source_file tests/unit/x.c '"../../user/cmd.h"'
	source_file tools/report.c '"../bench/load.h"' '"../bpf/maps.bpf.h"'
	source_file user/cmd-run.c '"../bench/load.h"' '"iospan.skel.h"'
	source_file user/err.c '"hist.h"' '"../bpf/types.h"'
	source_file user/hist.c '"tracer.h"' '"../tests/lib/harness.h"'
	source_file user/new.c '<stdio.h>' '"err.h"'
	source_file user/num.c '<jansson.h>'
	source_file user/session.c '"cmd.h"' '"../tools/report.h"'
	expect_eq "$(rule_includes)" "\
bench/load.c: may not include tools/report.h
bpf/device.bpf.c: may not include user/err.h
bpf/event.h: may not include bpf/vmlinux.h
preload/posix.c: may not include user/num.h
tests/unit/x.c: may not include user/cmd.h
tools/report.c: may not include bench/load.h
tools/report.c: may not include bpf/maps.bpf.h
user/cmd-run.c: may not include bench/load.h
user/cmd-run.c: only the tracer may include iospan.skel.h
user/err.c: may not include user/hist.h
user/err.c: may not include bpf/types.h
user/hist.c: may not include user/tracer.h
user/hist.c: may not include tests/lib/harness.h
user/new.c: is in no tier: give it one in tests/unit/tree.sh
user/num.c: only out.c may include jansson.h
user/session.c: may not include user/cmd.h
user/session.c: may not include tools/report.h"
}

# The other rules, each broken once.
test_rules_find_what_they_forbid()
{
	cd "$(scratch_dir)" || return
	source_file user/err.c
	{ printf '/* SPDX-%s: GPL-2.0 */ \n' License-Identifier; seq 1 400; } >user/num.c
	printf '\t{ "run", cmd_run, &run_page },\n' >user/main.c
	printf '\t{ "stat", cmd_stat, &stat_page },\n' >>user/main.c
	mkdir Documentation tests .ci
	: >Documentation/iospan-run.rst
	echo page >Documentation/iospan-stat.rst
	yes '# SPDX-License-Identifier: GPL-2.0-or-later' | head -n 150 >Makefile
	cp Makefile tests/tests.mk
	printf '#!/bin/sh\nif\n' >tests/bad.sh
	printf '#!/bin/sh\n' >.ci/run
	chmod +x tests/bad.sh
	expect_eq "$(rule_licence)" "\
.ci/run: no SPDX line of a licence in LICENSES
tests/bad.sh: no SPDX line of a licence in LICENSES
user/main.c: no SPDX line of a licence in LICENSES
user/num.c: no SPDX line of a licence in LICENSES"
	expect_eq "$(rule_makefile)" "\
Makefile: 150 lines, the limit is 149
tests/tests.mk: 150 lines, the limit is 149"
	expect_eq "$(rule_pages)" "Documentation/iospan-run.rst: missing"
	expect_eq "$(rule_scripts)" "\
.ci/run: is not executable
tests/bad.sh: is not valid shell"
	expect_eq "$(rule_whitespace)" "user/num.c:1: white space at the end of a line"
	expect_eq "$(rule_length)" "user/num.c: 401 lines"
}

test_main "$@"
