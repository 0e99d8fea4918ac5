// SPDX-License-Identifier: GPL-2.0-or-later
/* iospan run: measures one command. */
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "cmd.h"
#include "err.h"
#include "feature.h"
#include "output.h"
#include "session.h"
#include "show.h"

static const char *const attributions[] = { "auto", "kernel", "task", NULL };
enum backend { BACKEND_AUTO, BACKEND_TRACEPOINT, BACKEND_FENTRY };
static const char *const backends[] = { "auto", "tracepoint", "fentry", NULL };

static struct run_opts {
	const char *output;
	bool json, csv, cgroups;
	unsigned layers;
	const char *parent;
	const char *attribution;
	uint64_t max_groups;
	const char *backend;
} o = {
	.max_groups = 4096,
	.layers = (1 << LAYERS) - 1,
	.attribution = "auto",
	.backend = "auto",
};

static const struct opt opts[] = {
	OPT_STR('o', "output", &o.output, "FILE", "write the report there; else to stderr"),
	OPT_FLAG('j', "json", &o.json, "report as one JSON document"),
	OPT_FLAG('c', "csv", &o.csv, "report as CSV, a row per layer, device, operation"),
	OPT_SET('l', "layers", &o.layers, layer_names, "what to measure"),
	OPT_FLAG('g', "cgroups", &o.cgroups, "a row for each group that the command makes"),
	OPT_UINT(0, "max-groups", &o.max_groups, "N", "groups with a row, at most"),
	OPT_STR('p', "parent", &o.parent, "DIR",
		"make the cgroup below this one; else below ours"),
	OPT_STR('a', "attribution", &o.attribution, "HOW",
		"whose a device access is: 'kernel' (whom it charges), 'task', 'auto'"),
	OPT_STR('b', "backend", &o.backend, "HOW",
		"what the vfs layer watches: 'tracepoint', 'fentry', 'auto'"),
	OPT_END,
};

const struct opt_page run_page = {
	.command = "run",
	.usage = "[options] -- COMMAND [ARGUMENT...]",
	.summary = "measure the I/O of one command at three layers",
	.opts = opts,
	.examples = "  iospan run -- dd if=/dev/zero of=file bs=1M count=100 oflag=direct\n"
		    "  iospan run --json -o result.json -- fio job.fio\n",
};

/* ---- before anything is touched ---- */

/* The place of @word in @words; an error names the option and what it takes. */
static int parse_word(const char *option, const char *word, const char *const *words)
{
	char list[80] = "";

	for (int i = 0; words[i]; i++) {
		size_t used = strlen(list);

		if (!strcmp(word, words[i]))
			return i;
		snprintf(list + used, sizeof(list) - used, "%s%s", i ? ", " : "", words[i]);
	}
	return error(-EUSAGE, "unknown %s '%s'; one of %s", option, word, list);
}

/* What the vfs layer goes by. System calls by tracepoints, unless fentry is asked for:
 * to attach to each of their functions, and to detach, takes seconds. */
static int choose_backend(enum backend backend, struct tracer_options *options)
{
	bool has_fentry = feature_has("bpf_prog_fentry");

	options->fentry = backend == BACKEND_FENTRY;
	options->faults = backend != BACKEND_TRACEPOINT && has_fentry;
	if (!options->fentry || has_fentry)
		return 0;
	return error(-ENOTSUP, "this kernel refuses fentry programs; leave out --backend=fentry "
			       "(see 'iospan version -v')");
}

/* ---- the app layer's library and descriptor ---- */

static const char *find_library(char path[PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 32);
	char *slash;

	path[n > 0 ? n : 0] = '\0';
	slash = strrchr(path, '/');
	strcpy(slash ? slash + 1 : path, "libiospan.so");
	if (access(path, R_OK))
		strcpy(path, LIBDIR "/libiospan.so");
	if (access(path, R_OK))
		return NULL;
	if (!strpbrk(path, " :"))
		return path;
	warn("no app layer: the loader takes no library with a blank or ':' in its path, '%s'",
	     path);
	return NULL;
}

