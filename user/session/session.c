// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes, enters and removes the cgroups of a session, in which a command runs. The cleanup process
 * is a child that removes the cgroups when iospan has ended. */
#include "user/session/session.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "user/base/clock.h"
#include "user/base/err.h"
#include "user/base/signals.h"

#define REMOVAL_NS 10000000000ULL

static int find_parent(const char *path, struct cgroup *parent)
{
	int ret = path ? cgroup_check_v2(path) : 0;

	if (ret)
		return ret;
	ret = path ? cgroup_at(path, parent) : cgroup_self(CGROUP_V2, parent);
	if (ret == -ENOENT && !path)
		return error(ret,
			     "no cgroup version 2 file system is mounted; try 'mount -t "
			     "cgroup2 none /sys/fs/cgroup'");
	if (ret == -EXDEV)
		return error(ret,
			     "the root of the cgroup tree cannot be seen from this cgroup "
			     "namespace; run in the host's");
	if (ret)
		return error(ret, "cannot use the cgroup '%s': %s", path ? path : "of this process",
			     strerror(-ret));
	return 0;
}

static int make_group_silently(struct session *s, struct cgroup *cg)
{
	int ret = cgroup_make(cg);

	for (int i = 0; i < SESSION_GROUPS && !ret; i++)
		if (s->groups[i] == cg)
			s->places[i].id = cg->id;
	return ret;
}

static int make_group(struct session *s, struct cgroup *cg)
{
	int ret = make_group_silently(s, cg);
	const char *remedy = ret == -EACCES || ret == -EPERM ?
		"; it takes root, CAP_DAC_OVERRIDE, or a parent cgroup that this user may write" :
		"";

	if (ret)
		return error(ret, "cannot make the cgroup '%s': %s%s", cg->path, strerror(-ret),
			     remedy);
	return 0;
}

/* Limits the command's memory in its cgroup of version 2. If that cgroup has no memory controller,
 * limits the memory in a cgroup of version 1. */
static int limit_memory(struct session *s, const char *parent, u64 bytes)
{
	bool on_v2 = cgroup_has(&s->target, "memory");
	const struct cgroup *cg = on_v2 ? &s->target : &s->limited;
	int ret = 0;

	if (!cg->path[0])
		return error(-ENOTSUP,
			     "the memory controller is not enabled in '%s': no limit "
			     "can be set there",
			     parent);
	if (on_v2)
		s->limited.path[0] = '\0';
	else
		ret = make_group(s, &s->limited);
	if (ret)
		return ret;
	ret = cgroup_limit_memory(cg, on_v2 ? CGROUP_V2 : CGROUP_MEMORY, bytes);
	return ret ? error(ret, "cannot limit the memory of the cgroup '%s': %s", cg->path,
			   strerror(-ret)) :
		     0;
}

/* Sets the paths of the cgroups with name @name that the session will make: one of version 2 and,
 * if needed, one for blkio and one for memory of version 1. */
static int set_paths(struct session *s, const struct cgroup *parent, const char *name,
		     enum charge charge, u64 memory)
{
	struct cgroup own;

	if (cgroup_child(parent, name, &s->target))
		return error(-ENAMETOOLONG, "the cgroup path is too long");
	if (charge == CHARGE_TASK || cgroup_self(CGROUP_BLKIO, &own) ||
	    cgroup_child(&own, name, &s->charged))
		s->charged.path[0] = '\0';
	if (!memory || cgroup_self(CGROUP_MEMORY, &own) || cgroup_child(&own, name, &s->limited))
		s->limited.path[0] = '\0';
	return 0;
}

/* Removes the session's cgroups. The cleanup process calls this; @of is the list of cgroups in
 * shared memory. Returns the number of processes that were still in the command's cgroup, and were
 * moved out of it. Returns a negative number if a cgroup cannot be removed. */
static int remove_groups(const void *of)
{
	const struct cgroup_place *places = of;
	u64 until = now_ns() + REMOVAL_NS;
	int moved = cgroup_remove(&places[0], until);
	bool failed = moved < 0;

	for (int i = 1; i < SESSION_GROUPS; i++)
		failed |= cgroup_remove(&places[i], until) < 0;
	if (failed)
		return -EBUSY;
	return moved > CLEANUP_COUNT_MAX ? CLEANUP_COUNT_MAX : moved;
}

/* Stores the list of cgroups in memory that is shared with the cleanup process. The cleanup process
 * is started before the cgroups are made, so it learns their ids only from shared memory. */
