#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests the report of `iospan run`: its numbers, its forms (JSON, CSV, text), and its output file.
. "$(dirname "$0")/../lib/ktap.sh"
. tests/lib/measured.sh

# The command writes 7 records of 8 KiB.
work='-- dd if=/dev/zero of=file bs=8k count=7 oflag=direct status=none'

needs_python() { needs 'command -v python3 >/dev/null' "needs python3"; }

# The report must be valid JSON, and have all keys below with the right types.
test_json_has_every_key()
{
	needs_measuring
	needs_python
	iospan_run "--json -o report $work"
	expect_eq "$status" 0
	run_command "python3 - '$dir/report' <<'END'
import hashlib, json, sys
def wrong(text):
    raise ValueError(text)
d = json.load(open(sys.argv[1]), parse_constant=wrong)
number, count = (int, float), (int,)
maybe = (int, float, type(None))
L = {'accesses': count, 'bytes': count, 'errors': count, 'span_ns': maybe, 'bps': maybe,
     'iops': number, 'bandwidth_bytes_per_second': number, 'latency_mean_ns': maybe, 'latency_p50_ns': maybe,
     'latency_p90_ns': maybe, 'latency_p95_ns': maybe,
     'latency_p99_ns': maybe, 'latency_p999_ns': maybe, 'latency_max_ns': maybe, 'concurrency': maybe, 'busy_fraction': maybe}
def has(where, what, keys):
    for key, types in keys.items():
        if type(what.get(key, wrong)) not in types:
            print(where, key, what.get(key, 'is missing'))
has('document', d, {'iospan': (str,), 'command': (str,), 'elapsed_ns': count, 'argv': (list,),
    'exit_status': count, 'complete': (bool,), 'layers': (dict,), 'devices': (list,),
    'waiting': (dict,), 'amplification': (dict,), 'losses': (dict,), 'notes': (list,), 'limits': (list,),
    'backends': (dict,), 'environment': (dict,), 'attribution': (str,), 'hash': (str,)})
for layer in 'app', 'vfs', 'device':
    has(layer, d['layers'][layer], L)
for disk in d['devices']:
    has('disk', disk, {**L, 'name': (str,), 'dev': (str,), 'operations': (dict,)})
    for name, operation in disk['operations'].items():
        has(name, operation, L)
for layer in 'app', 'vfs':
    has('waiting', d['waiting'][layer], {'wait_span_ns': count, 'wait_or_device_ns': count})
has('amplification', d['amplification'], {'vfs_per_app': maybe, 'device_per_vfs': maybe})
has('backends', d['backends'], {'app': (str,), 'vfs': (str,), 'device': (str,)})
has('losses', d['losses'], {key: count for key in d['losses']})
has('missed runs', d['missed_runs'], {key: count for key in ('on_issue', *d['missed_runs'])})
if sum(d['missed_runs'].values()) != d['losses']['missed_runs']:
    print('missed runs:', d['missed_runs'], d['losses']['missed_runs'])
used = [disk['name'] for disk in d['devices']]
if not set(used) <= {disk['name'] for disk in d['environment']['devices']}:
    print('disks', used, 'are not all in', d['environment']['devices'])
h = d.pop('hash')
rest = json.dumps(d, sort_keys=True, ensure_ascii=False, separators=(',', ':'))
if h != 'sha256:' + hashlib.sha256(rest.encode()).hexdigest():
    print('hash', h)
print(d['command'], len(d['losses']) > 9, d['complete'])
END"
	expect_eq "$status:$out:$err" "0:run True True:"
}

