// SPDX-License-Identifier: GPL-2.0-or-later
/* iospan bench load: a load made to measure. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/load/by-class.h"
#include "bench/load/layers.h"
#include "bench/load/engines.h"
#include "bench/load/engine-nvme.h"
#include "bench/load/target.h"
#include "bench/load/watch.h"
#include "user/base/opt-common.h"
#include "user/cmd.h"
#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/signals.h"
#include "bench/load/verify-read.h"

#define MOST_BYTES (1ULL << 30) /* of a request; its result is an int */
#define MS 1000000ULL
#define HOUR (3600 * 1000 * MS)

#define LAYERS_BELOW (1U << LAYER_VFS | 1U << LAYER_DEVICE) /* the app layer is the load's own */

static struct load_opts {
	uint64_t unique_bytes, size, align, procs, depth, batch, requests, seed;
	uint64_t time, warm_up, round, think;
	double read, seq, zipf, rate, until_ci;
	const char *sizes, *engine, *live, *signature, *class;
	bool buffered, processes, poisson, steady, destroy, verify, json;
	unsigned layers;
	bool iopoll, sqpoll, passthrough;
} o = {
	.unique_bytes = 1 << 30,
	.size = 4096,
	.align = 4096,
	.procs = 1,
	.seed = 1,
	.time = 10000000000,
	.warm_up = 1000000000,
	.round = 1000000000,
	.read = 1,
	.engine = "uring",
	.layers = 1 << LAYER_APP,
};

static const char *const by_class[] = { "by class", NULL };
static char engine_help[ENGINES_HELP];

/* Runs before main(), because "iospan help" prints the options without a call of cmd_load(). */
static void __attribute__((constructor)) set_engine_help(void)
{
	engines_help(engine_help);
}

static const struct opt opts[] = {
	OPT_SIZE(0, "unique-bytes", &o.unique_bytes, "BYTES",
		 "amount of data that is accessed, over all processes (uniqueBytes)"),
	OPT_REQUEST_SIZE(&o.size, "; the mean if --size-dist is given (sizeMean)"),
	OPT_STR(0, "size-dist", &o.sizes, "DIST",
		"distribution of sizes: normal, exponential, or weights such as "
		"4k:60,64k:30,1M:10"),
	OPT_REAL(0, "read", &o.read, "FRACTION", "fraction of requests that read (readFrac)"),
	OPT_REAL(0, "seq", &o.seq, "FRACTION",
		 "fraction of requests that start where the previous one ended (seqFrac)"),
	OPT_REAL(0, "zipf", &o.zipf, "EXPONENT",
		 "exponent of Zipf's law, by which random requests favour some places; 0: none"),
	OPT_UINT(0, "procs", &o.procs, "N",
		 "processes, each with its part of the data (processNum)"),
	OPT_AUTO(0, "depth", &o.depth, "N", by_class, "requests in flight for each process"),
	OPT_AUTO(0, "batch", &o.batch, "N", by_class, "requests submitted by one call"),
	OPT_STR(0, "class", &o.class, "CLASS",
		"class of the disk: hdd, ssd, nvme, virtual, ram; else it is detected"),
	OPT_DURATION(&o.time, ""),
	OPT_COUNT(&o.requests, "requests of each process, instead of a duration; 0: by duration"),
	OPT_TIME(0, "warm-up", &o.warm_up, "TIME", "load before the measurement"),
	OPT_INTERVAL(&o.round, " for which the rate is noted"),
	OPT_REAL(0, "until-ci", &o.until_ci, "FRACTION",
		 "stop when half of the rate's 95 % interval is below this fraction; 0: by "
		 "duration"),
	OPT_FLAG(0, "steady", &o.steady,
		 "stop when the rate is steady by SNIA PTS 2.0.2, or after 25 intervals"),
	OPT_REAL(0, "rate", &o.rate, "N",
		 "scheduled requests per second (open loop); 0: each when the last one ends"),
	OPT_FLAG(0, "poisson", &o.poisson, "schedule requests at random times, else evenly"),
	OPT_TIME(0, "think", &o.think, "TIME", "pause of a process after each batch"),
	OPT_SIZE(0, "align", &o.align, "BYTES", "alignment of offsets and sizes"),
	OPT_FLAG(0, "buffered", &o.buffered, "use the page cache"),
	OPT_FLAG(0, "processes", &o.processes, "run processes instead of threads"),
	OPT_STR(0, "engine", &o.engine, "NAME", engine_help),
	OPT_FLAG(0, "iopoll", &o.iopoll, "uring: poll for completions, without interrupts"),
	OPT_FLAG(0, "sqpoll", &o.sqpoll,
		 "uring: a kernel thread polls for requests, without calls"),
	OPT_FLAG(0, "passthrough", &o.passthrough,
		 "uring: NVMe commands that bypass the block layer"),
	OPT_SEED(&o.seed),
	OPT_LAYERS(&o.layers, layer_names),
	OPT_STR(0, "log", &o.live, "FILE", "write a line of JSON to FILE for each interval"),
	OPT_DESTROY(&o.destroy),
	OPT_SIGNATURE(&o.signature),
	OPT_FLAG(0, "verify", &o.verify,
		 "fill the data first, compare what is read, and read all at the end"),
	OPT_JSON(&o.json),
	OPT_END,
};

