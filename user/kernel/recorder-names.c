// SPDX-License-Identifier: GPL-2.0-or-later
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
#include "user/host/host.h"
#include "user/kernel/measure-groups.h"
#include "user/trace/write.h"

/* What a number of the kernel's was called, from a time on. Numbers are used again: those of
 * files at once, those of processes by what they execute. */
struct naming {
	u64 from_ns;
	u32 number; /* in the trace */
	struct naming *before;
};

struct known {
	u64 id, dev;
	struct naming *now; /* NULL: not called anything yet */
	u32 namings, forget_at;
};
#define NAMINGS 256 /* of a number before any is forgotten */

static int compare(const void *a, const void *b)
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

/* The entry of (@id, @dev), made if there was none; NULL: there are too many. */
static struct known *know(struct namer *names, void **tree, u64 id, u64 dev)
{
	struct known key = { .id = id, .dev = dev }, *new, **found = tfind(&key, tree, compare);

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
	need(tsearch(new, tree, compare));
	return new;
}

/* Nobody asks for what it was called before @settled_ns. Looked for only when there are
 * many, and again when there are twice as many: a file may get a name with each access. */
static void forget(struct known *k, u64 settled_ns)
{
	struct naming *n = k->now;

	for (k->namings = 1; n->from_ns > settled_ns && n->before; n = n->before)
		k->namings++;
	namings_free(n->before);
	n->before = NULL;
	k->forget_at = k->namings < NAMINGS / 2 ? NAMINGS : 2 * k->namings;
}

/* From @from_ns on, @k is called @number. */
static void call(struct namer *names, struct known *k, u64 from_ns, u32 number)
{
	struct naming *n;

	if (k->now && k->now->number == number)
		return;
	names->renamed += k->now != NULL;
	n = need(malloc(sizeof(*n)));
	*n = (struct naming){ from_ns, number, k->now };
	k->now = n;
	if (++k->namings >= k->forget_at)
		forget(k, names->settled_ns);
}

/* What it was called at @ns, or first; *@from_ns becomes no less than since when, if it
 * still is. */
static u32 called(const struct known *k, u64 ns, u64 *from_ns)
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

u32 namer_process(struct namer *names, u32 tgid, u64 ns, u64 *from_ns)
{
	char comm[32] = "";
	struct trace_name name = { .kind = TRACE_PROCESS, .id = tgid, .text = comm };
	struct known *k = tgid ? know(names, &names->processes, tgid, 0) : NULL;

	if (!k)
		return 0;
	if (!k->now) {
		if (names->m->init_pidns)
			host_line(comm, sizeof(comm), "/proc/%u/comm", tgid);
		call(names, k, 0, trace_name(names->w, &name));
	}
	return called(k, ns, from_ns);
}

/* The path of descriptor @fd of process @tgid, if it still is this file. The file's server may not
 * answer any more: only what the kernel knows without asking it is used. */
static void look_for_path(u32 tgid, int fd, u64 inode, u32 dev, char path[PATH_MAX])
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

u32 namer_file(struct namer *names, const struct recorded *a, int fd, u64 ns, u64 *from_ns)
{
	char path[PATH_MAX];
	struct trace_name name = { .kind = TRACE_FILE,
				   .id = a->inode,
				   .dev = a->dev,
				   .text = path };
	struct known *k = a->inode ? know(names, &names->files, a->inode, a->dev) : NULL;

	if (!k)
		return 0;
	if (!k->now) {
		look_for_path(a->tgid, names->m->init_pidns ? fd : -1, a->inode, a->dev, path);
		call(names, k, 0, trace_name(names->w, &name));
	}
	return called(k, ns, from_ns);
}

u32 namer_disk(struct namer *names, u32 disk)
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

u32 namer_group(struct namer *names, u32 group)
{
	const struct maps *m = names->m;
	struct trace_name name = { .kind = TRACE_GROUP };
	char *path;

	group &= ~GROUP_OTHER;
	if (!group || group >= names->groups_n)
		return 0;
	if (names->groups[group])
		return names->groups[group];
	if (group != GROUP_TOP)
		name.parent = namer_group(names, m->groups[group].parent);
	path = maps_group_path(m, group);
	name.id = m->groups[group].id;
	name.text = path;
	names->groups[group] = trace_name(names->w, &name);
	free(path);
	return names->groups[group];
}

/* A path comes in parts, the last one first. The root directory has none. */
static void join_path(const struct named_record *n, char *path)
{
	u32 parts = n->parts < NAMED_PARTS ? n->parts : NAMED_PARTS;

	if (n->parts >= NAMED_PARTS)
		path += sprintf(path, "...");
	else if (!parts)
		strcpy(path, "/");
	while (parts--) {
		const char *part = n->text[parts];
		int length = strnlen(part, NAMED_LENGTH - 1);

		path += sprintf(path, "/%.*s%s", length, part,
				length == NAMED_LENGTH - 1 ? "..." : "");
	}
}

/* It is the same that has been told before: who shares a place in the kernel's table with another
 * is told again and again. */
static bool is_called(const struct namer *names, const struct known *k,
		      const struct trace_name *name)
{
	u32 number = k->now ? k->now->number : 0;

	return number && !strcmp(trace_name_given(names->w, name->kind, number)->text, name->text);
}

void namer_told(struct namer *names, const struct named_record *n)
{
	char path[NAMED_PARTS * (NAMED_LENGTH + 4) + 8] = "";
	bool file = n->kind == NAMED_FILE;
	struct trace_name name = { .kind = file ? TRACE_FILE : TRACE_PROCESS,
				   .id = file ? n->inode : n->tgid,
				   .dev = file ? n->dev : 0,
				   .text = file ? path : n->text[0] };
	struct known *k;

	if (file)
		join_path(n, path);
	k = know(names, file ? &names->files : &names->processes, name.id, name.dev);
	if (!k)
		return;
	if (is_called(names, k, &name)) { /* who was in the middle of it may have come first */
		if (n->from_ns < k->now->from_ns)
			k->now->from_ns = n->from_ns;
		return;
	}
	if (names->told_n < NAMES_MAX) {
		names->told_n++;
		call(names, k, n->from_ns, trace_name(names->w, &name));
	} else if (!k->now || k->now->number) { /* no name is better than that of another */
		names->m->unnamed++;
		call(names, k, n->from_ns, 0);
	}
}

void namer_init(struct namer *names, struct maps *m, struct trace_writer *w)
{
	*names = (struct namer){ .m = m, .w = w, .groups_n = m->max_groups + 1 };
	names->groups = need(calloc(names->groups_n, sizeof(*names->groups)));
	names->disks = need(calloc(MAX_DISKS, sizeof(*names->disks)));
}

void namer_drop(struct namer *names)
{
	tdestroy(names->processes, known_free);
	tdestroy(names->files, known_free);
	free(names->groups);
	free(names->disks);
}
