#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests the rules for folders and functions of the source. Each function rule_NAME runs in the top
# directory, and prints a line for each breach.
. "$(dirname "$0")/../lib/ktap.sh"

# A folder may include and call the folders after its colon, and all folders that those may include
# and call. If a file has a rule of its own, both its rule and the rule of its folder apply.
folders='
bpf:
preload:             bpf
user/base:           bpf
user/stats:          user/base
user/metric:         user/base
user/result:         user/metric
user/host:           user/base
user/kernel:         user/trace
user/trace:          user/host user/metric
user/session:        user/show
user/show:           user/kernel user/result
user/top:            user/show
user/exporter:       user/show
user:                user/session user/top user/exporter
bench/guard:         user/host
bench/model:         user/host user/stats user/result
bench/load:          bench/guard bench/model user/session
bench/mpi:           bench/beff
bench/beff:          bench/load
bench/scale:         bench/load
bench/sets:          bench/beff
bench/replay:        bench/load tools/input
bench/compare:       bench/model
bench/job:           bench/model tools/characterize
bench:               bench/beff bench/scale bench/sets bench/compare bench/replay bench/job user
tools/input:         user/trace
tools/import:        tools/input
tools/export:        tools/input
tools/report:        tools/input user/show
tools/characterize:  tools/report tools/import user/stats user/session
tools/correlate:     tools/import user/stats user/result
tools/neighbours:    tools/correlate user/session
tools:               tools/report tools/characterize tools/neighbours tools/export user
user/main.c:         user bench tools
tests:               user bench tools preload
'

rule_folders()
{
	echo "$folders" >"$ktap_work/folders"
	python3 -B "$top/tests/lib/folders.py" "$ktap_work/folders" "$@"
}

rule_licence()
{
	find bpf user preload bench tools tests .ci packaging Makefile -type f \( -name '*.[ch]' \
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
	for file in Makefile tests/*.mk; do
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
	grep -rlI '^#!/bin/sh' .ci debian packaging tests 2>/dev/null | sort | while read -r file; do
		sh -n "$file" 2>/dev/null || echo "$file: is not valid shell"
		[ -x "$file" ] || echo "$file: is not executable"
	done
}

rule_whitespace()
{
	grep -rnI '[[:space:]]$' .ci debian packaging bpf user preload bench tools tests Documentation \
		Makefile README* --exclude='*.expected' --exclude-dir=corpus 2>/dev/null |
		sed 's/\(:[0-9]*\):.*/\1: white space at the end of a line/'
}

rule_length()
{
	find bpf user preload bench tools tests -name '*.[ch]' -exec wc -l {} + 2>/dev/null |
		awk '$2 != "total" && $1 > 400 { print $2 ": " $1 " lines" }' | sort
}

test_folders_are_layers()
{
	top=$PWD
	expect_eq "$(rule_folders "$IOSPAN_BUILD")" ""
}

# Without rules, the test above would find no breach and pass. So this test checks the layers that
# the rules give: bpf must be the lowest, and main.c and tests the highest.
test_layers_are_printed()
{
	top=$PWD
	expect_match "$(rule_folders --layers)" "0: bpf
1: preload user/base
*user/main.c tests"
}

# Compares the layers of the source with the table in design.rst. In the table, the three folders of
# commands (user, tools, bench) and main.c are one row.
test_layers_are_those_of_the_page()
{
	top=$PWD
	expect_eq "$(grep -oE '^[0-9-]+ +``[a-z/]+/``' Documentation/design.rst | tr -d '`' |
		tr -s ' ' | sed 's|/$||' | sort)" \
		"$(rule_folders --layers | awk -F '[: ]+' '{
			for (i = 2; i <= NF; i++)
				if ($i ~ /^(user|tools|bench)$/)
					lowest = lowest == "" ? $1 : lowest
				else if ($i == "user/main.c")
					print lowest "-" $1, "user"
				else if ($i != "tests")
					print $1, $i
		}' | sort)"
}

test_every_source_has_a_licence() { expect_eq "$(rule_licence)" ""; }
test_makefile_is_short() { expect_eq "$(rule_makefile)" ""; }
test_every_command_has_a_page() { expect_eq "$(rule_pages)" ""; }
test_scripts_are_valid() { expect_eq "$(rule_scripts)" ""; }
test_no_trailing_whitespace() { expect_eq "$(rule_whitespace)" ""; }

test_files_are_short()
{
	long=$(rule_length)
	needs "[ -z '$long' ]" "above 400 lines: $(echo "$long" | tr '\n' ' ')"
}

