// SPDX-License-Identifier: GPL-2.0-or-later
/* Visits and removes trees of cgroups. Only one directory is open at a time, because cgroups may be
 * nested more deeply than PATH_MAX or the limit of open files permits. */
#include "user/host/cgroup-tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "user/base/clock.h"
#include "user/base/err.h"

/* A directory to which walk_tree() will return after it has visited a subdirectory. */
struct level {
	long next;		 /* telldir(3) position at which to continue */
	char name[NAME_MAX + 1]; /* name of the subdirectory that was entered */
};

struct tree_walk {
	DIR *here;
	/* device of the tree; a file system mounted on a cgroup has another device and is
	 * skipped */
	dev_t dev;
	struct level *levels;
	unsigned depth, room;
};

/* Callbacks of walk_tree() for each cgroup. Each may be NULL. */
struct visitor {
	/* called for the cgroup in directory @group, before its children */
	void (*enter)(void *arg, int group);
	/* called for cgroup @name in directory @parent, after its children */
	void (*leave)(void *arg, int parent, const char *name);
	void *arg;
	u64 until_ns; /* time, as now_ns() returns it, at which walk_tree() gives up; 0: no limit */
};

/* Opens a cgroup's directory. O_NOFOLLOW is not necessary, because a file system of cgroups has no
 * symbolic links. */
static int open_group(int at, const char *name)
{
	return openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static int list_here(struct tree_walk *w, int fd)
{
	if (w->here)
		closedir(w->here);
	w->here = fd < 0 ? NULL : fdopendir(fd);
	return w->here ? 0 : -errno;
}

/* Returns the name of the next cgroup in the current directory; NULL: there are no more. */
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

/* Enters the cgroup @name or, if @name is NULL, returns to the parent. Skips a cgroup that cannot
 * be opened, because it may have been removed. */
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

struct removal {
	/* Descriptors of cgroup.procs files; -1: not open. If the id of a process is written to
	 * this file of a cgroup, the process moves to the cgroup. .to: the parent of the removed
	 * cgroup. .home: this process's own cgroup. */
	int to, home;
	int moved;
	u64 until_ns;
};

/* Moves @pid to the parent of the removed cgroup. In version 2, the kernel refuses this if the
 * parent enables controllers, because such a cgroup must have no processes. In this case, moves
 * @pid to this process's own cgroup. Returns true if @pid was moved. */
static bool move_process(const struct removal *r, int pid)
{
	if (dprintf(r->to, "%d", pid) > 0)
		return true;
	return errno != ESRCH && r->home >= 0 && dprintf(r->home, "%d", pid) > 0;
}

/* Moves all processes out of @group. Repeats this until no process is found, because processes may
 * fork in the meantime. */
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
			r->moved += move_process(r, pid);
		if (f)
			fclose(f);
	} while (r->moved != last && now_ns() < r->until_ns);
}

static void remove_group(void *arg, int parent, const char *name)
{
	unlinkat(parent, name, AT_REMOVEDIR);
}