# Checks the numbers of the command's I/O, and that the metrics follow from these numbers.
test_json_numbers_are_right()
{
	needs_measuring
	needs_python
	iospan_run "--json -o report $work"
	report=$dir/report
	for layer in app vfs; do
		expect_eq "$(json "$report" "[d['layers']['$layer']['operations']['write'][k]
			for k in ('accesses', 'bytes', 'errors', 'blocks')]")" \
			"[7, 57344, 0, 112]" "$layer"
	done
	expect_ge "$(json "$report" 'd["layers"]["device"]["bytes"]')" 57344 "device bytes"
	for layer in app vfs device; do
		expect_eq "$(json "$report" "all(abs(a - b) <= 1e-9 * b for s in [d['elapsed_ns'] / 1e9]
			for l in [d['layers']['$layer']] for t in [l['span_ns'] / 1e9] for a, b in
			((l['bps'], l['bytes'] / 512 / t), (l['busy_fraction'], t / s),
			 (l['iops'], l['accesses'] / s), (l['bandwidth_bytes_per_second'], l['bytes'] / s)))")" \
			True "$layer"
		# At the device layer, an access with a lost event has no latency. The reported mean
		# latency excludes such accesses. The reported concurrency may include estimates for
		# them. So both values may exceed the quotients below.
		expect_eq "$(json "$report" "all(a >= b * (1 - 1e-9)
			and ('$layer' == 'device' and any(d['losses'][k]
				for k in ('completions', 'issues', 'nested', 'missed_runs')) or a <= b * (1 + 1e-9))
			for l in [d['layers']['$layer']] for t in [l['latency_sum_ns']] for a, b in
			((l['concurrency'], t / l['span_ns']), (l['latency_mean_ns'], t / l['accesses'])))")" \
			True "latency of $layer"
		expect_eq "$(json "$report" "(lambda l: 0 < l['latency_p50_ns'] <= l['latency_p90_ns']
			<= l['latency_p95_ns'] <= l['latency_p99_ns'] <= l['latency_p999_ns'] <= l['latency_max_ns'])(d['layers']['$layer'])")" True "percentiles of $layer"
	done
	expect_eq "$(json "$report" '[d["argv"][0], len(d["argv"]), d["exit_status"]]')" "['dd', 7, 0]"
	expect_eq "$(json "$report" 'all(
		max(a, b) <= w["wait_or_device_ns"] <= a + b and w["wait_for_device_ns"] +
		w["wait_above_device_ns"] == w["wait_span_ns"] == a for w, a, b in
		[(d["waiting"][k], d["layers"][k]["wait_span_ns"], d["layers"]["device"]["wait_span_ns"])
		for k in ("app", "vfs")])')" \
		True "wait spans"
}

test_layers_that_were_not_specified()
{
	needs_measuring
	needs_python
	for layers in app vfs device app,device; do
		iospan_run "--json -o report --layers $layers -- true"
		expect_eq "$(json "$dir/report" '",".join(k for k, v in d["layers"].items() if v)')" \
			"$layers" "layers"
		expect_eq "$(json "$dir/report" '",".join(k for k, v in d["backends"].items() if v)')" \
			"$layers" "backends"
		expect_eq "$(json "$dir/report" '{(d["waiting"]["vfs"] or {}).get("wait_or_device_ns"),
			d["amplification"]["vfs_per_app"], d["amplification"]["device_per_vfs"]}')" \
			"{None}" "between layers"
	done
	iospan_run "-o report --layers device -- true"
	expect_eq "$(awk '/^  layer/,/^$/ { print $1 }' "$dir/report" | xargs)" "layer device" "the layers"
	iospan_run "--csv -o report --layers device -- true"
	expect_eq "$(cut -d , -f 1 "$dir/report" | sort -u | xargs)" "device layer" "the rows"
}

test_csv_is_a_table()
{
	needs_measuring
	needs_python
	iospan_run "--csv -o report $work"
	# iospan may warn of lost completions, or of disks that other tests add at the same time.
	err=$(printf %s "$err" | grep -v "^iospan: warning: lost: ")
	expect_eq "$status:$err" "0:"
	run_command "python3 - '$dir/report' <<'END'
import csv, sys
head, *rows = csv.reader(open(sys.argv[1], newline=''), strict=True)
print(head[:7], len(set(head)) == len(head), {len(row) == len(head) for row in rows})
print([row[:4] for row in rows if not row[2] and row[3] == 'read+write'])
[write] = [dict(zip(head, row)) for row in rows if row[:4] == ['vfs', 'layer', '', 'write']]
print(write['accesses'], write['bytes'], float(write['span_ns']) > 0, write['queue_mean_ns'] == '')
END"
	expect_eq "$status:$err:$out" "0::['layer', 'kind', 'name', 'op', 'accesses', 'bytes', \
'errors'] True {True}
[['app', 'layer', '', 'read+write'], ['vfs', 'layer', '', 'read+write'], \
['device', 'layer', '', 'read+write']]
7 57344 True True"
}

