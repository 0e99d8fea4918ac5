// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of processes, files, disks and groups in a trace. The trace refers to a name by number. A
 * process or file may have several names, one after another. */
#include "user/kernel/recorder-names.h"

#include <fcntl.h>
#include <limits.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/base/err.h"
#include "user/host/containers.h"
#include "user/host/host.h"
#include "user/kernel/group-states.h"
#include "user/trace/write.h"

/* A name of a process or file, valid from from_ns until the next name. A process gets another name
 * by exec. A file is identified by its device and inode number. If a new file gets the inode number
 * of a removed file, the entry of this number gets another name. */
struct naming {
	u64 from_ns;
	u32 number; /* number of this name in the trace */
	struct naming *before;
};

struct known {
	u64 id, dev;
	struct naming *now; /* latest name; NULL: none yet */
	u32 namings, forget_at;
};
/* if a process or file has NAMINGS names, its old names are freed */
#define NAMINGS 256

static int known_order(const void *a, const void *b)
{
	const struct known *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return x->dev < y->dev ? -1 : x->dev > y->dev;
}

static void namings_free(struct naming *n)
{
	for (struct naming *before; n; n = before) {
		before = n->before;
		free(n);
	}
}

static void known_free(void *node)
{
	struct known *k = node;

	namings_free(k->now);
	free(k);
}

/* Returns the entry (struct known) of a process or file in @tree, and makes it if necessary. (@id,
 * @dev) identifies the process or file. Returns NULL if there are NAMES_MAX entries already. */
static struct known *find_known(struct recorder_names *names, void **tree, u64 id, u64 dev)
{
	struct known key = { .id = id, .dev = dev }, *new, **found = tfind(&key, tree, known_order);

	if (found)
		return *found;
	if (names->known_n == NAMES_MAX) {
		names->m->unnamed++;
		return NULL;
	}
	names->known_n++;
	new = need(malloc(sizeof(*new)));
	*new = key;
	new->forget_at = NAMINGS;
	need(tsearch(new, tree, known_order));
	return new;
}

/* Called when process or file @k has k->forget_at names. Frees the names that were replaced before
 * @settled_ns, because no further access needs them. Then sets k->forget_at to twice the number of
 * names left, so that the next call comes much later. */
static void forget_namings(struct known *k, u64 settled_ns)
{
	struct naming *n = k->now;

	for (k->namings = 1; n->from_ns > settled_ns && n->before; n = n->before)
		k->namings++;
	namings_free(n->before);
	n->before = NULL;
	k->forget_at = k->namings < NAMINGS / 2 ? NAMINGS : 2 * k->namings;
}

/* Gives process or file @k another name, valid from time @from_ns on. @number is the number of the
 * name in the trace. */
static void rename_known(struct recorder_names *names, struct known *k, u64 from_ns, u32 number)
{
	struct naming *n;

	if (k->now && k->now->number == number)
		return;
	names->renamed += k->now != NULL;
	n = need(malloc(sizeof(*n)));
	*n = (struct naming){ from_ns, number, k->now };
	k->now = n;
	if (++k->namings >= k->forget_at)
		forget_namings(k, names->settled_ns);
}

/* Returns the number of the name that @k had at time @ns. If @ns is before its first name,
 * returns the first name. Accesses that end at *@from_ns or later have the same name. If the
 * name is valid only from a later time on, sets *@from_ns to this time. If the name was replaced
 * after @ns, sets *@from_ns to ~0 (never). */
static u32 name_at(const struct known *k, u64 ns, u64 *from_ns)
{
	const struct naming *n = k->now;

	while (n && n->from_ns > ns && n->before)
		n = n->before;
	if (n != k->now)
		*from_ns = ~0ULL;
	else if (n && n->from_ns > *from_ns)
		*from_ns = n->from_ns;
	return n ? n->number : 0;
}

u32 recorder_names_process(struct recorder_names *names, u32 tgid, u64 ns, u64 *from_ns)
{
	char comm[32] = "";
	struct trace_name name = { .kind = TRACE_PROCESS, .id = tgid, .text = comm };
	struct known *k = tgid ? find_known(names, &names->processes, tgid, 0) : NULL;

	if (!k)
		return 0;
	if (!k->now) {
		if (names->m->init_pidns)
			host_line(comm, sizeof(comm), "/proc/%u/comm", tgid);
		rename_known(names, k, 0, trace_name(names->w, &name));
	}
	return name_at(k, ns, from_ns);
}

/* Sets @path to the path of the file that process @tgid has open as @fd. If this is another file
 * than (@inode, @dev), sets @path to "". Reads only attributes that the kernel has in memory,
 * because a network file system may not answer. */
static void find_path(u32 tgid, int fd, u64 inode, u32 dev, char path[PATH_MAX])
{
	int flags = AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT;
	struct statx st;
	char link[64];
	ssize_t n = -1;
	u32 of;

	snprintf(link, sizeof(link), "/proc/%u/fd/%d", tgid, fd);
	if (fd >= 0 && !statx(AT_FDCWD, link, flags, STATX_TYPE | STATX_INO, &st)) {
		of = S_ISBLK(st.stx_mode) ? dev_number(st.stx_rdev_major, st.stx_rdev_minor) :
					    dev_number(st.stx_dev_major, st.stx_dev_minor);
		if (st.stx_ino == inode && of == dev)
			n = readlink(link, path, PATH_MAX - 1);
	}
	path[n > 0 ? n : 0] = '\0';
}

