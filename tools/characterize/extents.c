// SPDX-License-Identifier: GPL-2.0-or-later
/* Counts bytes that were accessed at least once. An extent is a range of bytes. The struct parts of
 * span.h, made for times, holds extents here: .start_ns and .end_ns are offsets in bytes. */
#include "tools/characterize/extents.h"

#include <stdlib.h>

#include "user/base/need.h"

/* New extents of a file are collected in .added. They are merged into .all when .added has at least
 * this many elements, and at least half as many as .all. */
#define NEW_EXTENTS 1024

struct file_extents {
	struct parts all;   /* extents in order of their offsets; none overlap */
	struct parts added; /* new extents in any order, which are not yet in .all */
};

/* Merges f->added into f->all, and joins extents that overlap. */
static void merge_added(struct extents *e, struct file_extents *f)
{
	struct parts both = {};

	e->n -= f->all.n + f->added.n;
	parts_sort(&f->added);
	parts_merge(&both, &f->all, &f->added);
	parts_release(&f->all);
	parts_release(&f->added);
	f->all = both;
	e->n += f->all.n;
}

/* Joins overlapping extents when EXTENTS_MAX extents are in memory. If more than half remain,
 * joining gains too little. Then frees all extents, and sets e->full. */
static void make_room(struct extents *e)
{
	for (u32 i = 0; i < e->files_n; i++)
		merge_added(e, &e->files[i]);
	if (e->n <= EXTENTS_MAX / 2)
		return;
	extents_release(e);
	e->full = true;
}

void extents_add(struct extents *e, u32 file, u64 offset, u64 bytes)
{
	u64 end = bytes > ~0ULL - offset ? ~0ULL : offset + bytes;
	struct file_extents *f;
	struct parts *added;

	if (e->full || !bytes)
		return;
	e->files = need_index(e->files, &e->files_n, file, sizeof(*e->files));
	f = &e->files[file];
	added = &f->added;
	if (added->n && added->at[added->n - 1].end_ns == offset) {
		added->at[added->n - 1].end_ns = end;
		return;
	}
	parts_push(added, (struct part){ offset, end });
	e->n++;
	if (added->n >= NEW_EXTENTS && added->n >= f->all.n / 2)
		merge_added(e, f);
	if (e->n >= EXTENTS_MAX)
		make_room(e);
}

void extents_release(struct extents *e)
{
	for (u32 i = 0; i < e->files_n; i++) {
		parts_release(&e->files[i].all);
		parts_release(&e->files[i].added);
	}
	free(e->files);
	*e = (struct extents){};
}

u128 extents_bytes(struct extents *e)
{
	u128 bytes = 0;

	for (u32 i = 0; i < e->files_n; i++) {
		struct file_extents *f = &e->files[i];

		merge_added(e, f);
		for (u32 k = 0; k < f->all.n; k++)
			bytes += f->all.at[k].end_ns - f->all.at[k].start_ns;
	}
	return bytes;
}
