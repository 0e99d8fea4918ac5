// SPDX-License-Identifier: GPL-2.0-or-later
/* iospan bench beff: runs b_eff_io once, or once with each file of hints. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/beff/engine.h"
#include "bench/beff/beff.h"
#include "user/base/opt-common.h"
#include "user/base/out-read.h"
#include "user/cmd.h"
#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/output.h"
#include "user/base/plot.h"
#include "user/base/progress.h"
#include "user/base/words.h"
#include "user/result/result.h"

#define MIB (1ULL << 20)
#define SETS 8 /* maximum number of files with hints that a user may give */

static struct beff_opts {
	uint64_t size, time, memory, agents, collective;
	const char *engine, *partitions, *repeat, *hints, *html, *log, *verify;
	bool rewrite, version_1, geometric, no_pointer, no_collective, extensions, no_check, keep;
	bool compare, json, csv;
} o = {
	.engine = "uring",
	.time = 1800 * 1000000000ULL,
	.collective = 16 * MIB,
};

static const char *const all[] = { "all", NULL };

static const struct opt opts[] = {
	OPT_STR(0, "engine", &o.engine, "NAME",
		"uring: processes of this machine; mpiio: processes that mpirun started"),
	OPT_STR(0, "partitions", &o.partitions, "LIST",
		"numbers of processes, such as 2,4,8; else small, medium and large ones of "
		"--system-procs"),
	OPT_AUTO(0, "system-procs", &o.size, "N", all,
		 "processes of the whole system; all: processors, or all that mpirun started"),
	OPT_DURATION(&o.time, ", scheduled for all partitions together"),
	OPT_SIZE(0, "memory", &o.memory, "BYTES",
		 "memory of a process, which sets the largest chunk; 0: the machine's, divided "
		 "evenly"),
	OPT_FLAG(0, "rewrite", &o.rewrite, "rewrite all types, not only the scattering one"),
	OPT_FLAG(0, "v1", &o.version_1, "averages of version 1.x, which rewrites all types"),
	OPT_FLAG(0, "geometric", &o.geometric,
		 "check the time after 1, 2, 4, ... repetitions, not after each"),
	OPT_FLAG(0, "no-shared-pointer", &o.no_pointer, "run type 1 without a shared file pointer"),
	OPT_FLAG(0, "no-collective-buffering", &o.no_collective,
		 "each process writes and reads its scattered chunks itself"),
	OPT_AUTO(0, "agents", &o.agents, "N", all, "aggregators of collective I/O"),
	OPT_SIZE(0, "collective-buffer", &o.collective, "BYTES",
		 "buffer of each aggregator of collective I/O"),
	OPT_FLAG(0, "extensions", &o.extensions,
		 "also read and write at random, and read the same data in all processes, beside "
		 "b_eff_io"),
	OPT_FLAG(0, "no-check", &o.no_check, "do not read all bytes again at the end"),
	OPT_FLAG(0, "keep", &o.keep, "keep the files"),
	OPT_STR(0, "like", &o.repeat, "FILE",
		"repeat each pattern as often as in the result in FILE, with its partitions and "
		"memory"),
	OPT_STR(0, "hints", &o.hints, "FILE,...",
		"MPI hints; with several files, or 'none', runs with each and compares them"),
	OPT_STR(0, "log", &o.log, "FILE", "write a line of JSON to FILE for each pattern"),
	OPT_HTML(&o.html),
	OPT_STR(0, "check-result", &o.verify, "FILE",
		"compute the result in FILE again and print what differs, instead of a run"),
	OPT_FLAG(0, "compare", &o.compare,
		 "compare the results in the operands over numbers of processes, instead of a run"),
	OPT_JSON(&o.json),
	OPT_CSV(&o.csv),
	OPT_LIMITS,
	OPT_QUIET,
	OPT_END,
};

