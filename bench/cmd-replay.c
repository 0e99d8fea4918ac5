// SPDX-License-Identifier: GPL-2.0-or-later
/* iospan bench replay: issues the accesses of a trace again, on another file or disk. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/load/target.h"
#include "bench/load/verify-read.h"
#include "bench/load/watch.h"
#include "bench/replay/player.h"
#include "bench/replay/replay-read.h"
#include "bench/replay/replay-result.h"
#include "tools/input/input.h"
#include "user/base/num.h"
#include "user/base/opt-common.h"
#include "user/base/signals.h"
#include "user/cmd.h"
#include "user/metric/measurement.h"
#include "user/result/result.h"

#define PROCESSES_MOST 4096
#define VERIFY_UNIT_MOST (1 << 20)
#define DEPTH_MOST 32768 /* largest number of requests in an io_uring */

static struct replay_opts {
	const char *signature, *html;
	unsigned layers;
	bool direct, destroy, verify, json, csv;
} o;
static struct replay replay = { .layer = -1, .filter = TRACE_FILTER_ALL };

static const struct opt opts[] = {
	OPT_LAYERS_TO(&o.layers, layer_names,
		      "one layer to replay, by default the lowest with offsets"),
	OPT_FLAG(0, "no-think", &replay.no_think,
		 "do not wait as long as the program did between its accesses"),
	OPT_FLAG(0, "exact-order", &replay.exact_order,
		 "wait for the same accesses as the program, not only for the same number"),
	INPUT_NAME_OPTS(replay.filter),
	OPT_FROM(&replay.from_ns),
	OPT_TO(&replay.to_ns),
	OPT_DIRECT(&o.direct),
	OPT_DESTROY(&o.destroy),
	OPT_SIGNATURE(&o.signature),
	OPT_FLAG(0, "verify", &o.verify,
		 "check that reads return what was written; fills the target first, needs "
		 "--destroy"),
	OPT_HTML(&o.html),
	OPT_JSON(&o.json),
	OPT_CSV(&o.csv),
	OPT_LIMITS,
	OPT_QUIET,
	OPT_END,
};

const struct opt_page replay_page = {
	.command = "bench replay",
	.usage = "TRACE TARGET [options]",
	.summary = "issue the accesses of a trace again, on a file or disk",
	.opts = opts,
	.examples = "  iospan bench replay iospan.trace /dev/sdb --destroy\n"
		    "  iospan bench replay iospan.trace /mnt/disk/file --no-think\n"
		    "  iospan bench replay iospan.trace /dev/sdb --layers device --json\n",
};

static const struct opt_pair pairs[] = { OPT_NEEDS(&o.signature, &o.destroy),
					 OPT_NEEDS(&o.verify, &o.destroy),
					 {} };

static int check_options(int n)
{
	int ret = opt_check_pairs(&replay_page, pairs) ?: input_check(replay.from_ns, replay.to_ns);

	if (!ret && n != 2)
		ret = error(-EUSAGE, "a trace and a target are needed; usage: iospan %s %s",
			    replay_page.command, replay_page.usage);
	if (o.layers)
		replay.layer = __builtin_ctz(o.layers);
	return ret ?: input_check_layer(o.layers);
}

static int check_target(const char *name)
{
	struct stat st;

	if (stat(name, &st)) /* check_room() reports a missing file, with the size that it needs */
		return errno == ENOENT ?
			0 :
			error(-errno, "cannot open '%s': %s", name, strerror(errno));
	if (!S_ISREG(st.st_mode) && !S_ISBLK(st.st_mode))
		return error(-EINVAL, "'%s' is neither a file nor a block device", name);
	return 0;
}

static int check_room(const char *name)
{
	bool exists = !access(name, F_OK);
	u64 room = exists ? target_room(name) : 0;
	char a[NUM_TEXT], b[NUM_TEXT], fault[64] = "does not exist";
	int above = replay.layer == LAYER_DEVICE ? LAYER_VFS : -1;

	if (exists && room >= replay.bytes)
		return 0;
	if (exists)
		snprintf(fault, sizeof(fault), "has only %s", num_bytes_text(a, room));
	while (above >= 0 && !replay.transfers[above])
		above--;
	return error(-EFBIG,
		     "'%s' %s, but the accesses of layer %s need %s: %s%s%smake a file of this "
		     "size, such as a sparse file by 'truncate -s %llu FILE'",
		     name, fault, layer_names[replay.layer], num_bytes_text(b, replay.bytes),
		     above >= 0 ? "use --layers " : "", above >= 0 ? layer_names[above] : "",
		     above >= 0 ? ", or " : "", (unsigned long long)replay.bytes);
}