static const struct opt_alias fio_names[] = { { "bs", "size" },		{ "iodepth", "depth" },
					      { "numjobs", "procs" },	{ "runtime", "duration" },
					      { "ioengine", "engine" }, {} };

const struct opt_page load_page = {
	.command = "bench load",
	.usage = "TARGET... [options]",
	.summary = "load files or disks and measure what they do",
	.opts = opts,
	.aliases = fio_names,
	.examples = "  iospan bench load /mnt/disk --unique-bytes 4G --read 0.67 --procs 4\n"
		    "  iospan bench load /mnt/disk --layers app,vfs,device\n"
		    "  iospan bench load /dev/nvme0n1 -t 30s --until-ci 2%\n",
};

/* ---- what is asked for ---- */

static int check_requests(void)
{
	if (o.read > 1 || o.seq > 1)
		return error(-EUSAGE, "--read and --seq are shares, 0 to 1");
	if (!o.procs || !o.size || !o.align)
		return error(-EUSAGE, "--procs, --size and --align cannot be 0");
	if (o.procs > 4096 || o.depth > 32768)
		return error(-EUSAGE, "--procs goes up to 4096, --depth up to 32768");
	if (o.batch > 32768 || (o.depth && o.batch > o.depth))
		return error(-EUSAGE, "--batch %llu is more than --depth %llu",
			     (unsigned long long)o.batch, (unsigned long long)o.depth);
	if (!o.sizes && o.size % o.align)
		return error(-EUSAGE, "--size is no multiple of --align");
	if (o.verify && o.align % VERIFY_SECTOR)
		return error(-EUSAGE, "--verify needs --align to be a multiple of %d",
			     VERIFY_SECTOR);
	if (o.layers != 1 << LAYER_APP && o.layers != (1 << LAYER_APP | LAYERS_BELOW))
		return error(-EUSAGE,
			     "--layers is 'app' or 'app,vfs,device': the load is the app "
			     "layer, and the other two are measured together");
	if (o.size > MOST_BYTES)
		return error(-EUSAGE, "--size goes up to 1G");
	return 0;
}

/* Refuses the options that @engine ignores. One request in flight is a depth of 1. */
static int check_engine(const struct engine *engine)
{
	const struct {
		const char *name;
		bool in_use;
		unsigned needs;
	} asked[] = {
		{ "depth", o.depth > 1, ENGINE_DEPTH },
		{ "batch", o.batch > 1, ENGINE_BATCH },
		{ "class", o.class, ENGINE_BATCH },
		{ "buffered", o.buffered, ENGINE_CACHE },
		{ "iopoll", o.iopoll, ENGINE_RING },
		{ "sqpoll", o.sqpoll, ENGINE_RING },
		{ "passthrough", o.passthrough, ENGINE_RING },
		{ "verify", o.verify, ENGINE_DATA },
		{ "layers", o.layers & LAYERS_BELOW, ENGINE_DATA },
		{ "destroy", o.destroy, ENGINE_DATA },
	};
	char with[64];

	snprintf(with, sizeof(with), engine == &engine_nvme ? "--passthrough" : "--engine %s",
		 engine->name);
	for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++)
		if (asked[i].in_use && !(engine->can & asked[i].needs))
			return opt_no_effect(asked[i].name, with);
	return 0;
}

static const struct opt_pair pairs[] = {
	OPT_BARS(&o.time, &o.requests),	     OPT_BARS(&o.warm_up, &o.requests),
	OPT_BARS(&o.time, &o.steady),	     OPT_BARS(&o.think, &o.rate),
	OPT_BARS(&o.buffered, &o.iopoll),    OPT_NEEDS(&o.poisson, &o.rate),
	OPT_NEEDS(&o.signature, &o.destroy), {},
};

static bool is_list(const char *sizes)
{
	return strcmp(sizes, "normal") != 0 && strcmp(sizes, "exponential") != 0;
}