test_every_metric_is_in_the_manual()
{
	needs_measuring
	iospan_run "--csv -o report --layers device -- true"
	for name in $(head -n 1 "$dir/report" | cut -d , -f 5- | tr , ' '); do
		expect_true "grep -q '\`\`$name\`\`' Documentation/metrics.rst" "$name in metrics.rst"
	done
	iospan_run "--json -o report --layers device -- true"
	for name in $(json "$dir/report" '" ".join(d["losses"])'); do
		expect_true "sed -n '/^LOSSES/,/^EXIT/p' Documentation/iospan-run.rst |
			grep -qw $name" "$name in iospan-run.rst"
	done
}

# The last column of a table is right-aligned, so all lines of the table must have the same length.
test_text_is_aligned_and_fits()
{
	needs_measuring
	iospan_run "-o report $work"
	expect_eq "$(head -n 1 "$dir/report")" "" "an empty line before it"
	expect_eq "$(awk '!/^lost: / && length > 110' "$dir/report")" "" "lines of more than 110 columns"
	expect_eq "$(grep -n ' $' "$dir/report")" "" "lines that end in a space"
	for table in '/^  layer  *acc/' '/^  latency /' '/^  layer  *op /' '/^  device  *acc/' '/^  device  *op /'; do
		widths=$(awk "$table,/^\$/" "$dir/report" | awk 'NF { print length }' | uniq | wc -l)
		expect_eq "$widths" 1 "widths of the lines of $table"
	done
	expect_eq "$(awk '/^  layer  *acc/' "$dir/report" | xargs)" \
		"layer accesses bytes errors T BPS IOPS bandwidth ARPT concurrency busy"
	expect_eq "$(awk '/^  latency/' "$dir/report" | xargs)" "latency p50 p90 p95 p99 p99.9 max"
	for table in '/^  layer  *acc/' '/^  latency /'; do
		expect_eq "$(awk "$table,/^\$/ { print \$1 }" "$dir/report" | sed 1d | xargs)" "app vfs device" "$table"
	done
}

# A command's name may contain any bytes, but must stay within one line.
test_strange_names_do_not_break_the_report()
{
	needs_measuring
	needs_python
	escape=$(printf '\033[2J\377')
	iospan_run "-o report --layers app -- true 'a
b' '$escape'"
	expect_match "$(sed -n 2p "$dir/report")" "true a?b ?*: * elapsed, exit status 0"
	iospan_run "--json -o report --layers app -- true 'a
b' '$escape'"
	expect_eq "$(json "$dir/report" 'ascii(d["argv"][1:])')" "['a\\nb', '\\x1b[2J\\ufffd']"
}

test_output_replaces_a_file()
{
	needs_measuring
	yes "an old line" | head -n 10000 >"$ktap_work/old"
	ln -s old "$ktap_work/link"
	iospan_run "--json -o ../link --layers app -- cat ../old"
	expect_eq "$status:$err" "0:"
	expect_eq "$(echo "$out" | wc -l)" 10000 "the command still saw the old one"
	expect_true '[ -L "$ktap_work/link" ]' "the link is one still"
	expect_eq "$(grep -c "an old line" "$ktap_work/old")" 0 "old lines"
	expect_eq "$(json "$ktap_work/old" 'd["command"]')" run
}

test_output_to_a_fifo()
{
	needs_measuring
	mkfifo "$ktap_work/fifo"
	cat "$ktap_work/fifo" >"$ktap_work/copy" &
	iospan_run "--json -o ../fifo --layers app -- true"
	wait $!
	expect_eq "$status:$err" "0:"
	expect_eq "$(json "$ktap_work/copy" 'd["command"]')" run
}

