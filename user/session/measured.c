// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/session/measured.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/base/clock.h"
#include "user/base/err.h"
#include "user/kernel/feature.h"
#include "user/base/library.h"
#include "user/base/signals.h"
#include "user/host/cgroup-tree.h"
#include "user/metric/measurement.h"

const char *const measured_by[] = { "device", "cgroup", NULL };
static const char *const attributions[] = { "auto", "kernel", "task", NULL };
enum backend { BACKEND_AUTO, BACKEND_TRACEPOINT, BACKEND_FENTRY };
static const char *const backends[] = { "auto", "tracepoint", "fentry", NULL };

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
	return error(-ENOTSUP,
		     "this kernel refuses fentry programs; leave out --backend=fentry "
		     "(see 'iospan version -v')");
}

/* ---- the app layer's library and descriptor ---- */

/* Sets @r's library to the preloaded library's path in @path, or to NULL with @r's
 * no_library as the reason. */
static void find_library(struct report *r, char path[PATH_MAX])
{
	if (!library_find("libiospan.so", path))
		r->no_library = "libiospan.so is not in the directory of iospan nor in the "
				"lib/iospan of its installation; install both together";
	else if (strpbrk(path, " :$"))
		r->no_library = "the loader takes no library with a blank, ':' or '$' in its path; "
				"install iospan elsewhere";
	else
		r->library = path;
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

int measured_prepare(struct measured *m, const struct measured_opts *o)
{
	int charge, backend, ret;

	if (!o->max_groups || o->max_groups > MAX_GROUPS)
		return error(-EUSAGE, "--max-groups is a number from 1 to %u", MAX_GROUPS);
	charge = parse_word("attribution", o->attribution, attributions);
	if (charge < 0)
		return charge;
	backend = parse_word("backend", o->backend, backends);
	if (backend < 0)
		return backend;
	ret = features_check();
	if (!ret)
		ret = choose_backend(backend, &m->options);
	m->charge = charge;
	m->parent = o->parent;
	m->groups = o->cgroups || o->by >> 1 & 1;
	m->options.layers = o->layers;
	m->options.per_cgroup = m->groups;
	m->options.max_groups = o->max_groups;
	return ret;
}

/* The root of the hierarchy that we are in. */
static int root_of(enum cgroup_tree tree, struct cgroup *root)
{
	char path[PATH_MAX];
	int ret = cgroup_self(tree, root);

	if (ret)
		return ret;
	strcpy(path, root->path);
	for (int i = 0; i < root->level && strrchr(path, '/'); i++)
		*strrchr(path, '/') = '\0';
	return cgroup_at(path, root);
}

/* The kernel charges by version 2 where it has the controller, else by version 1, which knows
 * nothing of a group of version 2. */
int measured_target(struct tracer_options *to, enum charge charge, const char *cgroup)
{
	int ret = cgroup ? cgroup_check_v2(cgroup) : 0;

	if (ret)
		return ret;
	ret = cgroup ? cgroup_at(cgroup, &to->target) : root_of(CGROUP_V2, &to->target);
	if (ret)
		return error(ret, "cannot use the cgroup '%s': %s", cgroup ? cgroup : "/",
			     strerror(-ret));
	to->attribution = BY_BLKCG;
	if (charge != CHARGE_TASK && cgroup_has(&to->target, "io"))
		to->charged = to->target;
	else if (charge == CHARGE_TASK || cgroup || root_of(CGROUP_BLKIO, &to->charged))
		to->attribution = BY_TASK;
	return 0;
}

bool measured_wait(struct tracer *t, int signals, u64 end_ns, u64 poll_ns)
{
	struct pollfd p = { .fd = signals, .events = POLLIN };
	u64 last = 0, now = now_ns();

	do { /* once at least: who is always late repairs and ends, too */
		u64 left = end_ns > now ? end_ns - now : 0, ns = left < poll_ns ? left : poll_ns;
		struct timespec moment = { ns / 1000000000, ns % 1000000000 };

		if (signals_came(signals, &last))
			return false;
		ppoll(&p, 1, &moment, NULL);
		tracer_poll(t);
		now = now_ns();
	} while (now < end_ns);
	return true;
}

/* The command runs, is measured, and its group is gone, before a word is
 * written. Returns the exit status, or a negative errno. */
static int measure(const struct measured *how, struct session *s, struct tracer *t,
		   struct report *r)
{
	struct measurement *m = NULL;
	bool app = r->options->layers & (1 << LAYER_APP) && r->library;
	int fd = app ? high_descriptor(tracer_app_fd(t)) : -1, left, ret;
	u64 start;

	ret = session_spawn(s, r->argv, fd, r->library);
	if (!ret && how->ready)
		ret = how->ready(how->arg, t);
	if (ret)
		return ret;
	start = now_ns();
	ret = session_go(s, r->argv[0]);
	if (ret)
		return ret;
	r->status = session_wait(s, poll_tracer, t, how->poll_ns, &r->runs_on);
	r->asked = s->asked;
	tracer_poll(t);
	ret = tracer_measure(t, start, &m);
	if (ret)
		return ret;
	r->m = m;
	if (how->groups && r->options->attribution == BY_BLKCG && cgroup_has(&s->charged, "io"))
		r->uncharged = cgroup_count_without_io(&s->charged);
	left = session_end(s);
	r->left = left > 0 ? left : 0;
	ret = how->done(how->arg, r);
	measurement_free(m);
	return ret ?: r->status;
}

int measured_run(const struct measured *m, const char *name, char **argv)
{
	struct tracer_options options = m->options;
	struct report r = { .options = &options, .command = name, .argv = argv };
	struct tracer *t = NULL;
	struct session s = {};
	char path[PATH_MAX];
	int ret;

	find_library(&r, path);
	if (!r.library && options.layers == 1 << LAYER_APP)
		return error(-ELIBACC, "cannot measure the app layer: %s", r.no_library);
	ret = session_begin(&s, m->parent, m->charge, 0);
	if (ret)
		goto out;
	session_target(&s, &options);
	ret = tracer_new(&options, &t);
	if (ret)
		goto out;
	ret = measure(m, &s, t, &r);
out:
	session_end(&s);
	tracer_free(t);
	return ret;
}