const struct opt_page beff_page = {
	.command = "bench beff",
	.usage = "DIR [options]",
	.summary = "measure the I/O bandwidth of parallel programs (b_eff_io)",
	.opts = opts,
	.examples = "  iospan bench beff /mnt/disk --partitions 4 -t 30m\n"
		    "  iospan bench beff /mnt/disk --json >result.json\n"
		    "  iospan bench beff --check-result result.json\n"
		    "  iospan bench beff --compare old.json new.json --html page.html\n",
};

static int set_partitions(struct beff *b, unsigned size)
{
	unsigned sizes[BEFF_SIZES], n;
	int ret = 0;

	if (o.partitions)
		return beff_add_partitions(b, o.partitions);
	if (o.size > BEFF_RANKS)
		return error(-EUSAGE, "--system-procs is %d at most", BEFF_RANKS);
	n = beff_sizes(o.size ?: size, sizes);
	for (unsigned i = 0; i < n && !ret; i++)
		ret = beff_add_partition(b, sizes[i]);
	return ret;
}

/* Makes the run write as many bytes as an earlier, complete result @old: copies its settings and
 * repetitions. @path is the name of that result's file for messages. Returns 0 or -errno; prints
 * the error. */
static int take_repetitions(struct beff *b, const struct beff *old, const char *path)
{
	int ret = 0;

	if (old->end != BEFF_DONE)
		return error(-EINVAL, "'%s' is a result that is not complete", path);
	for (unsigned i = 0; i < old->partitions_n && !ret; i++) {
		ret = beff_add_partition(b, old->partitions[i].shape.ranks);
		b->partitions[i].shape = old->partitions[i].shape;
	}
	o.memory = old->memory;
	o.rewrite |= old->rewrite_all;
	b->repeated = true;
	return ret;
}

static int set_repetitions(struct beff *b, const char *path)
{
	struct beff *old = need(calloc(1, sizeof(*old)));
	struct out *doc = out_read(path);
	int ret = doc ? beff_read(old, path, doc) : -EINVAL;

	if (!ret)
		ret = take_repetitions(b, old, path);
	beff_forget(old);
	free(old);
	out_free(doc);
	return ret;
}

static void show_pattern(const struct beff *b, const struct beff_partition *p,
			 enum beff_access access, unsigned pattern)
{
	const struct beff_cell *c = &p->cells[access][pattern];
	const struct beff_pattern *of = &beff_patterns[pattern];
	char rate[NUM_TEXT];

	progress("%u process%s, %s, %s, %s: %s", p->shape.ranks, num_word(p->shape.ranks, "", "es"),
		 beff_access_names[access], beff_type_names[of->type], beff_chunk_names[of->chunk],
		 num_byte_rate_text(rate, beff_bandwidth(c->bytes, c->of.ns)));
	if (b->log)
		beff_log(b->log, b, p, access, pattern);
}

/* Initializes @b from the options. @target: directory for the files. @hints: file with hints,
 * "none" or NULL. @size: number of processes that the run can use. Returns 0 or -errno; prints the
 * error. */
static int set_up(struct beff *b, const char *target, const char *hints, unsigned size, FILE *log)
{
	int ret = o.repeat ? set_repetitions(b, o.repeat) : set_partitions(b, size);
	u64 seconds = o.time / 1000000000;

	if (ret)
		return ret;
	if (seconds < b->partitions_n || seconds > 1000000)
		return error(-EUSAGE,
			     "--duration is at least 1s for each partition, and at most 1000000s");
	if (o.collective < 4096 || o.collective > 1024 * MIB)
		return error(-EUSAGE, "--collective-buffer is 4k to 1G");
	b->target = target;
	b->seconds = seconds;
	b->partition_seconds = seconds / b->partitions_n;
	b->version_1 = o.version_1;
	b->rewrite_all |= o.rewrite || o.version_1;
	b->keep = o.keep;
	b->check = !o.no_check;
	b->extend = o.extensions;
	b->progress = show_pattern;
	b->log = log;
	b->setup.geometric = o.geometric;
	b->setup.shared_pointer = !o.no_pointer;
	b->setup.collective = !o.no_collective;
	b->setup.agents = o.agents;
	b->setup.collective_bytes = o.collective / 4096 * 4096;
	if (hints && strcmp(hints, "none") != 0)
		ret = beff_hints_read(hints, b->engine->knows, &b->hints);
	return ret ?: beff_set_memory(b, o.memory);
}

