// SPDX-License-Identifier: GPL-2.0-or-later
/* iospan bench load: generates a load, measures it, and prints the result. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/load/layers.h"
#include "bench/load/spec.h"
#include "bench/load/engine-nvme.h"
#include "bench/load/target.h"
#include "bench/load/watch.h"
#include "user/base/opt-common.h"
#include "user/cmd.h"
#include "user/base/err.h"
#include "user/base/signals.h"
#include "user/result/result.h"
#include "bench/load/verify-read.h"

static struct load_opts o = {
	.unique_bytes = 1 << 30,
	.spec = { .stream = { .size = 4096, .align = 4096, .read = 1, .seed = 1 }, .procs = 1 },
	.how = { .time_ns = 10000000000, .warm_up_ns = 1000000000, .round_ns = 1000000000 },
	.engine = "uring",
	.layers = 1 << LAYER_APP,
};

static const char *const by_class[] = { "by class", NULL };
static const struct opt opts[] = {
	OPT_SIZE(0, "unique-bytes", &o.unique_bytes, "BYTES",
		 "amount of data that is accessed, over all processes (uniqueBytes); by default "
		 "at most the size of the file or disk"),
	OPT_REQUEST_SIZE(&o.spec.stream.size, "; the mean if --size-dist is given (sizeMean)"),
	OPT_STR(0, "size-dist", &o.spec.sizes, "DIST",
		"distribution of sizes: normal, exponential, or weights such as "
		"4k:60,64k:30,1M:10"),
	OPT_REAL(0, "read", &o.spec.stream.read, "FRACTION",
		 "fraction of requests that read (readFrac)"),
	OPT_REAL(0, "seq", &o.spec.stream.seq, "FRACTION",
		 "fraction of requests that start where the previous one ended (seqFrac)"),
	OPT_REAL(0, "zipf", &o.spec.stream.zipf, "EXPONENT",
		 "exponent of Zipf's law, by which random requests favour some places; 0: none"),
	OPT_UINT(0, "procs", &o.spec.procs, "N",
		 "processes, each with its part of the data (processNum)"),
	OPT_AUTO(0, "depth", &o.spec.depth, "N", by_class, "requests in flight for each process"),
	OPT_AUTO(0, "batch", &o.spec.batch, "N", by_class,
		 "requests submitted by one call, at most"),
	OPT_STR(0, "class", &o.class, "CLASS",
		"class of the disk: hdd, ssd, nvme, virtual, ram; else it is detected"),
	OPT_DURATION(&o.how.time_ns, ""),
	OPT_COUNT(&o.spec.requests,
		  "requests of each process, instead of a duration; 0: by duration"),
	OPT_TIME(0, "warm-up", &o.how.warm_up_ns, "TIME", "load before the measurement"),
	OPT_INTERVAL(&o.how.round_ns, " for which the rate is noted"),
	OPT_REAL(0, "until-ci", &o.how.until_ci, "FRACTION",
		 "stop when half of the rate's 95 % confidence interval is below this fraction; 0: "
		 "by "
		 "duration"),
	OPT_FLAG(0, "steady", &o.how.steady,
		 "stop when the rate is steady by SNIA PTS 2.0.2, or after 25 intervals"),
	OPT_REAL(0, "rate", &o.rate, "N",
		 "scheduled requests per second (open loop); 0: each when the last one ends"),
	OPT_FLAG(0, "poisson", &o.spec.poisson, "schedule requests at random times, else evenly"),
	OPT_TIME(0, "think", &o.spec.think_ns, "TIME", "pause of a process after each batch"),
	OPT_SIZE(0, "align", &o.spec.stream.align, "BYTES",
		 "alignment of offsets and sizes; with --size-dist normal or exponential, by "
		 "default the least that the target allows"),
	OPT_FLAG(0, "buffered", &o.buffered, "use the page cache"),
	OPT_FLAG(0, "processes", &o.spec.processes, "run processes instead of threads"),
	OPT_STR(0, "engine", &o.engine, "NAME", ENGINES_HELP),
	OPT_FLAG(0, "iopoll", &o.spec.iopoll, "uring: poll for completions, without interrupts"),
	OPT_FLAG(0, "sqpoll", &o.spec.sqpoll,
		 "uring: a kernel thread polls for requests, without calls"),
	OPT_FLAG(0, "passthrough", &o.passthrough,
		 "uring: NVMe commands that bypass the block layer"),
	OPT_SEED(&o.spec.stream.seed),
	OPT_LAYERS_TO(&o.layers, layer_names, "layers to measure, app alone or all of these"),
	OPT_STR(0, "log", &o.live, "FILE", "write a line of JSON to FILE for each interval"),
	OPT_DESTROY(&o.destroy),
	OPT_SIGNATURE(&o.signature),
	OPT_FLAG(0, "verify", &o.verify,
		 "fill the data first, compare what is read, and read all at the end"),
	OPT_HTML(&o.html),
	OPT_JSON(&o.json),
	OPT_CSV(&o.csv),
	OPT_LIMITS,
	OPT_QUIET,
	OPT_END,
};

static const struct opt_alias fio_names[] = { { "bs", "size" },		{ "iodepth", "depth" },
					      { "numjobs", "procs" },	{ "runtime", "duration" },
					      { "ioengine", "engine" }, {} };

#define NO_SYNCS "bench load makes no sync calls"
#define NO_PERCENT "--unique-bytes is no percentage"
#define WRITES "a file or device also needs --destroy, which destroys its content"
#define DEPTH_1 "engines psync and mmap have one request in flight"

/* Hints for users who give options of fio. In fio, "--size" is the amount of data, which is
 * "--unique-bytes" in iospan. In iospan, "--size" is the request size. If "--bs" or "--rw" is also
 * given, iospan assumes that the user means "--size" of fio. */