static int check_effects(void)
{
	if (o.sizes && is_list(o.sizes) && opt_in_use(&load_page, &o.size))
		return opt_no_effect("size", "--size-dist LIST");
	if (o.zipf > 0 && o.seq >= 1)
		return opt_no_effect("zipf", "--seq 1");
	if (o.class && o.depth && o.batch)
		return opt_no_effect("class", "--depth --batch");
	return opt_check_pairs(&load_page, pairs);
}

static int check_times(void)
{
	if (o.round < MS || o.round > HOUR || o.time > 10000 * HOUR || o.warm_up > 10000 * HOUR)
		return error(-EUSAGE,
			     "--interval is 1ms to 1h, --duration and --warm-up go up to "
			     "10000h");
	if (!o.time && !o.requests && !o.steady)
		return error(-EUSAGE, "--duration cannot be 0 without --count or --steady");
	if (o.rate > 1e9)
		return error(-EUSAGE, "--rate goes up to 1000000000");
	return 0;
}

static int check(const struct engine *engine)
{
	return check_requests() ?: check_times() ?: check_effects() ?: check_engine(engine);
}

/* @table is filled if --size-dist is given. */
static int make_sizes(struct size_table *table)
{
	if (is_list(o.sizes))
		return sizes_list(table, o.sizes, o.align);
	if (!strcmp(o.sizes, "normal"))
		sizes_normal(table, (double)o.size / o.align);
	else
		sizes_exponential(table, (double)o.size / o.align);
	return 0;
}

static int set_class(struct load_spec *spec, char *const *names)
{
	spec->class_forced = o.class;
	if (!o.class)
		spec->class = class_of_targets(names);
	else if (class_by_name(o.class, &spec->class))
		return error(-EUSAGE, "unknown class '%s'; one of hdd, ssd, nvme, virtual, ram",
			     o.class);
	set_by_class(spec);
	return 0;
}

static int make_spec(struct load_spec *spec, char *const *names, struct size_table *sizes)
{
	u64 each = o.procs ? o.unique_bytes / o.procs : 0;
	const struct engine *engine = engine_named(o.engine);
	int ret;

	if (engine && o.passthrough && engine->can & ENGINE_RING)
		engine = &engine_nvme;
	ret = engine ? check(engine) : -EUSAGE;
	if (!ret && o.sizes)
		ret = make_sizes(sizes);
	if (ret)
		return ret;
	*spec = (struct load_spec){
		.stream = { .unique_bytes = each - each % o.align,
			    .size = o.size,
			    .align = o.align,
			    .read = o.read,
			    .seq = o.seq,
			    .zipf = o.zipf,
			    .seed = o.seed,
			    .sizes = o.sizes ? sizes : NULL },
		.sizes = o.sizes,
		.sizes_listed = o.sizes && is_list(o.sizes),
		.engine = engine,
		.buffered = o.buffered || !(engine->can & ENGINE_DIRECT),
		.iopoll = o.iopoll,
		.sqpoll = o.sqpoll,
		.procs = o.procs,
		.depth = o.depth,
		.batch = o.batch,
		.processes = o.processes,
		.requests = o.requests,
		.rate = o.rate / o.procs,
		.poisson = o.poisson,
		.think_ns = o.think,
	};
	if (stream_most_bytes(&spec->stream) > MOST_BYTES)
		return error(-EUSAGE, "--size-dist has requests of more than 1G");
	if (spec->stream.unique_bytes < stream_most_bytes(&spec->stream))
		return error(-EUSAGE, "--unique-bytes is less than a request of each process");
	if (!(engine->can & ENGINE_BATCH))
		spec->depth = spec->batch = 1;
	ret = set_class(spec, names);
	if (!(engine->can & ENGINE_DEPTH)) {
		spec->depth = spec->batch;
		spec->depth_by_class = false;
	}
	return ret;
}

/* Buffers are there from the beginning: rather not begin than have the kernel kill somebody
 * for want of memory. */
static int check_memory(const struct load_spec *spec)
{
	u64 needed = spec->procs * spec->depth * stream_most_bytes(&spec->stream), there;
	char a[NUM_TEXT], b[NUM_TEXT];

	if (!host_memory(&this_host, "MemAvailable", &there) || needed <= there)
		return 0;
	return error(-ENOMEM,
		     "buffers of %s for %llu processes of depth %llu are more than the "
		     "memory that is available, %s",
		     num_bytes_text(a, needed), (unsigned long long)spec->procs,
		     (unsigned long long)spec->depth, num_bytes_text(b, there));
}

/* ---- the command ---- */

/* -errno, printed, when something differs, or cannot be told. After a signal nobody wants to
 * wait for it. */
static int verify(struct verify *v, bool stopped, char **names, const int *fds)
{
	int ret;

	v->cut = stopped;
	ret = verify_read_back(v, names, fds);
	if (!ret && verify_places(v))
		ret = error(-EILSEQ, "what is read is not what was written");
	return ret;
}