static int verdict(const struct beff *b)
{
	u64 errors = beff_errors(b) + beff_extension_errors(b);

	if (b->end == BEFF_ERROR)
		return -EIO;
	return errors ? error(-EIO, "%llu chunk%s differ%s from the written data",
			      (unsigned long long)errors, num_word(errors, "", "s"),
			      num_word(errors, "s", "")) :
			0;
}

/* Runs the benchmark and prints progress. Sets @doc to its result, or to NULL if nothing was
 * measured. */
static int run(struct beff *b, struct out **doc)
{
	int ret = beff_run(b), left;

	progress_end();
	if (!ret) {
		*doc = beff_document(b);
		ret = verdict(b);
	}
	left = beff_release(b);
	return ret ?: left;
}

struct runs {
	const char *target;
	const struct beff_engine *engine;
	/* number of processes; a run uses groups of these processes, called partitions */
	unsigned size;
	/* results of the runs, one per file of hints; the array ends with NULL */
	struct beff *list[SETS + 1];
	struct out *docs[SETS];
	unsigned n, wanted;
	struct output html, log;
};

static int print(struct runs *r)
{
	struct result result = { .title = "iospan bench beff",
				 .doc = r->wanted > 1 ?
					 beff_runs_document(r->docs, r->n, r->wanted) :
					 r->docs[0],
				 .views = r->wanted > 1 ? beff_runs_views : beff_views,
				 .plots = beff_plots,
				 .arg = r->list };
	int ret = result_print(&result, out_format(o.json, o.csv), &r->html);

	out_free(result.doc);
	return ret;
}

/* Prepares a run with each file of hints in @names, so that a wrong file is found before the first
 * run. */
static int set_up_all(struct runs *r, char **names)
{
	int ret = 0;

	for (unsigned i = 0; i < r->wanted && !ret; i++) {
		struct beff *b = r->list[i] = need(calloc(1, sizeof(*b)));

		b->engine = r->engine;
		/* Tables 2 and 3 of the b_eff_io paper compare hints. These tables need results of
		 * the access method rewrite for all types of patterns. */
		b->rewrite_all = r->wanted > 1;
		ret = set_up(b, r->target, names[i], r->size, r->log.f);
	}
	return ret;
}

/* Runs the benchmark once with each file of hints in @names, and prints all results. Stops after a
 * run that did not complete. */
static int run_sets(struct runs *r, char **names)
{
	int ret = set_up_all(r, names), printed = 0;
	bool goes_on = true;

	for (unsigned i = 0; i < r->wanted && !ret && goes_on; i++) {
		ret = run(r->list[i], &r->docs[r->n]);
		goes_on = r->list[i]->end == BEFF_DONE;
		r->n += r->docs[r->n] != NULL;
	}
	for (unsigned i = r->n; i < r->wanted; i++) {
		free(r->list[i]);
		r->list[i] = NULL;
	}
	if (r->n)
		printed = print(r);
	if (ret == -EINTR)
		ret = r->n ? 0 : error(ret, "interrupted before anything was measured");
	return ret ?: printed;
}

/* Opens the files of --html and --log before the measurement. Fails if one of them is also an
 * input: the result of --like, or a file of hints in @names, which ends with NULL. A regular file
 * for --log must be new or empty, so that --log overwrites no data. */
static int open_outputs(struct runs *r, char *const *names)
{
	int ret = output_open(&r->html, o.html)	  ?:
		output_spares(&r->html, o.repeat) ?:
						    output_spares_all(&r->html, names);

	if (!ret && o.html)
		ret = plot_check();
	if (!ret && o.log)
		ret = output_open_live(&r->log, o.log, names);
	return ret;
}

