// SPDX-License-Identifier: GPL-2.0-or-later
#include "recorder-names.h"

#include <limits.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "err.h"

/* A number of the kernel's, and the trace's for it. */
struct known {
	u64 id, dev;
	u32 number;
};

static int compare(const void *a, const void *b)
{
	const struct known *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return x->dev < y->dev ? -1 : x->dev > y->dev;
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
	need(tsearch(new, tree, compare));
	return new;
}

u32 namer_process(struct namer *names, u32 tgid)
{
	struct trace_name name = { .kind = TRACE_PROCESS, .id = tgid, .text = "" };
	struct known *k;

	k = tgid ? know(names, &names->processes, tgid, 0) : NULL;
	if (k && !k->number)
		k->number = trace_name(names->w, &name);
	return k ? k->number : 0;
}

u32 namer_file(struct namer *names, u64 inode, u32 dev, u32 tgid, int fd)
{
	char path[PATH_MAX] = "", link[64];
	struct trace_name name = { .kind = TRACE_FILE, .id = inode, .dev = dev, .text = path };
	struct known *k;
	ssize_t n = -1;

	k = inode ? know(names, &names->files, inode, dev) : NULL;
	if (!k || k->number)
		return k ? k->number : 0;
	snprintf(link, sizeof(link), "/proc/%u/fd/%d", tgid, fd);
	if (fd >= 0)
		n = readlink(link, path, sizeof(path) - 1);
	path[n > 0 ? n : 0] = '\0';
	k->number = trace_name(names->w, &name);
	return k->number;
}

u32 namer_disk(struct namer *names, u32 disk)
{
	const struct disk_identity *is = &names->m->disks[disk].is;
	struct trace_name name = { .kind = TRACE_DISK, .id = is->dev, .stacked = is->stacked,
				   .text = is->name };

	if (!names->disks[disk])
		names->disks[disk] = trace_name(names->w, &name);
	return names->disks[disk];
}

/* The path of a group, as of the command's own: "/", "/a", "/a/b". */
static void group_path(const struct maps *m, u32 group, char path[PATH_MAX])
{
	char above[PATH_MAX];

	if (group == GROUP_TOP) {
		strcpy(path, "/");
		return;
	}
	group_path(m, m->groups[group].parent & ~GROUP_OTHER, above);
	if (snprintf(path, PATH_MAX, "%s/%s", strcmp(above, "/") ? above : "",
		     m->groups[group].name) >= PATH_MAX)
		path[PATH_MAX - 1] = '\0';
}

u32 namer_group(struct namer *names, u32 group)
{
	const struct maps *m = names->m;
	struct trace_name name = { .kind = TRACE_GROUP };
	char path[PATH_MAX];

	group &= ~GROUP_OTHER;
	if (!group || group >= names->groups_n)
		return 0;
	if (names->groups[group])
		return names->groups[group];
	if (group != GROUP_TOP)
		name.parent = namer_group(names, m->groups[group].parent);
	group_path(m, group, path);
	name.id = m->groups[group].id;
	name.text = path;
	names->groups[group] = trace_name(names->w, &name);
	return names->groups[group];
}

/* A path comes in parts, the last one first. */
static void keep_path(struct namer *names, const struct named_record *n)
{
	char path[NAMED_PARTS * NAMED_LENGTH + 4] = "";
	struct trace_name name = { .kind = TRACE_FILE, .id = n->inode, .dev = n->dev, .text = path };
	u32 parts = n->parts < NAMED_PARTS ? n->parts : NAMED_PARTS;
	size_t used = n->parts >= NAMED_PARTS ? sprintf(path, "...") : 0;
	struct known *k;

	while (parts--)
		used += sprintf(path + used, "/%.*s", NAMED_LENGTH - 1, n->text[parts]);
	k = know(names, &names->files, n->inode, n->dev);
	if (k && names->named_n++ < NAMES_MAX)
		k->number = trace_name(names->w, &name);
}

void namer_told(struct namer *names, const struct named_record *n)
{
	struct trace_name name = { .kind = TRACE_PROCESS, .id = n->tgid, .text = n->text[0] };

	struct known *k;

	if (n->kind == NAMED_FILE) {
		keep_path(names, n);
	} else {
		k = know(names, &names->processes, n->tgid, 0);
		if (k && names->named_n++ < NAMES_MAX)
			k->number = trace_name(names->w, &name);
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
	tdestroy(names->processes, free);
	tdestroy(names->files, free);
	free(names->groups);
	free(names->disks);
}