test_commands_are_found()
{
	expect_gt "$(sed -n '/^\t{ "[a-z-]*", cmd_/p' user/main.c | wc -l)" 1
}

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
	top=$PWD && cd "$(scratch_dir)" || return
	source_file bpf/device.bpf.c '"bpf/vmlinux.h"' '"bpf/event.h"' '<bpf/bpf.h>'
	source_file bpf/vmlinux.h
	source_file bpf/event.h
	source_file preload/posix.c '"bpf/event.h"' '<stdio.h>'
	source_file user/base/out.c '<jansson.h>'
	source_file user/base/out-read.c '<jansson.h>'
	source_file user/metric/metric.h '"bpf/event.h"' '"user/base/num.h"'
	source_file user/base/num.h
	source_file user/kernel/tracer.c '"iospan.skel.h"' '"user/metric/metric.h"'
	source_file user/main.c '"tools/report/report.h"'
	source_file tools/report/report.h '"user/metric/metric.h"'
	source_file tests/unit/base/x.c '"tools/report/report.h"' '<jansson.h>'
	expect_eq "$(rule_folders)" ""
}

test_includes_that_are_not()
{
	top=$PWD && cd "$(scratch_dir)" || return
	source_file tools/report/report.h
	source_file bench/load/load.h
	source_file bpf/vmlinux.h
	source_file user/kernel/tracer.h
	source_file user/base/err.h
	source_file user/new/tree.h
	source_file bench/load/load.c '"tools/report/report.h"'
	source_file bpf/device.bpf.c '"user/base/err.h"'
	source_file preload/posix.c '"user/base/err.h"'
	source_file tools/report/report.c '"bench/load/load.h"'
	source_file user/cmd-run.c '"bench/load/load.h"' '"iospan.skel.h"'
	source_file user/metric/hist.c '"user/kernel/tracer.h"' '<jansson.h>'
	source_file lib/x.c '"user/base/err.h"'
	expect_eq "$(rule_folders)" "\
bench/load/load.c: may not include tools/report/report.h
bpf/device.bpf.c: may not include user/base/err.h
preload/posix.c: may not include user/base/err.h
tools/report/report.c: may not include bench/load/load.h
user/cmd-run.c: may not include bench/load/load.h
user/cmd-run.c: only the tracer may include iospan.skel.h
user/metric/hist.c: may not include user/kernel/tracer.h
user/metric/hist.c: only user/base/out*.c may include jansson.h"
}

# Breaks three rules. Two folders call each other. Two files define the same function. A file
# defines a function that the header of another file declares.
test_calls_and_names_that_are_not()
{
	top=$PWD && cd "$(scratch_dir)" || return
	source_file user/trace/read.h && echo "int trace_read(void);" >>user/trace/read.h
	source_file user/kernel/tracer.h && echo "int tracer_new(void);" >>user/kernel/tracer.h
	source_file bench/load/read.h
	source_file user/trace/read.c && cat >>user/trace/read.c <<-END
		int tracer_new(void);
		int twice(void) { return 1; }
		int trace_read(void) { return tracer_new(); }
	END
	source_file user/kernel/tracer.c && cat >>user/kernel/tracer.c <<-END
		int trace_read(void);
		int twice(void) { return 2; }
	END
	source_file user/kernel/late.c && cat >>user/kernel/late.c <<-END
		int trace_read(void);
		int tracer_new(void) { return trace_read(); }
	END
	for source in user/*/*.c; do
		mkdir -p "build/${source%/*}"
		cc -c "$source" -o "build/${source%.c}.o" || fail "$source"
	done
	expect_eq "$(rule_folders build | sort)" "\
read.h: is the name of bench/load/read.h and user/trace/read.h
twice(): is defined in user/kernel/tracer.c and user/trace/read.c
user/kernel/tracer.h: tracer_new() is defined in user/kernel/late.c
user/trace/read.c: may not call tracer_new() of user/kernel/late.c"
}

test_rules_with_a_cycle()
{
	top=$PWD && cd "$(scratch_dir)" || return
	folders='
	user/a: user/b
	user/b: user/c
	user/c: user/a
	'
	expect_eq "$(rule_folders)" "\
user/a: is in a cycle of the rules
user/b: is in a cycle of the rules
user/c: is in a cycle of the rules"
}

# Breaks the rules for licences, Makefiles, pages, scripts, white space and length.
test_rules_find_what_they_forbid()
{
	cd "$(scratch_dir)" || return
	source_file user/base/err.c
	{ printf '/* SPDX-%s: GPL-2.0 */ \n' License-Identifier; seq 1 400; } >user/base/num.c
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
user/base/num.c: no SPDX line of a licence in LICENSES
user/main.c: no SPDX line of a licence in LICENSES"
	expect_eq "$(rule_makefile)" "\
Makefile: 150 lines, the limit is 149
tests/tests.mk: 150 lines, the limit is 149"
	expect_eq "$(rule_pages)" "Documentation/iospan-run.rst: missing"
	expect_eq "$(rule_scripts)" "\
.ci/run: is not executable
tests/bad.sh: is not valid shell"
	expect_eq "$(rule_whitespace)" "user/base/num.c:1: white space at the end of a line"
	expect_eq "$(rule_length)" "user/base/num.c: 401 lines"
}

test_main "$@"
