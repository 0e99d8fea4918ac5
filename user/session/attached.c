// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds a running container, unit or process by name or number, and measures it. */
#include "user/session/attached.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fts.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "user/base/clock.h"
#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/privileges.h"
#include "user/base/signals.h"
#include "user/host/containers.h"
#include "user/host/host.h"
#include "user/kernel/feature.h"
#include "user/metric/measurement.h"
#include "user/trace/unmatched.h"

/* The result of a search for a cgroup or process: the first match of the pattern, the names of all
 * matches (.matching), and the names of those that do not match (.others). */
struct found {
	char *place; /* directory of the first match, if it is a cgroup; else NULL */
	char *title; /* name of the first match, as the report shows it */
	pid_t pid;   /* id of the first match, if it is a process; else 0 */
	struct present matching, others;
};

static void found_release(struct found *f)
{
	free(f->place);
	free(f->title);
	present_free(&f->matching);
	present_free(&f->others);
}

/* Returns 0 if exactly one cgroup or process matches the pattern @wanted. Otherwise prints an error
 * and returns -EINVAL. */
static int check_found(struct found *f, const char *what, const char *wanted)
{
	char *text, *names = NULL;
	int ret;

	if (f->matching.n == 1)
		return 0;
	if (!f->matching.n) {
		text = unmatched_text(&f->others, what, wanted);
		ret = error(-EINVAL, "%s", text);
	} else {
		names = need_words(f->matching.names);
		text = need_text("'%s' matches several: %s; specify one of them", wanted, names);
		ret = error(-EINVAL, "%s", text);
	}
	free(text);
	free(names);
	return ret;
}

/* ---- cgroups ---- */

/* Compares the cgroup in directory @e with the pattern @wanted, and lists its name in @f. Returns
 * true if the cgroup matches. The caller then skips all cgroups below, because the tracer measures
 * them together with this cgroup. */
static bool look_at_group(struct found *f, const FTSENT *e, size_t root_length, const char *wanted)
{
	const char *path = e->fts_path + root_length;
	char *title;

	if (!*path)
		return false;
	title = container_title(path);
	if (!trace_group_matches(path, e->fts_statp->st_ino, wanted)) {
		present_add(&f->others, title);
		free(title);
		return false;
	}
	present_add(&f->matching, title);
	if (f->place) {
		free(title);
	} else {
		f->place = need(strdup(e->fts_path));
		f->title = title;
	}
	return true;
}

static int find_groups(struct found *f, const char *root, const char *wanted)
{
	char *roots[] = { (char *)root, NULL };
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_XDEV | FTS_NOCHDIR, NULL);
	FTSENT *e;

	if (!tree)
		return error(-errno, "cannot read '%s': %s", root, strerror(errno));
	while ((e = fts_read(tree)))
		if (e->fts_info == FTS_D && look_at_group(f, e, strlen(root), wanted))
			fts_set(tree, e, FTS_SKIP);
	fts_close(tree);
	return 0;
}

bool attached_has_group(const char *root, const char *wanted)
{
	struct found f = {};
	bool has = !find_groups(&f, root, wanted) && f.place;

	found_release(&f);
	return has;
}

/* ---- processes ---- */

/* A number is compared only with the process id, so that "1" does not match the name "cpuhp/1". */
static bool process_matches(const struct trace_name *n, const char *wanted)
{
	bool is_id = *wanted && !wanted[strspn(wanted, "0123456789")];

	return is_id ? n->id == strtoull(wanted, NULL, 10) : trace_name_matches(n, wanted);
}

static void look_at_process(struct found *f, const char *number, const char *wanted)
{
	char comm[32];
	struct trace_name n = { .kind = TRACE_PROCESS, .id = atoi(number), .text = comm };
	char *title;

	if ((pid_t)n.id == getpid() || !host_line(comm, sizeof(comm), "/proc/%s/comm", number))
		return;
	title = need_text("%s[%s]", comm, number);
	if (!process_matches(&n, wanted) && strcmp(title, wanted)) {
		present_add(&f->others, comm);
		free(title);
		return;
	}
	present_add(&f->matching, title);
	if (f->pid) {
		free(title);
	} else {
		f->pid = n.id;
		f->title = title;
	}
}

