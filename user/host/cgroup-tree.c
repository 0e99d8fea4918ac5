// SPDX-License-Identifier: GPL-2.0-or-later
/* Groups below a group. They may be nested more deeply than a path is long or a process may have
 * files open, so one directory is open at a time. */
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

/* A directory that the walk has left for one below it. */
struct level {
	long next;		 /* where its list goes on */
	char name[NAME_MAX + 1]; /* of the directory below it */
};

struct walk {
	DIR *here;
	dev_t dev; /* other file systems may be mounted on groups */
	struct level *levels;
	unsigned depth, room;
};

/* Both may be NULL. */
struct visitor {
	void (*enter)(void *arg, int group);
	/* After all groups below it: @name in @parent. */
	void (*leave)(void *arg, int parent, const char *name);
	void *arg;
	u64 until_ns; /* the walk ends then */
};

static int open_group(int at, const char *name)
{
	return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static int list_here(struct walk *w, int fd)
{
	if (w->here)
		closedir(w->here);
	w->here = fd < 0 ? NULL : fdopendir(fd);
	return w->here ? 0 : -errno;
}

/* The name of the next group in the list; NULL: no more. */
static const char *next_name(struct walk *w)
{
	struct dirent *e;

	while ((e = readdir(w->here)))
		if (e->d_type == DT_DIR && strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
			return e->d_name;
	return NULL;
}

static int go_down(struct walk *w, int fd, const char *name)
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

static int go_up(struct walk *w, const struct visitor *v)
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

/* One step down or up. 0: done with a group that cannot be entered, too. */
static int step(struct walk *w, const struct visitor *v, const char *name)
{
	struct stat st;
	int fd;

	if (!name)
		return go_up(w, v);
	fd = open_group(dirfd(w->here), name);
	if (fd >= 0 && !fstat(fd, &st) && st.st_dev == w->dev) {
		if (v->enter)
			v->enter(v->arg, fd);
		return go_down(w, fd, name);
	}
	if (fd >= 0)
		close(fd);
	return 0;
}

/* Visits all groups below @top. */
static void walk(int top, const struct visitor *v)
{
	struct walk w = {};
	const char *name;
	struct stat st;

	if (fstat(top, &st) || list_here(&w, open_group(top, ".")))
		return;
	w.dev = st.st_dev;
	while (!v->until_ns || now_ns() < v->until_ns) {
		name = next_name(&w);
		if ((!name && !w.depth) || step(&w, v, name))
			break;
	}
	if (w.here)
		closedir(w.here);
	free(w.levels);
}

/* ---- removal ---- */

struct removal {
	int to; /* cgroup.procs of the group that the processes go to */
	int moved;
	u64 until_ns;
};

/* Moves the processes in @group. They may fork meanwhile: again, until there are none. */
static void move_all(void *arg, int group)
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

static void remove_one(void *arg, int parent, const char *name)
{
	unlinkat(parent, name, AT_REMOVEDIR);
}

/* Removing fails with EBUSY while processes are still forked there, and for a moment after the last
 * one has ended. */
static int remove_all(struct removal *r, int parent, const char *name)
{
	const struct visitor v = { move_all, remove_one, r, r->until_ns };
	const struct timespec moment = { .tv_nsec = 5 * 1000 * 1000 };
	int top = open_group(parent, name), ret = top < 0 ? -errno : -EBUSY;

	while (ret == -EBUSY) {
		/* processes with threads in threaded groups below can only leave from here */
		move_all(r, top);
		walk(top, &v);
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
	ret = remove_all(&r, parent, slash + 1);
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
		walk(top, &v);
		close(top);
	}
	return n;
}