# The output may be a symbolic link to a fifo, or the path of a descriptor, as in >(cat) of a shell.
# iospan must write the report to the fifo or descriptor.
test_output_to_pipes()
{
	needs_measuring
	mkfifo "$ktap_work/fifo"
	ln -s fifo "$ktap_work/link"
	for way in "../link" "/dev/fd/7:7>../fifo" "/dev/stdout:>../fifo" "-:>../fifo" "/dev/stderr:2>../fifo" \
		"/proc/self/fd/7:7>../fifo"; do
		cat "$ktap_work/fifo" >"$ktap_work/copy" &
		case $way in
		*:*) iospan_run "--json -o ${way%%:*} --layers app -- true ${way#*:}" ;;
		*) iospan_run "--json -o $way --layers app -- true" ;;
		esac
		wait $!
		expect_eq "$status:$err" "0:" "$way"
		expect_eq "$(json "$ktap_work/copy" 'd["command"]')" run "$way"
	done
	expect_true '[ -L "$ktap_work/link" ]' "the link is one still"
}

# If the output is the path of a descriptor, iospan must write through this descriptor. Here the
# shell has opened it for appending, so the second report must follow the first one.
test_output_to_a_descriptor_of_a_file()
{
	needs_measuring
	iospan_run "--json -o /dev/fd/7 --layers app -- true 7>>../log"
	expect_eq "$status:$err" "0:"
	iospan_run "--json -o /dev/fd/7 --layers app -- true 7>>../log"
	expect_eq "$(grep -c '"command": "run"' "$ktap_work/log")" 2 "reports"
}

# If the command puts another file at the report's path, iospan must not write to that file.
test_output_path_that_another_file_took()
{
	needs_measuring
	echo precious >"$ktap_work/precious"
	for before in "" old; do
		rm -f "$ktap_work/scratch/rr"
		[ ! "$before" ] || echo "$before" >"$ktap_work/scratch/rr"
		iospan_run "--json -o rr --layers app -- ln -f ../precious rr"
		expect_eq "$status" 1
		expect_match "$err" "*'rr': another file has this name by now; the result is in *"
		expect_eq "$(cat "$ktap_work/precious" "$dir/rr" | xargs)" "precious precious"
		expect_eq "$(json "$dir"/iospan-* 'd["command"]')" run "the report"
		rm "$dir"/iospan-*
	done
}

# The command makes a cgroup below its own, in both hierarchies that iospan may use for attribution.
test_groups_of_the_command()
{
	needs_measuring
	needs_python
	cat >"$ktap_work/grouped" <<-'END'
		awk '$3 == "cgroup2" { print $2 } $3 == "cgroup" && /blkio/ { print $2 }' \
			/proc/mounts >mounts
		dd if=/dev/zero of=a bs=4k count=3 oflag=direct
		for mount in $(cat mounts); do
			group=$(find "$mount" -type d -name "iospan-$PPID-*")
			mkdir "$group/below" && echo $$ >"$group/below/cgroup.procs"
		done
		dd if=/dev/zero of=b bs=4k count=5 oflag=direct
	END
	iospan_run "--json --by=cgroup -o report -- sh ../grouped"
	expect_eq "$status" 0
	expect_nothing_left
	expect_eq "$(json "$dir/report" 'len(d["cgroups"])')" 2 "groups"
	expect_eq "$(json "$dir/report" '[g["layers"]["device"]["accesses"] >= n
		for g, n in zip(d["cgroups"], (8, 5))]')" "[True, True]" "accesses"
	expect_eq "$(json "$dir/report" '[g["path"] for g in d["cgroups"]]')" \
		"['/', '/below']" "paths"
	# The rows of layers and disks have keys with estimates for lost accesses. The rows of
	# cgroups lack these keys, so the test does not compare them.
	expect_eq "$(json "$dir/report" '[key for group in [d["cgroups"][0]["layers"]["device"]]
		for key, value in d["layers"]["device"].items()
		if key not in ("span_repaired_fraction", "concurrency", "wait_span_ns") and group[key] != value]')" \
		"[]" "its own group"
}

test_main "$@"
