// SPDX-License-Identifier: GPL-2.0-or-later
/* iospan bench sets: repeats the experiments of He, Sun and Yin 2013. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/sets/sets.h"
#include "user/base/opt-common.h"
#include "user/cmd.h"
#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/output.h"
#include "user/base/plot.h"
#include "user/base/words.h"
#include "user/result/result.h"

#define MIB (1ULL << 20)

static struct sets_opts {
	struct sets_options how;
	const char *engine, *exec, *html;
	bool results, json, csv;
} o = {
	.how = { .runs = 5,
		 .size = 65536,
		 .region = 256,
		 .buffer = 4 * MIB,
		 .procs = 1,
		 .collective_bytes = 16 * MIB,
		 .seed = 1 },
	.engine = "psync",
};

static const struct opt opts[] = {
	OPT_COUNT(&o.how.runs, "runs of each case"),
	OPT_REAL(0, "scale", &o.how.scale, "FRACTION",
		 "fraction of the paper's data; 0: as much as there is room for, up to 1"),
	OPT_REQUEST_SIZE(&o.how.size, " in sets 1, 3, 3c and 3b"),
	OPT_SIZE(0, "region", &o.how.region, "BYTES", "size of a region in set 4"),
	OPT_SIZE(0, "sieve", &o.how.buffer, "BYTES",
		 "buffer of data sieving in set 4; 0: each region is read by itself"),
	OPT_UINT(0, "procs", &o.how.procs, "N", "processes in set 4, each with all its regions"),
	OPT_STR(0, "engine", &o.engine, "NAME",
		"psync or uring in sets 1 to 3b; mpiio, in processes that mpirun started, in sets "
		"3b "
		"and 4"),
	OPT_FLAG(0, "collective", &o.how.collective, "read collectively (in two phases) in set 4"),
	OPT_SIZE(0, "collective-buffer", &o.how.collective_bytes, "BYTES",
		 "buffer of each aggregator of collective I/O"),
	OPT_FLAG(0, "each-way", &o.how.each_way,
		 "run set 4 without data sieving, with it, and collectively, and compare"),
	OPT_DIRECT(&o.how.direct),
	OPT_FLAG(0, "drop-caches", &o.how.drop_caches,
		 "drop all caches of the machine before each run, not only the data of the set"),
	OPT_STR(0, "exec", &o.exec, "FILE", "use the commands in FILE, one in each line, as cases"),
	OPT_FLAG(0, "results", &o.results,
		 "use the results of run, report and bench load in the operands as cases"),
	OPT_SEED(&o.how.seed),
	OPT_HTML(&o.html),
	OPT_JSON(&o.json),
	OPT_CSV(&o.csv),
	OPT_LIMITS,
	OPT_QUIET,
	OPT_END,
};

const struct opt_page sets_page = {
	.command = "bench sets",
	.usage = "[1|2|3|3c|3b|4]... TARGET... [options]",
	.summary = "show which metrics follow the execution time, and which mislead",
	.opts = opts,
	.examples =
		"  iospan bench sets /mnt/disk\n"
		"  iospan bench sets 1 3 /mnt/hdd /mnt/ssd /mnt/nvme -n 10\n"
		"  iospan bench sets --exec commands --drop-caches\n"
		"  iospan bench sets --results hdd.json ssd.json nvme.json\n"
		"  mpirun -n 4 iospan bench sets 4 /mnt --engine mpiio --procs 4 --collective\n",
};

static bool by_mpi(void)
{
	return !strcmp(o.engine, "mpiio");
}

static int check_engine(void)
{
	static const char *const engines[] = { "psync", "uring", "mpiio", NULL };

	if (words_index("engine", engines, o.engine) < 0)
		return -EUSAGE;
	if (by_mpi() && o.how.direct)
		return error(-EUSAGE, "--direct is not for the engine mpiio");
	if (by_mpi() && o.exec)
		return error(-EUSAGE,
			     "--exec is not for the engine mpiio; a command may be mpirun");
	return 0;
}

static int check(void)
{
	const struct sets_options *how = &o.how;

	if (!how->runs || how->runs > 1000)
		return error(-EUSAGE, "--count is 1 to 1000");
	if (how->scale > 16)
		return error(-EUSAGE, "--scale goes up to 16");
	if (how->size < 4096 || how->size > 262144 || how->size & (how->size - 1))
		return error(-EUSAGE, "--size is a power of two, 4k to 256k");
	if (!how->region || how->region > MIB)
		return error(-EUSAGE, "--region is 1 to 1M");
	if (how->buffer > 1024 * MIB)
		return error(-EUSAGE, "--sieve goes up to 1G");
	if (how->each_way && !how->buffer)
		return error(-EUSAGE, "--each-way takes a --sieve above 0");
	if (!how->procs || how->procs > 64)
		return error(-EUSAGE, "--procs is 1 to 64");
	if (how->collective_bytes < 4096 || how->collective_bytes > 1024 * MIB)
		return error(-EUSAGE, "--collective-buffer is 4k to 1G");
	return check_engine();
}

#define DEVICES (1u << SETS_DEVICES)
#define SIZES (1u << SETS_SIZES)
#define FILES (1u << SETS_FILES | 1u << SETS_CONTENDED)
#define SHARED (1u << SETS_SHARED)
#define SIEVING (1u << SETS_SIEVING)
#define ANY_RUN (~(1u << SETS_RESULTS))

/* For each option: its name, and the sets that use it, as bits 1 << enum sets_kind. */
static const struct {
	const void *option;
	const char *name;
	unsigned kinds;
} effects[] = {
	{ &o.how.runs, "count", ANY_RUN },
	{ &o.how.seed, "seed", ANY_RUN },
	{ &o.how.drop_caches, "drop-caches", ANY_RUN },
	{ &o.exec, "exec", 1u << SETS_COMMANDS },
	{ &o.how.scale, "scale", DEVICES | SIZES | FILES | SHARED | SIEVING },
	{ &o.how.size, "size", DEVICES | FILES | SHARED },
	{ &o.engine, "engine", DEVICES | SIZES | FILES | SHARED },
	{ &o.how.direct, "direct", DEVICES | SIZES | FILES | SHARED },
	{ &o.how.region, "region", SIEVING },
	{ &o.how.buffer, "sieve", SIEVING },
	{ &o.how.procs, "procs", SIEVING },
	{ &o.how.collective, "collective", SIEVING },
	{ &o.how.collective_bytes, "collective-buffer", SIEVING },
	{ &o.how.each_way, "each-way", SIEVING },
};

