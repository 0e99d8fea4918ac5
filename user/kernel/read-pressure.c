// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the I/O pressure (PSI) of the machine and of groups (cgroups with counters of their own).
 * Also reads for how long dirty throttling paused the tasks of a group. */
#include "user/kernel/read-pressure.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "user/base/need.h"
#include "user/kernel/group-states.h"

#define MACHINE "/proc/pressure/io"

struct group_pressure {
	u64 id;		      /* id of the cgroup that the other fields describe */
	struct pressure last; /* at the end of the previous interval */
	struct pressure now;  /* result of the last pressures_measure() */
};

struct pressures {
	char root[PATH_MAX];
	struct pause *pauses;
	struct group_pressure *groups; /* indexed by group number */
};

void pressures_new(struct maps *m, const char *root, struct pause *pauses)
{
	struct pressures *p = need(calloc(1, sizeof(*p)));

	snprintf(p->root, sizeof(p->root), "%s", root);
	p->pauses = pauses;
	p->groups = need(calloc(GROUPS_OF(m->max_groups), sizeof(*p->groups)));
	m->pressures = p;
}

void pressures_free(struct maps *m)
{
	if (m->pressures)
		free(m->pressures->groups);
	free(m->pressures);
	m->pressures = NULL;
}

/* Finds the line of @text that starts with @word, and the number after "total=" in it. Sets *@ns to
 * this number, converted from us to ns. */
static bool read_total(const char *text, const char *word, u64 *ns)
{
	const char *line = strstr(text, word), *total = line ? strstr(line, "total=") : NULL;
	unsigned long long us;

	if (!total || sscanf(total, "total=%llu", &us) != 1)
		return false;
	*ns = us * 1000;
	return true;
}

/* Reads a PSI file. If the kernel has no PSI, the file cannot be read, and @to stays unchanged. */
static void read_file(int dir, const char *name, struct pressure *to)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char text[256];
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return;
	text[n] = '\0';
	to->has_psi = read_total(text, "some ", &to->some_ns) &&
		read_total(text, "full ", &to->full_ns);
}

/* Opens the directory of cgroup @path below @root. Does not cross into another file system, such as
 * FUSE, which might block. */
static int open_group(int root, const char *path)
{
	const struct open_how how = {
		.flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
		.resolve = RESOLVE_NO_XDEV | RESOLVE_NO_SYMLINKS | RESOLVE_BENEATH,
	};

	return syscall(SYS_openat2, root, path[1] ? path + 1 : ".", &how, sizeof(how));
}

static void read_group(const struct maps *m, u32 group, int root, struct pressure *to)
{
	char *path = group_path(m, group);
	int dir = open_group(root, path);
	struct stat st;

	free(path);
	if (dir < 0)
		return;
	/* The inode is compared, because another cgroup may have this path now. GROUP_TOP, the
	 * cgroup of the command, needs no such check. */
	if (!fstat(dir, &st) && (group == GROUP_TOP || st.st_ino == m->pressures->groups[group].id))
		read_file(dir, "io.pressure", to);
	close(dir);
}

/* Returns a descriptor of the topmost measured cgroup; -1: there is no pressure to read, because
 * groups are processes, or cgroups of version 1. */
static int open_root(const struct maps *m)
{
	int fd = m->per_cgroup && !m->per_process ?
		open(m->pressures->root, O_PATH | O_DIRECTORY | O_CLOEXEC) :
		-1;
	struct statfs fs;

	if (fd < 0 || (!fstatfs(fd, &fs) && fs.f_type == CGROUP2_SUPER_MAGIC))
		return fd;
	close(fd);
	return -1;
}

/* Reads for how long dirty throttling paused the tasks of a group. A pause in progress counts only
 * until @now. */
static void read_pauses(const struct pause *pause, u64 now, struct pressure *to)
{
	u64 until = __atomic_load_n(&pause->until_ns, __ATOMIC_ACQUIRE);
	u64 ns = __atomic_load_n(&pause->ns, __ATOMIC_RELAXED),
	    left = until > now ? until - now : 0;

	to->has_dirty = true;
	/* .ns includes the current pause as a whole, so the time left of this pause is subtracted.
	 * The BPF program sets .until_ns first, and then adds the pause to .ns. In between, .ns
	 * lacks this pause, so it may be less than `left`. */
	to->dirty_ns = ns > left ? ns - left : 0;
}

static void measure_group(struct maps *m, u32 group, int root, u64 now, bool cut)
{
	struct group_pressure *g = &m->pressures->groups[group];
	u64 id = group_id(m, group);
	struct pressure found = {};

	/* If the id differs, the number belongs to a new group. The time of dirty throttling starts
	 * at 0, because BPF programs count it only from the group's first access on. The previous
	 * PSI is not known, because the cgroup may be older than the group. */
	if (g->id != id)
		*g = (struct group_pressure){ .id = id, .last.has_dirty = true };
	if (!id)
		return;
	if (root >= 0)
		read_group(m, group, root, &found);
	if (m->pressures->pauses)
		read_pauses(&m->pressures->pauses[group], now, &found);
	if (found.has_dirty && found.dirty_ns < g->last.dirty_ns)
		found.dirty_ns = g->last.dirty_ns;
	g->now = cut ? pressure_since(&found, &g->last) : found;
	if (cut)
		g->last = found;
}

void pressures_measure(struct maps *m, u64 now, bool cut, struct measurement *to)
{
	int root;

	if (!m->pressures)
		return;
	read_file(AT_FDCWD, MACHINE, &to->pressure);
	root = open_root(m);
	for (u32 i = GROUP_TOP; i < maps_groups(m); i++)
		measure_group(m, i, root, now, cut);
	if (root >= 0)
		close(root);
}

struct pressure pressure_of_group(const struct maps *m, u32 group)
{
	return m->pressures ? m->pressures->groups[group].now : (struct pressure){};
}

void pressure_forget_group(struct maps *m, u32 group)
{
	if (!m->pressures)
		return;
	m->pressures->groups[group] = (struct group_pressure){};
	if (m->pressures->pauses)
		m->pressures->pauses[group] = (struct pause){};
}