static const struct opt_hint fio_hints[] = {
	{ "--filename", "*", "", "--directory", "--directory is given" },
	{ "--filename", "*", "*", NULL, NULL },
	{ "--directory", "*", "*", NULL, NULL },
	{ "--name", "*", "", NULL, NULL },
	{ "--size", "*%", "", "--bs", NO_PERCENT },
	{ "--size", "*%", "", "--rw", NO_PERCENT },
	{ "--size", "*", "--unique-bytes *", "--bs", NULL },
	{ "--size", "*", "--unique-bytes *", "--rw", NULL },
	{ "--rw", "randread", "", NULL, NULL },
	{ "--rw", "read", "--seq 1", NULL, NULL },
	{ "--rw", "randwrite", "--read 0", NULL, WRITES },
	{ "--rw", "write", "--read 0 --seq 1", NULL, WRITES },
	{ "--rwmixread", "*", "--read *%", NULL, WRITES },
	{ "--rw", "randrw", "", "--rwmixread", NULL },
	{ "--rw", "randrw", "--read 50%", NULL, WRITES },
	{ "--rw", "rw", "--seq 1", "--rwmixread", NULL },
	{ "--rw", "rw", "--read 50% --seq 1", NULL, WRITES },
	{ "--direct", "0", "--buffered", NULL, NULL },
	{ "--direct", "1", "", NULL, NULL },
	{ "--direct", NULL, "", NULL, NULL },
	{ "--ioengine", "io_uring", "--engine uring", NULL, NULL },
	{ "--ioengine", "libaio", "--engine uring", NULL, NULL },
	{ "--ioengine", "sync", "--engine psync", NULL, NULL },
	{ "--ioengine", "io_uring_cmd", "--passthrough", NULL, NULL },
	{ "--iodepth", "*", "", "--ioengine=*sync", DEPTH_1 },
	{ "--iodepth", "*", "", "--ioengine=mmap", DEPTH_1 },
	{ "--hipri", NULL, "--iopoll", NULL, NULL },
	{ "--sqthread_poll", NULL, "--sqpoll", NULL, NULL },
	{ "--iodepth_batch", "*", "--batch *", NULL, NULL },
	{ "--number_ios", "*", "--count *", NULL, NULL },
	{ "--ramp_time", "*", "--warm-up *", NULL, NULL },
	{ "--rate_iops", "*", "--rate *", NULL, NULL },
	{ "--randrepeat", "*", "", NULL, NULL },
	{ "--norandommap", NULL, "", NULL, NULL },
	{ "--thread", NULL, "", NULL, NULL },
	{ "--time_based", NULL, "", NULL, NULL },
	{ "--group_reporting", NULL, "", NULL, NULL },
	{ "--fsync", "*", "", NULL, NO_SYNCS },
	{ "--fdatasync", "*", "", NULL, NO_SYNCS },
	{ "--end_fsync", "*", "", NULL, NO_SYNCS },
	{ "--output-format", "json", "--json", NULL, NULL },
	{},
};