static int open_places(struct session *s)
{
	void *shared = mmap(NULL, SESSION_GROUPS * sizeof(*s->places), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (shared == MAP_FAILED)
		return error(-ENOMEM, "out of memory");
	s->places = shared;
	for (int i = 0; i < SESSION_GROUPS; i++)
		cgroup_place_open(&s->places[i], s->groups[i]);
	return 0;
}

static void close_places(struct session *s)
{
	for (int i = 0; i < SESSION_GROUPS && s->places; i++)
		cgroup_place_close(&s->places[i]);
	if (s->places)
		munmap(s->places, SESSION_GROUPS * sizeof(*s->places));
	s->places = NULL;
}

int session_begin(struct session *s, const char *parent_path, enum charge charge, u64 memory)
{
	struct cgroup parent;
	char name[64];
	bool on_v1;
	int ret;

	*s = (struct session){ .go = -1,
			       .exec_error = -1,
			       .signals = -1,
			       .groups = { &s->target, &s->charged, &s->limited } };
	/* If SIGCHLD stayed ignored, waitpid() could not return the exit status of the command. */
	s->child_ignored = signal(SIGCHLD, SIG_DFL) == SIG_IGN;
	/* A process in another pid namespace may have the same pid. So the name of the cgroup has
	 * the time, too. */
	snprintf(name, sizeof(name), "iospan-%d-%llx", (int)getpid(), (unsigned long long)now_ns());
	ret = find_parent(parent_path, &parent);
	if (!ret)
		ret = set_paths(s, &parent, name, charge, memory) ?: open_places(s);
	if (ret)
		return ret;
	on_v1 = s->charged.path[0];
	ret = cleanup_start(&s->cleanup, remove_groups, s->places);
	if (!ret)
		ret = make_group(s, &s->target);
	if (!ret && memory)
		ret = limit_memory(s, parent.path, memory);
	if (ret)
		return ret;
	if (charge != CHARGE_TASK && cgroup_has(&s->target, "io"))
		s->charged = s->target;
	else if (on_v1 && charge == CHARGE_KERNEL)
		ret = make_group(s, &s->charged);
	else if (on_v1 &&
		 /* With --attribution=auto, a failure is no error: I/O is then attributed to the
		  * cgroup of the submitting task. */
		 make_group_silently(s, &s->charged))
		s->charged.path[0] = '\0';
	else if (!on_v1 && charge == CHARGE_KERNEL)
		ret = error(-ENOTSUP,
			    "the io controller is not enabled in '%s'; try "
			    "--attribution=task or --parent",
			    parent.path);
	return ret;
}

void session_target(const struct session *s, struct tracer_options *o)
{
	o->target = s->target;
	o->charged = s->charged;
	o->attribution = s->charged.path[0] ? BY_BLKCG : BY_TASK;
}

void session_groups(const struct session *s, struct session_groups *g)
{
	for (int i = 0; i < SESSION_GROUPS; i++)
		g->of[i] = *s->groups[i];
}

/* Sets @g to the cgroups of this process, one per hierarchy; the path is "" if the hierarchy is not
 * mounted. */
static void find_own(struct session_groups *g)
{
	static const enum cgroup_tree trees[SESSION_GROUPS] = { CGROUP_V2, CGROUP_BLKIO,
								CGROUP_MEMORY };

	for (int i = 0; i < SESSION_GROUPS; i++) {
		int ret = cgroup_self(trees[i], &g->of[i]);

		/* -EXDEV means that the root of the hierarchy is outside of the cgroup namespace.
		 * The path can still be used. */
		if (ret && ret != -EXDEV)
			g->of[i].path[0] = '\0';
	}
}

int session_move(const struct session_groups *to, struct session_groups *from)
{
	int ret = 0;

	if (from)
		find_own(from);
	for (int i = 0; i < SESSION_GROUPS && !ret; i++)
		if (to->of[i].path[0])
			ret = cgroup_enter(&to->of[i], 0);
	return ret;
}

int session_enter(const struct session *s)
{
	struct session_groups groups;

	cleanup_detach(&s->cleanup);
	session_groups(s, &groups);
	return session_move(&groups, NULL);
}

int session_end(struct session *s)
{
	int left;

	if (!s->groups[0])
		return 0;
	left = cleanup_finish(&s->cleanup);
	close_places(s);
	if (s->signals >= 0)
		signals_release(s->signals, &s->mask);
	s->signals = -1;
	if (left == -EINTR)
		warn("the cgroup '%s' is still being removed", s->target.path);
	else if (left < 0)
		warn("cannot remove the cgroup '%s': %s; remove it when nothing uses it",
		     s->target.path, strerror(-left));
	return left;
}