u32 recorder_names_file(struct recorder_names *names, const struct recorded *a, int fd, u64 ns,
			u64 *from_ns)
{
	char path[PATH_MAX];
	struct trace_name name = { .kind = TRACE_FILE,
				   .id = a->inode,
				   .dev = a->dev,
				   .text = path };
	struct known *k = a->inode ? find_known(names, &names->files, a->inode, a->dev) : NULL;

	if (!k)
		return 0;
	if (!k->now) {
		find_path(a->tgid, names->m->init_pidns ? fd : -1, a->inode, a->dev, path);
		rename_known(names, k, 0, trace_name(names->w, &name));
	}
	return name_at(k, ns, from_ns);
}

u32 recorder_names_disk(struct recorder_names *names, u32 disk)
{
	const struct disk_identity *is = &names->m->disks[disk].is;
	struct trace_name name = { .kind = TRACE_DISK,
				   .id = is->dev,
				   .stacked = is->stacked,
				   .text = is->name };

	if (!names->disks[disk])
		names->disks[disk] = trace_name(names->w, &name);
	return names->disks[disk];
}

u32 recorder_names_group(struct recorder_names *names, u32 group)
{
	const struct maps *m = names->m;
	struct trace_name name = { .kind = TRACE_GROUP };
	char *path, *containers;

	group &= ~GROUP_OTHER;
	if (!group || group >= names->groups_n)
		return 0;
	if (names->groups[group])
		return names->groups[group];
	if (group != GROUP_TOP)
		name.parent = recorder_names_group(names, m->groups[group].parent);
	path = group_path(m, group);
	name.id = m->groups[group].id;
	name.text = path;
	name.names = containers = container_names(path);
	names->groups[group] = trace_name(names->w, &name);
	free(containers);
	free(path);
	return names->groups[group];
}

struct mount_place {
	u32 dev;
	char *path;
};

static bool set_mount(const struct mount *m, void *arg)
{
	const struct mount_place *of = arg;

	if (dev_number(m->major, m->minor) != of->dev || strcmp(m->root, "/") != 0)
		return false;
	if (strcmp(m->point, "/") != 0)
		snprintf(of->path, PATH_MAX, "%s", m->point);
	return true;
}

/* Sets @path to the mount point of file system @dev. If the mount point is / or unknown, sets @path
 * to "". Returns a pointer to the end of the text. */
static char *find_mount(u32 dev, char path[PATH_MAX])
{
	struct mount_place of = { dev, path };

	*path = '\0';
	host_mounts("/proc/self/mountinfo", set_mount, &of);
	return path + strlen(path);
}

/* Writes the path of the file in @n to @path. @n has the components of the path in reverse
 * order. */
static void join_path(const struct named_record *n, char *path)
{
	u32 i = n->components < NAMED_COMPONENTS ? n->components : NAMED_COMPONENTS;

	if (!n->in_mount)
		path = find_mount(n->dev, path);
	if (n->components >= NAMED_COMPONENTS)
		path += sprintf(path, "...");
	else if (!i)
		strcpy(path, "/");
	while (i--) {
		const char *component = n->text[i];
		int length = strnlen(component, NAMED_LENGTH - 1);

		path += sprintf(path, "/%.*s%s", length, component,
				length == NAMED_LENGTH - 1 ? "..." : "");
	}
}

/* Returns true if the latest name of @k is already @name. BPF programs may record a name several
 * times. */
static bool has_name(const struct recorder_names *names, const struct known *k,
		     const struct trace_name *name)
{
	u32 number = k->now ? k->now->number : 0;

	return number && !strcmp(trace_name_given(names->w, name->kind, number)->text, name->text);
}

void recorder_names_add(struct recorder_names *names, const struct named_record *n)
{
	char path[PATH_MAX + NAMED_COMPONENTS * (NAMED_LENGTH + 4) + 8] = "";
	bool file = n->kind == NAMED_FILE;
	struct trace_name name = { .kind = file ? TRACE_FILE : TRACE_PROCESS,
				   .id = file ? n->inode : n->tgid,
				   .dev = file ? n->dev : 0,
				   .text = file ? path : n->text[0] };
	struct known *k;

	if (file)
		join_path(n, path);
	k = find_known(names, file ? &names->files : &names->processes, name.id, name.dev);
	if (!k)
		return;
	/* @k already has this name. Names from two CPUs may arrive in the wrong order. So the new
	 * record may show that the name was valid even earlier. */
	if (has_name(names, k, &name)) {
		if (n->from_ns < k->now->from_ns)
			k->now->from_ns = n->from_ns;
		return;
	}
	if (names->added_n < NAMES_MAX) {
		names->added_n++;
		rename_known(names, k, n->from_ns, trace_name(names->w, &name));
		/* There are already NAMES_MAX names, so the new name is not stored. The old name is
		 * wrong from now on, so @k has none. */
	} else if (!k->now || k->now->number) {
		names->m->unnamed++;
		rename_known(names, k, n->from_ns, 0);
	}
}

void recorder_names_init(struct recorder_names *names, struct maps *m, struct trace_writer *w)
{
	*names = (struct recorder_names){ .m = m, .w = w, .groups_n = m->max_groups + 1 };
	names->groups = need(calloc(names->groups_n, sizeof(*names->groups)));
	names->disks = need(calloc(MAX_DISKS, sizeof(*names->disks)));
}

void recorder_names_release(struct recorder_names *names)
{
	tdestroy(names->processes, known_free);
	tdestroy(names->files, known_free);
	free(names->groups);
	free(names->disks);
}