const struct opt_page load_page = {
	.command = "bench load",
	.usage = "TARGET... [options]",
	.summary = "load files or disks, and measure the performance",
	.opts = opts,
	.aliases = fio_names,
	.hints = fio_hints,
	.examples = "  iospan bench load /mnt/disk --unique-bytes 4G --read 0.67 --procs 4\n"
		    "  iospan bench load /mnt/disk --layers app,vfs,device\n"
		    "  iospan bench load /dev/nvme0n1 -t 30s --until-ci 2%\n",
};

static const struct opt_pair pairs[] = {
	OPT_BARS(&o.how.time_ns, &o.spec.requests), OPT_BARS(&o.how.warm_up_ns, &o.spec.requests),
	OPT_BARS(&o.how.time_ns, &o.how.steady),    OPT_BARS(&o.spec.think_ns, &o.rate),
	OPT_BARS(&o.buffered, &o.spec.iopoll),	    OPT_NEEDS(&o.spec.poisson, &o.rate),
	OPT_NEEDS(&o.signature, &o.destroy),	    {},
};

static int check_effects(void)
{
	if (o.spec.sizes && spec_lists_sizes(o.spec.sizes) &&
	    opt_in_use(&load_page, &o.spec.stream.size))
		return opt_no_effect("size", "--size-dist LIST");
	if (o.spec.stream.zipf > 0 && o.spec.stream.seq >= 1)
		return opt_no_effect("zipf", "--seq 1");
	if (o.class && o.spec.depth && o.spec.batch)
		return opt_no_effect("class", "--depth --batch");
	return opt_check_pairs(&load_page, pairs);
}

struct outputs {
	struct output live, html;
};

/* Runs the load with signals caught. A signal ends the load, and the command still prints the
 * result. */
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

static int measure(struct load *l, struct watch_options *how, struct layers *layers,
		   struct load_result *r, const int *fds, struct output *html)
{
	struct result result = { .title = "iospan bench load", .views = load_views };
	struct verify *v = r->spec->verify;
	int ret = watch(l, how, layers, r), left;

	r->below = layers;
	if (ret)
		return ret;
	if (v)
		ret = verify_finish(v, r->end == END_SIGNAL, (char **)r->targets, fds);
	result.doc = load_document(r);
	left = result_print(&result, out_format(o.json, o.csv), html);
	out_free(result.doc);
	/* watch_load() has already printed the error that led to END_ERROR */
	return r->end == END_ERROR ? -EIO : ret ?: left;
}

static int run(const struct load_spec *spec, char **names, const int *fds, unsigned n,
	       struct outputs *outputs)
{
	static struct layers storage;
	struct layers *layers = o.layers & LAYERS_BELOW ? &storage : NULL;
	struct load_result result = { .spec = spec, .targets = names, .how = &o.how };
	int ret = layers ? layers_begin(layers) : 0, left = 0;
	struct load *l = ret ? NULL : load_new(spec, fds, n);

