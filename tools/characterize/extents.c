// SPDX-License-Identifier: GPL-2.0-or-later
/* The lists of span.h hold extents here, with offsets in bytes instead of times. */
#include "tools/characterize/extents.h"

#include <stdlib.h>

#include "user/base/need.h"

/* A list of new extents is merged into the other extents if it has this many elements, and half as
 * many as the others. So each extent is moved only a few times. */
#define NEW_EXTENTS 1024

struct file_extents {
	struct parts all;   /* in order of their offsets */
	struct parts added; /* in any order */
};

/* Moves the new extents to the others. */
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

/* Call this if there are EXTENTS_MAX extents. Joins those that overlap. If more than half of them
 * remain, gives up, because the next calls would soon join them again for little gain. */
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