/* A number out of the way of programs that expect 3 to be free, and one that
 * survives exec. */
static int high_descriptor(int fd)
{
	struct rlimit limit = { .rlim_cur = 256 };
	int min;

	getrlimit(RLIMIT_NOFILE, &limit);
	min = limit.rlim_cur > 1000 ? 900 : (int)limit.rlim_cur / 2;
	return fcntl(fd, F_DUPFD, min);
}

/* ---- running ---- */

static void poll_tracer(void *t)
{
	tracer_poll(t);
}

static int write_report(const struct report *r, struct output *to)
{
	enum out_format format = o.json ? OUT_JSON : o.csv ? OUT_CSV : OUT_TEXT;
	FILE *f = output_begin(to);

	if (!f)
		return -EIO;
	show(f, format, r);	/* what fails in it, fails again below */
	return output_end(to, f);
}

/* The command runs, is measured, and its group is gone, before a word is
 * written. Returns the exit status, or a negative errno. */
static int measure(struct session *s, struct tracer *t, struct output *to,
		   struct report *r)
{
	struct measurement *m = NULL;
	bool app = r->options->layers & (1 << LAYER_APP) && r->library;
	int fd = app ? high_descriptor(tracer_app_fd(t)) : -1, left, ret;
	u64 start;

	ret = session_spawn(s, r->argv, fd, r->library);
	if (ret)
		return ret;
	start = now_ns();
	ret = session_go(s, r->argv[0]);
	if (ret)
		return ret;
	r->status = session_wait(s, poll_tracer, t, TRACER_POLL_NS, &r->runs_on);
	tracer_poll(t);
	ret = tracer_measure(t, start, &m);
	if (ret)
		return ret;
	r->m = m;
	if (o.cgroups && r->options->attribution == BY_BLKCG && cgroup_has_io(&s->charged))
		r->uncharged = cgroup_count_without_io(&s->charged);
	left = session_end(s);
	r->left = left > 0 ? left : 0;
	ret = write_report(r, to);
	measurement_free(m);
	if (ret || left < 0)
		return ret ? ret : left;
	return r->status;
}

static int run(char **argv, enum charge charge, struct tracer_options options,
	       struct output *to)
{
	char path[PATH_MAX];
	struct session s = {};
	struct report r = { .options = &options, .command = "run", .argv = argv };
	struct tracer *t = NULL;
	int ret = session_begin(&s, o.parent, charge);

	if (ret)
		goto out;
	r.library = find_library(path);
	session_target(&s, &options);
	ret = tracer_new(&options, &t);
	if (ret)
		goto out;
	ret = measure(&s, t, to, &r);
out:
	session_end(&s);
	tracer_free(t);
	return ret;
}

int cmd_run(int argc, char **argv)
{
	struct tracer_options options = {};
	int first = opt_parse(&run_page, argc, argv), charge, backend, ret;
	struct output to;

	if (first < 0)
		return first;
	if (first >= argc)
		return error(-EUSAGE, "no command given; usage: iospan run %s", run_page.usage);
	if (strcmp(argv[first - 1], "--"))
		return error(-EUSAGE, "'--' is missing before '%s'; usage: iospan run %s",
			     argv[first], run_page.usage);
	if (o.json && o.csv)
		return error(-EUSAGE, "--json and --csv exclude each other");
	if (!o.max_groups || o.max_groups > MAX_GROUPS)
		return error(-EUSAGE, "--max-groups is a number from 1 to %u", MAX_GROUPS);
	charge = parse_word("attribution", o.attribution, attributions);
	if (charge < 0)
		return charge;
	backend = parse_word("backend", o.backend, backends);
	if (backend < 0)
		return backend;
	ret = features_check();
	if (ret)
		return ret;
	ret = choose_backend(backend, &options);
	if (ret)
		return ret;
	options.layers = o.layers;
	options.per_cgroup = o.cgroups;
	options.max_groups = o.max_groups;
	ret = output_open(&to, o.output);
	if (ret)
		return ret;
	ret = run(argv + first, charge, options, &to);
	output_drop(&to);
	return ret;
}