	o.how.live = o.live ? &outputs->live : NULL;
	o.how.session = layers ? &storage.session : NULL;
	if (!ret)
		ret = l ? measure(l, &o.how, layers, &result, fds, &outputs->html) : -ENOMEM;
	load_free(l);
	if (layers)
		left = layers_end(layers);
	free(result.rounds.rate);
	return ret ?: left;
}

/* Opens the targets, and fills new files with data. Returns NULL after an error or a signal; prints
 * the error. */
static struct target *open_targets(char *const *names, const u64 *bytes,
				   const struct guard_options *options, const struct verify *v)
{
	sigset_t before;
	int signals = signals_catch(0, &before);
	struct target *targets;

	if (signals < 0)
		return NULL;
	targets = targets_open(names, bytes, options, v);
	if (signals_pending()) {
		error(-EINTR, "interrupted before anything was measured");
		targets_close(targets);
		targets = NULL;
	}
	signals_release(signals, &before);
	return targets;
}

/* Opens the targets @names and runs the load on them. Process i uses target i modulo @n. */
static int run_on(const struct load_spec *spec, char **names, unsigned n, struct outputs *outputs)
{
	const struct guard_options options = {
		.write = (o.spec.stream.read < 1 || o.verify) && spec->engine->can & ENGINE_DATA,
		.destroy = o.destroy,
		.signature = o.signature,
		.direct = !spec->buffered,
		.amount = { "--unique-bytes", spec->procs, spec->stream.unique_bytes,
			    spec->stream.align, stream_most_bytes(&spec->stream) },
	};
	u64 bytes[n];
	int fds[n], ret = -EIO;
	struct target *targets;

	for (unsigned i = 0; i < n; i++)
		bytes[i] = spec_processes_of(spec, i, n) * spec->stream.unique_bytes;
	targets = open_targets(names, bytes, &options, spec->verify);
	for (unsigned i = 0; targets && i < n; i++)
		fds[i] = targets[i].guard.fd;
	if (targets)
		ret = run(spec, names, fds, n, outputs);
	targets_close(targets);
	return ret;
}

int cmd_load(int argc, char **argv)
{
	char **names = need(calloc(argc + 1, sizeof(*names)));
	static struct size_table sizes;
	struct load_spec *spec = &o.spec;
	struct outputs outputs = { OUTPUT_NONE, OUTPUT_NONE };
	int n = opt_operands(&load_page, argc, argv, names), ret;

	o.align_given = opt_given(&o.spec.stream.align);
	for (int i = 0; i < n && o.passthrough; i++)
		names[i] = nvme_block_device(names[i]);
	ret = n < 0 ? n : spec_check(&o) ?: check_effects() ?: spec_make(&o, names, &sizes);
	if (!ret && !n)
		ret = error(-EUSAGE, "no target given; usage: iospan %s %s", load_page.command,
			    load_page.usage);
	if (!ret && (u64)n > spec->procs)
		ret = error(-EUSAGE, "%d targets take as many processes: raise --procs", n);
	if (!ret && !opt_given(&o.unique_bytes))
		spec_fit_targets(spec, names, n);
	if (!ret)
		ret = load_check_memory(spec->procs * spec->depth *
						stream_most_bytes(&spec->stream),
					"the buffers", "reduce --procs, --depth or the sizes");
	if (!ret && o.verify)
		spec->verify =
			verify_new(spec->stream.unique_bytes, spec->stream.align, spec->procs, n);
	if (!ret && o.verify && !spec->verify)
		ret = -ENOMEM;
	if (!ret && o.live)
		ret = output_open_live(&outputs.live, o.live, names);
	if (!ret && o.html)
		ret = output_open(&outputs.html, o.html) ?: output_spares_all(&outputs.html, names);
	if (!ret)
		ret = run_on(spec, names, n, &outputs);
	/* After a successful run, keep the log even if it is empty. output_drop() would remove an
	 * empty log if .made were true. */
	outputs.live.made &= ret != 0;
	output_drop(&outputs.live);
	output_drop(&outputs.html);
	verify_free(spec->verify);
	free(names);
	return ret;
}