static int find_processes(struct found *f, const char *wanted)
{
	DIR *dir = opendir("/proc");
	struct dirent *e;

	if (!dir)
		return error(-errno, "cannot read /proc: %s", strerror(errno));
	while ((e = readdir(dir)))
		if (isdigit((unsigned char)e->d_name[0]))
			look_at_process(f, e->d_name, wanted);
	closedir(dir);
	return 0;
}

bool attached_has_process(const char *wanted)
{
	struct found f = {};
	bool has = !find_processes(&f, wanted) && f.pid;

	found_release(&f);
	return has;
}

/* ---- measuring ---- */

/* Selects the process that matches the pattern @wanted. iospan must be in the outermost pid
 * namespace, because BPF programs see the process ids of that namespace. */
static int set_process(struct measured *m, struct found *f, const char *wanted)
{
	int ret;

	if (!host_is_init_pidns())
		return error(-ENOTSUP,
			     "cannot measure a process from a pid namespace; run iospan in that of "
			     "the host");
	ret = find_processes(f, wanted);
	if (!ret && !f->pid && !feature_has("all_processes"))
		return error(-EPERM,
			     "cannot see processes of other users, because /proc is mounted with "
			     "hidepid; run iospan as root, or add CAP_SYS_PTRACE");
	ret = ret ?: check_found(f, "process", wanted);
	m->options.tgid = f->pid;
	return ret ?: measured_target(&m->options, CHARGE_TASK, NULL);
}

static int set_group(struct measured *m, struct found *f, const char *wanted)
{
	struct tracer_options all = {};
	int ret = measured_target(&all, CHARGE_TASK, NULL);

	if (!ret)
		ret = find_groups(f, all.target.path, wanted) ?: check_found(f, "cgroup", wanted);
	return ret ?: measured_target(&m->options, m->charge, f->place);
}

static bool is_alive(const struct found *f, int pidfd)
{
	struct pollfd p = { .fd = pidfd, .events = POLLIN };

	return f->pid ? poll(&p, 1, 0) == 0 : !access(f->place, F_OK);
}

static void watch(const struct measured *m, const struct found *f, int pidfd, int signals,
		  u64 end_ns)
{
	u64 now = now_ns();

	while (now < end_ns && is_alive(f, pidfd)) {
		u64 next = end_ns - now < TRACER_POLL_NS ? end_ns : now + TRACER_POLL_NS;

		if (!measured_wait(m->tracer, signals, next, TRACER_POLL_NS))
			break;
		now = now_ns();
	}
}

static int measure(struct measured *m, const struct found *f, u64 time_ns)
{
	int pidfd = f->pid ? (int)syscall(SYS_pidfd_open, f->pid, 0) : -1, signals, ret;
	struct measurement *result;
	sigset_t before;
	u64 start;

	if (f->pid && pidfd < 0)
		return error(-errno, "cannot attach to %s: %s", f->title, strerror(errno));
	signals = signals_catch(0, &before);
	ret = signals < 0 ? signals : tracer_new(&m->options, &m->tracer);
	if (!ret)
		ret = privileges_drop_tracing();
	if (!ret) {
		start = now_ns();
		watch(m, f, pidfd, signals, time_ns ? start + time_ns : ~0ULL);
		ret = tracer_measure(m->tracer, start, &result);
	}
	if (!ret)
		m->report.m = result;
	if (signals >= 0)
		signals_release(signals, &before);
	if (pidfd >= 0)
		close(pidfd);
	return ret;
}

int attached_run(struct measured *m, const struct attached_opts *o, const char *name)
{
	static char *none[] = { NULL };
	struct found f = {};
	int ret = o->process ? set_process(m, &f, o->process) : set_group(m, &f, o->cgroup);

	m->report = (struct report){ .options = &m->options,
				     .command = name,
				     .argv = none,
				     .everybody = true };
	if (!ret)
		ret = measure(m, &f, o->time_ns);
	if (!ret)
		snprintf(m->attached, sizeof(m->attached), "%s", f.title);
	m->report.attached = m->attached;
	found_release(&f);
	return ret;
}