/* While it goes on, a signal ends the load and not us. */
static int watch(struct load *l, struct watch_options *how, struct layers *layers,
		 struct load_result *r)
{
	sigset_t before;
	int ret;

	how->signals = signals_catch(0, &before);
	if (how->signals < 0)
		return how->signals;
	ret = watch_load(l, how, layers, r);
	signals_release(how->signals, &before);
	if (ret == -EINTR)
		error(ret, "interrupted before anything was measured");
	return ret;
}

/* Runs the load and says what came of it. */
static int measure(struct load *l, struct watch_options *how, struct layers *layers,
		   struct load_result *r, const int *fds)
{
	struct verify *v = r->spec->verify;
	int ret = watch(l, how, layers, r);

	r->below = layers;
	if (ret)
		return ret;
	if (v)
		ret = verify(v, r->end == END_SIGNAL, (char **)r->targets, fds);
	if (o.json)
		load_json(stdout, r);
	else
		load_text(stdout, r);
	return r->end == END_ERROR ? -EIO : ret; /* which was told */
}

static int run(const struct load_spec *spec, char **names, const int *fds, unsigned n,
	       struct output *live)
{
	static struct layers storage;
	struct layers *layers = o.layers & LAYERS_BELOW ? &storage : NULL;
	struct watch_options how = {
		.time_ns = o.time,
		.warm_up_ns = o.warm_up,
		.round_ns = o.round,
		.until_ci = o.until_ci,
		.steady = o.steady,
		.live = o.live ? live : NULL,
		.session = layers ? &storage.session : NULL,
	};
	struct load_result result = { .spec = spec, .targets = names, .how = &how };
	int ret = layers ? layers_begin(layers) : 0, left = 0;
	struct load *l = ret ? NULL : load_new(spec, fds, n);

	if (!ret)
		ret = l ? measure(l, &how, layers, &result, fds) : -ENOMEM;
	load_free(l);
	if (layers)
		left = layers_end(layers);
	free(result.rounds.rate);
	return ret ?: left;
}

/* Opens the @n targets of @names, on which the processes are spread in turn. */
static int run_on(const struct load_spec *spec, char **names, unsigned n, struct output *live)
{
	const struct guard_options options = {
		.write = (o.read < 1 || o.verify) && spec->engine->can & ENGINE_DATA,
		.destroy = o.destroy,
		.signature = o.signature,
		.direct = !spec->buffered,
	};
	u64 bytes[n];
	int fds[n], ret = -EIO;
	struct target *targets;

	for (unsigned i = 0; i < n; i++)
		bytes[i] = (spec->procs + n - 1 - i) / n * spec->stream.unique_bytes;
	targets = targets_open(names, bytes, &options, spec->verify);
	for (unsigned i = 0; targets && i < n; i++)
		fds[i] = targets[i].guard.fd;
	if (targets)
		ret = run(spec, names, fds, n, live);
	targets_close(targets);
	return ret;
}

static int spare_targets(const struct output *live, char *const *names)
{
	int ret = 0;

	while (*names && !ret)
		ret = output_spares(live, *names++);
	return ret;
}

/* Before a target is touched, and never one of them. If there was no target of the name, the new
 * file would be one. */
static int open_live(struct output *live, char *const *names)
{
	int ret = output_open(live, o.live) ?: spare_targets(live, names);

	if (!ret && !output_live(live))
		ret = -EIO;
	return ret ?: spare_targets(live, names);
}

int cmd_load(int argc, char **argv)
{
	char **names = need(calloc(argc + 1, sizeof(*names)));
	static struct size_table sizes;
	struct load_spec spec = {};
	struct output live = OUTPUT_NONE;
	int n = opt_operands(&load_page, argc, argv, names), ret;

	for (int i = 0; i < n && o.passthrough; i++)
		names[i] = nvme_block_device(names[i]);
	ret = n < 0 ? n : make_spec(&spec, names, &sizes);
	if (!ret && !n)
		ret = error(-EUSAGE, "no target given; usage: iospan %s %s", load_page.command,
			    load_page.usage);
	if (!ret && (u64)n > spec.procs)
		ret = error(-EUSAGE, "%d targets take as many processes: raise --procs", n);
	if (!ret)
		ret = check_memory(&spec);
	if (!ret && o.verify && !(spec.verify = verify_new(&spec, n)))
		ret = -ENOMEM;
	if (!ret && o.live)
		ret = open_live(&live, names);
	if (!ret)
		ret = run_on(&spec, names, n, &live);
	live.made &= ret != 0; /* a load that did nothing leaves no file */
	output_drop(&live);
	verify_free(spec.verify);
	free(names);
	return ret;
}