void cgroup_place_open(struct cgroup_place *p, const struct cgroup *cg)
{
	const char *slash = strrchr(cg->path, '/');
	char above[PATH_MAX] = "";

	*p = (struct cgroup_place){ .parent = -1, .id = cg->id };
	if (!slash)
		return;
	memcpy(above, cg->path, slash - cg->path);
	snprintf(p->name, sizeof(p->name), "%s", slash + 1);
	p->parent = open(above, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

void cgroup_place_close(struct cgroup_place *p)
{
	if (p->parent >= 0)
		close(p->parent);
	p->parent = -1;
}

/* Finds the cgroup's current name by its id, because somebody may have renamed the cgroup. */
static int find_name(const struct cgroup_place *p, char name[NAME_MAX + 1])
{
	int fd = open_group(p->parent, "."), ret = -ENOENT;
	DIR *list = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;

	if (!list)
		return -errno;
	while (ret && (e = readdir(list)))
		if (p->id ? e->d_ino == p->id : !strcmp(e->d_name, p->name)) {
			snprintf(name, NAME_MAX + 1, "%s", e->d_name);
			ret = 0;
		}
	closedir(list);
	return ret;
}

/* Opens the cgroup, and stores its current name in @name. Returns -EBUSY if a file system is
 * mounted on the cgroup. */
static int open_place(const struct cgroup_place *p, char name[NAME_MAX + 1])
{
	int ret = find_name(p, name), fd = ret ? ret : open_group(p->parent, name);
	struct stat st;

	if (ret || fd < 0)
		return ret ?: -errno;
	if (!p->id || (!fstat(fd, &st) && st.st_ino == p->id))
		return fd;
	close(fd);
	return -EBUSY;
}

/* Removes the cgroup and all cgroups below it. Tries until r->until_ns, because rmdir(2) gives
 * EBUSY while processes fork in the cgroup, and for a short time after the last exit. Finds the
 * cgroup even if somebody renames it in the meantime. */
static int remove_tree(struct removal *r, const struct cgroup_place *p)
{
	const struct visitor v = { move_processes, remove_group, r, r->until_ns };
	const struct timespec moment = { .tv_nsec = 5 * 1000 * 1000 };
	char name[NAME_MAX + 1];

	for (;;) {
		int top = open_place(p, name);

		if (top < 0 && top != -EBUSY)
			return top;
		if (top >= 0) {
			/* walk_tree() visits the cgroups below `top`, but not `top` itself. So the
			 * processes in `top` are moved here. If threads of a process are in
			 * threaded cgroups below `top`, only `top` lists the process. */
			move_processes(r, top);
			walk_tree(top, &v);
			close(top);
			if (!unlinkat(p->parent, name, AT_REMOVEDIR))
				return 0;
			if (errno != EBUSY && errno != ENOENT)
				return -errno;
		}
		if (now_ns() >= r->until_ns)
			return -EBUSY;
		nanosleep(&moment, NULL);
	}
}

/* Opens cgroup.procs in the directory @dir for writing, and closes the descriptor @dir. Returns -1
 * after an error. */
static int open_processes(int dir)
{
	int fd = dir < 0 ? -1 : openat(dir, "cgroup.procs", O_WRONLY | O_CLOEXEC);

	if (dir >= 0)
		close(dir);
	return fd;
}

/* Opens cgroup.procs of this process's cgroup. Returns -1 after an error. Also returns -1 in
 * version 1, in which this file is not needed, because a parent always accepts processes. */
static int open_home(int parent)
{
	struct cgroup own = {};
	struct statfs fs;
	int ret;

	if (fstatfs(parent, &fs) || fs.f_type != CGROUP2_SUPER_MAGIC)
		return -1;
	ret = cgroup_self(CGROUP_V2, &own);
	if (ret && ret != -EXDEV) /* cgroup_self() sets own.path even if it returns -EXDEV. */
		return -1;
	return open_processes(open(own.path, O_PATH | O_DIRECTORY | O_CLOEXEC));
}

int cgroup_remove(const struct cgroup_place *p, u64 until_ns)
{
	struct removal r = { .until_ns = until_ns };
	int ret;

	if (p->parent < 0)
		return 0;
	r.to = open_processes(openat(p->parent, ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
	r.home = open_home(p->parent);
	ret = remove_tree(&r, p);
	if (r.to >= 0)
		close(r.to);
	if (r.home >= 0)
		close(r.home);
	return ret && ret != -ENOENT ? ret : r.moved;
}

/* Returns true if the version 2 cgroup @name in the directory @parent, or a cgroup below it, has
 * processes. */
static bool is_populated(int parent, const char *name)
{
	char path[NAME_MAX + sizeof("/cgroup.events")], text[64] = "";
	int fd;

	snprintf(path, sizeof(path), "%s/cgroup.events", name);
	fd = openat(parent, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (read(fd, text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	close(fd);
	return strstr(text, "populated 1");
}

bool cgroup_is_flat(const struct cgroup *root)
{
	struct tree_walk w = {};
	const char *name;
	bool flat = true;

	if (list_here(&w, open_group(AT_FDCWD, root->path)))
		return false;
	while (flat && (name = next_name(&w)))
		flat = !is_populated(dirfd(w.here), name);
	closedir(w.here);
	return flat;
}

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