/* Returns the names of the sets in @kinds, such as "set 1 3b". The caller frees the text. */
static char *kinds_text(unsigned kinds)
{
	char *text = need_text(kinds & 1u << SETS_COMMANDS	  ? "--exec" :
				       kinds & 1u << SETS_RESULTS ? "--results" :
								    "set");

	for (enum sets_kind kind = 0; kind < SETS_COMMANDS; kind++) {
		char *before = text;

		if (!(kinds & 1u << kind))
			continue;
		text = need_text("%s %s", before, sets_names[kind]);
		free(before);
	}
	return text;
}

/* Fails if the user gave an option that none of the sets in @kinds uses. Under MPI, --engine is
 * accepted, because it selects mpiio. */
static int check_effects(unsigned kinds)
{
	static const struct opt_pair pairs[] = {
		OPT_BARS(&o.how.buffer, &o.how.collective),
		OPT_NEEDS(&o.how.collective_bytes, &o.how.collective),
		{},
	};
	static const struct opt_pair each_way_pairs[] = {
		OPT_BARS(&o.how.collective, &o.how.each_way),
		{},
	};
	char *with = kinds_text(kinds);
	int ret = opt_check_pairs(&sets_page, o.how.each_way ? each_way_pairs : pairs);

	for (size_t i = 0; !ret && i < sizeof(effects) / sizeof(*effects); i++)
		if (opt_in_use(&sets_page, effects[i].option) && !(kinds & effects[i].kinds) &&
		    !(by_mpi() && effects[i].option == &o.engine))
			ret = opt_no_effect(effects[i].name, with);
	free(with);
	return ret;
}

static enum sets_kind kind_of(const char *word)
{
	enum sets_kind kind = 0;

	while (kind < SETS_COMMANDS && strcmp(word, sets_names[kind]) != 0)
		kind++;
	return kind;
}

/* Returns the sets to run by default. These are the sets of the paper (He, Sun, Yin 2013) or, under
 * MPI, those of them that use MPI in the paper. If there is only one target (@several is false),
 * set 3c replaces the sets that need several targets. */
static unsigned all_kinds(bool several)
{
	if (by_mpi())
		return SHARED | SIEVING;
	return ((1u << SETS_COMMANDS) - 1) &
		~(several ? 1u << SETS_CONTENDED : SETS_OF_ALL_TARGETS);
}

/* Prepares the sets that the command line names. @operands has names of sets, then targets. @ranks
 * is the number of processes that mpirun started; 0: no MPI. Returns 0 or -errno; prints the
 * error. */