static int run_all_sets(const char *target, const struct beff_engine *engine, unsigned size)
{
	char *copy = o.hints ? need(strdup(o.hints)) : NULL, *rest = copy, *names[SETS + 1] = {};
	struct runs r = { target, engine, size, .html = OUTPUT_NONE, .log = OUTPUT_NONE };
	int ret = 0;

	r.wanted = !copy;
	while (rest && r.wanted < SETS)
		names[r.wanted++] = strsep(&rest, ",");
	if (rest)
		ret = error(-EUSAGE, "there are %d sets of hints at most", SETS);
	ret = ret ?: open_outputs(&r, names) ?: run_sets(&r, names);
	if (r.log.f && ferror(r.log.f))
		ret = ret ?: error(-EIO, "'%s' lacks lines: it cannot be written", o.log);
	for (unsigned i = 0; i < SETS; i++)
		free(r.list[i]);
	output_drop(&r.html);
	output_drop(&r.log);
	free(copy);
	return ret;
}

static int lead(void *target, unsigned ranks)
{
	return run_all_sets(target, &beff_mpiio, ranks);
}

/* Fails if the user gave an option that has no effect together with the option @with. @with is
 * --check-result or --compare, which read earlier results and run nothing. */
static int check_reading_options(const char *with)
{
	const void *const allowed[] = { o.verify ? (void *)&o.verify : &o.compare, &o.json, &o.csv,
					&verbosity.quiet, o.verify ? NULL : &o.html };

	for (const struct opt *p = opts; p->name; p++) {
		bool affects = false;

		for (size_t i = 0; i < sizeof(allowed) / sizeof(*allowed); i++)
			affects |= p->dst == allowed[i];
		if (opt_given(p->dst) && !affects)
			return opt_no_effect(p->name, with);
	}
	return 0;
}

static int compare(char *const *paths)
{
	struct output html = OUTPUT_NONE;
	int ret = check_reading_options("--compare");

	if (!ret && o.html)
		ret = output_open(&html, o.html) ?: output_spares_all(&html, paths) ?: plot_check();
	ret = ret ?: beff_compare(paths, out_format(o.json, o.csv), &html);
	output_drop(&html);
	return ret;
}

/* Reads earlier results, and runs nothing: the file of --check-result, or @files of --compare. */
static int read_results(char *const *files)
{
	return !o.verify				? compare(files) :
		check_reading_options("--check-result") ?:
			   beff_verify(o.verify, out_format(o.json, o.csv));
}

int cmd_beff(int argc, char **argv)
{
	static const char *const engines[] = { "uring", "mpiio", NULL };
	static const struct opt_pair pairs[] = {
		OPT_BARS(&o.partitions, &o.repeat),
		OPT_BARS(&o.size, &o.repeat),
		OPT_BARS(&o.memory, &o.repeat),
		OPT_BARS(&o.size, &o.partitions),
		{},
	};
	char **targets = need(calloc(argc + 1, sizeof(*targets)));
	int n = opt_operands(&beff_page, argc, argv, targets), ret = n < 0 ? n : 0;
	char *target = targets[0];

	if (!ret && (o.verify ? n : o.compare ? !n : n != 1))
		ret = error(-EUSAGE, "give one directory, or --check-result; usage: iospan %s %s",
			    beff_page.command, beff_page.usage);
	if (!ret && (o.verify || o.compare))
		ret = read_results(targets);
	free(targets);
	if (ret || o.verify || o.compare)
		return ret;
	if (opt_check_pairs(&beff_page, pairs))
		return -EUSAGE;
	if (words_index("engine", engines, o.engine) < 0)
		return -EUSAGE;
	if (!strcmp(o.engine, "mpiio"))
		return beff_mpi_run(lead, target);
	return run_all_sets(target, &beff_uring, sysconf(_SC_NPROCESSORS_ONLN));
}
