// SPDX-License-Identifier: GPL-2.0-or-later
/* Cgroups may be nested more deeply than PATH_MAX or the limit of open files permits. The walk
 * therefore has only one directory open at a time. */
#include "user/host/cgroup-tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "user/base/clock.h"
#include "user/base/err.h"

/* A directory in which the walk continues after a directory below it. */
struct level {
	long next;		 /* telldir(3) position */
	char name[NAME_MAX + 1]; /* name of the directory below it */
};

struct tree_walk {
	DIR *here;
	dev_t dev; /* other file systems may be mounted on cgroups; the walk skips them */
	struct level *levels;
	unsigned depth, room;
};

/* Callbacks for each cgroup; either may be NULL. */
struct visitor {
	void (*enter)(void *arg, int group); /* called before the cgroups below it */
	void (*leave)(void *arg, int parent, const char *name); /* called after them */
	void *arg;
	u64 until_ns; /* the walk stops then; 0: never */
};

static int open_group(int at, const char *name)
{
	return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static int list_here(struct tree_walk *w, int fd)
{
	if (w->here)
		closedir(w->here);
	w->here = fd < 0 ? NULL : fdopendir(fd);
	return w->here ? 0 : -errno;
}

/* Returns the name of the next cgroup in the current directory; NULL: no more. */
static const char *next_name(struct tree_walk *w)
{
	struct dirent *e;

	while ((e = readdir(w->here)))
		if (e->d_type == DT_DIR && strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
			return e->d_name;
	return NULL;
}

static int walk_down(struct tree_walk *w, int fd, const char *name)
{
	struct level *l;

	if (w->depth == w->room) {
		w->room = 2 * w->room + 16;
		w->levels = need(reallocarray(w->levels, w->room, sizeof(*w->levels)));
	}
	l = &w->levels[w->depth++];
	snprintf(l->name, sizeof(l->name), "%s", name);
	l->next = telldir(w->here);
	return list_here(w, fd);
}

static int walk_up(struct tree_walk *w, const struct visitor *v)
{
	struct level *l = &w->levels[--w->depth];
	int ret = list_here(w, open_group(dirfd(w->here), ".."));

	if (ret)
		return ret;
	seekdir(w->here, l->next);
	if (v->leave)
		v->leave(v->arg, dirfd(w->here), l->name);
	return 0;
}

/* Enters the cgroup @name, or goes up if that is NULL. A cgroup that cannot be entered is skipped:
 * it may have been removed. */
static int walk_step(struct tree_walk *w, const struct visitor *v, const char *name)
{
	struct stat st;
	int fd;

	if (!name)
		return walk_up(w, v);
	fd = open_group(dirfd(w->here), name);
	if (fd >= 0 && !fstat(fd, &st) && st.st_dev == w->dev) {
		if (v->enter)
			v->enter(v->arg, fd);
		return walk_down(w, fd, name);
	}
	if (fd >= 0)
		close(fd);
	return 0;
}

/* Visits all cgroups below @top. */
static void walk_tree(int top, const struct visitor *v)
{
	struct tree_walk w = {};
	const char *name;
	struct stat st;

	if (fstat(top, &st) || list_here(&w, open_group(top, ".")))
		return;
	w.dev = st.st_dev;
	while (!v->until_ns || now_ns() < v->until_ns) {
		name = next_name(&w);
		if ((!name && !w.depth) || walk_step(&w, v, name))
			break;
	}
	if (w.here)
		closedir(w.here);
	free(w.levels);
}

/* ---- removal ---- */

struct removal {
	int to; /* cgroup.procs of the parent */
	int moved;
	u64 until_ns;
};

/* Moves the processes of @group. Repeats until it finds none, because they may fork meanwhile. */
static void move_processes(void *arg, int group)
{
	struct removal *r = arg;
	int last, pid, fd;

	do {
		FILE *f;

		last = r->moved;
		fd = openat(group, "cgroup.procs", O_RDONLY | O_CLOEXEC);
		f = fd < 0 ? NULL : fdopen(fd, "r");
		while (f && fscanf(f, "%d", &pid) == 1)
			r->moved += dprintf(r->to, "%d", pid) > 0;
		if (f)
			fclose(f);
	} while (r->moved != last && now_ns() < r->until_ns);
}

static void remove_group(void *arg, int parent, const char *name)
{
	unlinkat(parent, name, AT_REMOVEDIR);
}

/* rmdir(2) fails with EBUSY while processes fork there, and for a short time after the last one has
 * exited, so it is repeated. */
static int remove_tree(struct removal *r, int parent, const char *name)
{
	const struct visitor v = { move_processes, remove_group, r, r->until_ns };
	const struct timespec moment = { .tv_nsec = 5 * 1000 * 1000 };
	int top = open_group(parent, name), ret = top < 0 ? -errno : -EBUSY;

	while (ret == -EBUSY) {
		/* a process with threads in threaded cgroups below can only be moved from here */
		move_processes(r, top);
		walk_tree(top, &v);
		ret = unlinkat(parent, name, AT_REMOVEDIR) ? -errno : 0;
		if (ret == -EBUSY && now_ns() >= r->until_ns)
			break;
		if (ret == -EBUSY)
			nanosleep(&moment, NULL);
	}
	if (top >= 0)
		close(top);
	return ret;
}

int cgroup_remove(const struct cgroup *cg, u64 until_ns)
{
	struct removal r = { .until_ns = until_ns };
	char above[PATH_MAX], *slash;
	int parent, ret;

	if (!cg->path[0] || access(cg->path, F_OK))
		return 0;
	strcpy(above, cg->path);
	slash = strrchr(above, '/');
	*slash = '\0';
	parent = open(above, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (parent < 0)
		return -errno;
	r.to = openat(parent, "cgroup.procs", O_WRONLY | O_CLOEXEC);
	ret = remove_tree(&r, parent, slash + 1);
	if (r.to >= 0)
		close(r.to);
	close(parent);
	return ret && ret != -ENOENT ? ret : r.moved;
}

/* ---- controllers ---- */

static bool has_controller(int group, const char *name)
{
	int fd = openat(group, "cgroup.controllers", O_RDONLY | O_CLOEXEC);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
	bool found = false;
	char word[64];

	while (f && !found && fscanf(f, "%63s", word) == 1)
		found = !strcmp(word, name);
	if (f)
		fclose(f);
	return found;
}

bool cgroup_has(const struct cgroup *cg, const char *name)
{
	int fd = open(cg->path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	bool found = fd >= 0 && has_controller(fd, name);

	if (fd >= 0)
		close(fd);
	return found;
}

static void count_without_io(void *n, int group)
{
	*(unsigned *)n += !has_controller(group, "io");
}

unsigned cgroup_count_without_io(const struct cgroup *cg)
{
	unsigned n = 0;
	const struct visitor v = { .enter = count_without_io, .arg = &n };
	int top = open(cg->path, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (top >= 0) {
		walk_tree(top, &v);
		close(top);
	}
	return n;
}