static int prepare(struct sets *s, char **operands, unsigned ranks)
{
	unsigned kinds = 0;
	enum sets_kind kind;
	int ret;

	s->how = o.how;
	s->how.ranks = ranks;
	s->how.engine = ranks ? NULL : engine_named(o.engine);
	if (o.results && !*operands)
		return error(-EUSAGE, "give results for --results");
	if (o.results)
		return check_effects(1u << SETS_RESULTS) ?: sets_read_results(s, operands);
	if (o.exec && *operands)
		return error(-EUSAGE, "--exec has cases of its own: no '%s'", *operands);
	if (o.exec)
		return check_effects(1u << SETS_COMMANDS) ?: sets_read_commands(s, o.exec);
	for (; *operands && (kind = kind_of(*operands)) < SETS_COMMANDS; operands++)
		kinds |= 1u << kind;
	if (*operands && access(*operands, F_OK))
		return errno == ENOENT ?
			error(-ENOENT,
			      "'%s' is neither a set (1, 2, 3, 3b, 3c or 4) nor an existing target",
			      *operands) :
			error(-errno, "cannot examine '%s': %s", *operands, strerror(errno));
	if (!*operands)
		return error(-EUSAGE, "no target given; usage: iospan %s %s", sets_page.command,
			     sets_page.usage);
	if (kinds & 1u << SETS_DEVICES && !operands[1])
		return error(-EUSAGE, "set 1 compares targets: give two or more");
	if (kinds & 1u << SETS_FILES && !operands[1])
		return error(-EUSAGE,
			     "set 3 has a target for each process: give two or more; set "
			     "3c has all files on one");
	if (!kinds)
		kinds = all_kinds(operands[1]);
	if (by_mpi() && kinds & ~(SHARED | SIEVING))
		return error(-EUSAGE, "the engine mpiio is for the sets 3b and 4");
	ret = check_effects(kinds);
	if (ret)
		return ret;
	if (ranks && kinds & 1u << SETS_SIEVING && o.how.procs > ranks)
		return error(-EINVAL, "set 4 has %llu processes, and mpirun started %u",
			     (unsigned long long)o.how.procs, ranks);
	s->targets = operands;
	return sets_plan(s, kinds);
}

static bool has_runs(const struct sets *s)
{
	for (unsigned i = 0; i < s->n; i++)
		for (unsigned k = 0; k < s->list[i].cases_n; k++)
			if (s->list[i].cases[k].runs_n)
				return true;
	return false;
}

static int print(const struct sets *s, struct output *html)
{
	const struct result r = { .title = "iospan bench sets",
				  .doc = sets_document(s),
				  .views = sets_views,
				  .plots = sets_plots,
				  .arg = s };
	int ret = result_print(&r, out_format(o.json, o.csv), html);

	out_free(r.doc);
	return ret;
}

/* Runs the sets and prints the result. After a signal, prints the result so far. */
static int run(struct sets *s, struct output *html)
{
	int ret = o.results ? 0 : sets_run(s);

	if (!has_runs(s))
		return ret == -EINTR ? error(ret, "interrupted before anything was measured") : ret;
	ret = print(s, html) ?: ret;
	return ret == -EINTR ? 0 : ret;
}

/* Opens the file of --html before the measurement. Fails if this file is also an input: a target in
 * @operands, the file of --exec, or a result. */
static int open_html(struct output *html, char *const *operands, const struct sets *s)
{
	int ret = output_open(html, o.html) ?:
		output_spares(html, o.exec) ?:
					      output_spares_all(html, operands);

	for (unsigned i = 0; o.results && i < s->list->cases_n; i++)
		for (unsigned k = 0; k < s->list->cases[i].runs_n && !ret; k++)
			ret = output_spares(html, s->list->cases[i].runs[k].file);
	return ret ?: plot_check();
}

static int run_all(void *operands, unsigned ranks)
{
	static struct sets s;
	struct output html = OUTPUT_NONE;
	int ret = prepare(&s, operands, ranks), left;

	if (!ret && o.html)
		ret = open_html(&html, operands, &s);
	if (!ret)
		ret = run(&s, &html);
	output_drop(&html);
	left = sets_end(&s);
	return ret ?: left;
}

int cmd_sets(int argc, char **argv)
{
	char **operands = need(calloc(argc + 1, sizeof(*operands)));
	int n = opt_operands(&sets_page, argc, argv, operands);
	int ret = n < 0 ? n : check();

	if (!ret)
		ret = by_mpi() ? sets_mpi_run(run_all, operands) : run_all(operands, 0);
	free(operands);
	return ret;
}