/* With direct I/O, checks that the target accepts the offsets and sizes of the accesses. */
static int check_alignment(const char *name, int fd)
{
	u64 alignment = replay.alignment & -replay.alignment, unit = target_direct_unit(fd);

	if (unit <= alignment)
		return 0;
	return error(
		-EINVAL,
		"'%s' needs accesses of multiples of %llu bytes, but the trace has multiples of "
		"%llu bytes only; give a target with smaller sectors",
		name, (unsigned long long)unit, (unsigned long long)alignment);
}

/* Gives each worker its own load_spec, because the recorded processes differ in queue depth and
 * size of accesses. Returns the array of specs, which the caller frees. */
static struct load_spec *set_specs(struct load *l)
{
	struct load_spec *specs = need(calloc(replay.processes_n, sizeof(*specs)));

	for (u32 i = 0; i < replay.processes_n; i++) {
		specs[i] = l->spec;
		specs[i].depth = replay.processes[i].depth;
		specs[i].stream.size = replay.processes[i].most_bytes ?: 1;
		l->workers[i].spec = &specs[i];
	}
	return specs;
}

static int make_spec(struct load_spec *spec)
{
	u64 buffers = 0;

	if (o.direct && replay.layer == LAYER_DEVICE)
		return opt_no_effect("direct", "--layers device");
	if (o.verify && replay.alignment % VERIFY_SECTOR)
		return error(-EINVAL,
			     "--verify needs offsets and sizes that are multiples of %d bytes, but "
			     "'%s' has others at layer %s%s",
			     VERIFY_SECTOR, replay.path, layer_names[replay.layer],
			     replay.transfers[LAYER_DEVICE] ? "; use --layers device" : "");
	if (replay.processes_n > PROCESSES_MOST)
		return error(-E2BIG,
			     "the trace has %u processes, but at most %d can be replayed; use "
			     "--process, --from or --to",
			     replay.processes_n, PROCESSES_MOST);
	*spec = (struct load_spec){
		.stream = { .unique_bytes = replay.bytes, .align = 1, .size = 1, .read = 1 },
		.engine = &engine_uring,
		.buffered = replay.layer != LAYER_DEVICE && !o.direct,
		.procs = replay.processes_n,
		.batch = 1,
		.processes = true,
		.requests = replay.n,
		.run = replay_worker,
		.run_arg = &replay,
	};
	for (u32 i = 0; i < replay.processes_n; i++) {
		buffers += replay.processes[i].depth *
			((replay.processes[i].most_bytes + 4095) & ~4095ULL);
		if (replay.processes[i].depth > spec->depth)
			spec->depth = replay.processes[i].depth;
	}
	if (spec->depth > DEPTH_MOST)
		return error(-E2BIG,
			     "a process of the trace has %llu accesses in flight, above the limit "
			     "of io_uring, %d",
			     (unsigned long long)spec->depth, DEPTH_MOST);
	return load_check_memory(buffers, "the buffers", REPLAY_ADVICE);
}

static int print_result(struct load_result *l, int fd, struct output *html)
{
	struct result result = { .title = "iospan bench replay", .views = replay_views };
	struct verify *v = l->spec->verify;
	int ret = v ? verify_finish(v, l->end == END_SIGNAL, (char **)l->targets, &fd) : 0, left;

	result.doc = replay_document(&replay, l);
	left = result_print(&result, out_format(o.json, o.csv), html);
	out_free(result.doc);
	return l->end == END_ERROR ? -EIO : ret ?: left;
}

static int measure(struct load *l, struct load_result *result, int fd, struct output *html)
{
	static struct layers layers;
	int ret = layers_begin_if_possible(&layers, NULL, 0), left;
	struct watch_options how = *result->how;

	layers_set_target(&layers, result->targets[0]);
	how.session = layers.grouped ? &layers.session : NULL;
	if (!ret)
		ret = watch_load(l, &how, layers.traced ? &layers : NULL, result);
	result->below = layers.traced ? &layers : NULL;
	if (!ret)
		ret = print_result(result, fd, html);
	left = layers_end(&layers);
	return ret ?: left;
}

static int run(const struct load_spec *spec, char **names, int fd, int signals, struct output *html)
{
	const struct watch_options how = { .round_ns = 1000000000, .signals = signals };
	struct load_result result = { .spec = spec, .targets = names, .how = &how };
	struct load *l = load_new(spec, &fd, 1);
	struct load_spec *specs = l ? set_specs(l) : NULL;
	int ret = l ? measure(l, &result, fd, html) : -ENOMEM;

	load_free(l);
	free(specs);
	free(result.rounds.rate);
	return ret;
}

static int run_on(const struct load_spec *spec, char **names, int signals, struct output *html)
{
	const struct guard_options options = {
		.write = replay.written_bytes || o.verify,
		.destroy = o.destroy,
		.signature = o.signature,
		.direct = !spec->buffered,
	};
	bool all = o.verify || replay.written_bytes > replay.bytes;
	u64 written = all ? replay.bytes : replay.written_bytes;
	struct target target = {};
	int ret = check_room(names[0]);

	if (!ret && options.write && !o.destroy)
		ret = error(-EPERM,
			    "the trace has writes, which would overwrite '%s': give --destroy; its "
			    "data will be lost",
			    names[0]);
	if (!ret)
		ret = target_open(&target, names[0], written, &options);
	if (ret)
		return ret;
	ret = spec->buffered ? 0 : check_alignment(names[0], target.guard.fd);
	if (!ret && spec->verify)
		ret = target_fill(&target, 0, spec->verify, 0);
	if (!ret)
		ret = run(spec, names, target.guard.fd, signals, html);
	guard_close(&target.guard);
	return ret;
}

/* Makes the state of --verify. The processes may share parts of the target, so they are one
 * writer. */
static int make_verify(struct load_spec *spec)
{
	u64 unit = replay.alignment & -replay.alignment;
	int ret;

	/* place_accesses() aligns the regions to 1 MiB, so the target consists of whole units. */
	if (unit > VERIFY_UNIT_MOST)
		unit = VERIFY_UNIT_MOST;
	ret = load_check_memory(replay.bytes / unit * sizeof(u64), "the data of --verify",
				REPLAY_ADVICE);
	if (ret)
		return ret;
	spec->verify = verify_new(replay.bytes, unit, 1, 1);
	if (!spec->verify)
		return -ENOMEM;
	spec->verify->shared = true;
	return 0;
}

static int read_and_run(char **names, struct output *html)
{
	struct load_spec spec = {};
	sigset_t before;
	int signals = signals_catch(0, &before), ret;

	if (signals < 0)
		return signals;
	ret = replay_read(&replay);
	if (replay.damaged)
		warn("'%s' is damaged or cut off, so accesses are missing", replay.path);
	if (!ret)
		ret = make_spec(&spec);
	if (!ret && o.verify)
		ret = make_verify(&spec);
	if (!ret)
		ret = run_on(&spec, names + 1, signals, html);
	verify_free(spec.verify);
	replay_release(&replay);
	signals_release(signals, &before);
	return ret == -EINTR ? error(ret, "interrupted before anything was measured") : ret;
}

int cmd_replay(int argc, char **argv)
{
	char **names = need(calloc(argc + 1, sizeof(*names)));
	struct output html = OUTPUT_NONE;
	int n = opt_operands(&replay_page, argc, argv, names), ret;

	ret = n < 0 ? n : check_options(n) ?: check_target(names[1]);
	replay.path = names[0];
	if (!ret && o.html)
		ret = output_open(&html, o.html)	?:
			output_spares_all(&html, names) ?:
							  input_spared_one(&html, names[0]);
	if (!ret)
		ret = read_and_run(names, &html);
	output_drop(&html);
	free(names);
	return ret;
}
