// SPDX-License-Identifier: GPL-2.0-or-later
/* The history of each row of iospan top: its busy fraction in each of the last intervals. The busy
 * fraction is the time with accesses in flight, divided by the length of the interval. */
#include "user/top/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/need.h"

#define LEVELS 9 /* number of levels into which the busy fraction is divided; level 0 is idle */

enum { OF_DISK, OF_GROUP, OF_OTHERS };

struct history_row {
	u64 id; /* device number of the disk, or number of the cgroup or process */
	u32 kind;
	/* busy fraction of each interval as a level, 0 .. LEVELS - 1; the last element is for the
	 * latest interval */
	u8 level[HISTORY];
};

static int by_identity(const void *a, const void *b)
{
	const struct history_row *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

static struct history_row *find(const struct history *h, u64 id, u32 kind)
{
	const struct history_row key = { .id = id, .kind = kind };

	return h->n ? bsearch(&key, h->rows, h->n, sizeof(key), by_identity) : NULL;
}

static u8 level_of(const struct sum *s)
{
	double busy = metric_value(s, KEY_BUSY);

	return isnan(busy) ? 0 : fmin(ceil(busy * (LEVELS - 1)), LEVELS - 1);
}

/* Stores the busy fraction in the last interval, as a level, in the row with @id and @kind. If
 * there is no such row, adds it at the end and increases *@more, the number of rows that were added
 * in this interval. */
static void set_last(struct history *h, unsigned *more, u64 id, u32 kind, const struct sum *s)
{
	struct history_row *row = find(h, id, kind);

	if (!row) {
		row = &h->rows[h->n + (*more)++];
		*row = (struct history_row){ .id = id, .kind = kind };
	}
	row->level[HISTORY - 1] = level_of(s);
}

static void forget_idle(struct history *h)
{
	static const u8 idle[HISTORY];
	unsigned n = 0;

	for (unsigned i = 0; i < h->n; i++)
		if (memcmp(h->rows[i].level, idle, HISTORY))
			h->rows[n++] = h->rows[i];
	h->n = n;
}

void history_add(struct history *h, const struct measurement *m, enum layer layer)
{
	unsigned more = 0, room = h->n + m->disks_n + m->groups_n + 1;

	h->rows = need(reallocarray(h->rows, room, sizeof(*h->rows)));
	for (unsigned i = 0; i < h->n; i++) {
		memmove(h->rows[i].level, h->rows[i].level + 1, HISTORY - 1);
		h->rows[i].level[HISTORY - 1] = 0;
	}
	for (unsigned i = 0; i < m->disks_n; i++)
		set_last(h, &more, m->disks[i].dev, OF_DISK, &m->disks[i].all);
	for (unsigned i = 0; i < m->groups_n; i++)
		set_last(h, &more, m->groups[i].id, OF_GROUP, group_layer(&m->groups[i], layer));
	set_last(h, &more, 0, OF_OTHERS, group_layer(&m->others, layer));
	h->n += more;
	forget_idle(h);
	qsort(h->rows, h->n, sizeof(*h->rows), by_identity);
}

void history_release(struct history *h)
{
	free(h->rows);
	*h = (struct history){};
}

char *history_text(const struct history *h, const struct disk_sum *d, const struct group_sum *g,
		   unsigned columns, bool ascii)
{
	const struct history_row *row = d ? find(h, d->dev, OF_DISK) :
		g->path			  ? find(h, g->id, OF_GROUP) :
					    find(h, 0, OF_OTHERS);
	static const char *const blocks[LEVELS] = { " ",      "\u2581", "\u2582",
						    "\u2583", "\u2584", "\u2585",
						    "\u2586", "\u2587", "\u2588" };
	static const char *const characters[LEVELS] = {
		" ", ".", ":", "-", "=", "+", "*", "%", "#"
	};
	char *text = need(calloc(columns + 1, strlen(blocks[1])));

	for (unsigned i = 0; i < columns; i++) {
		unsigned ago = columns - i;
		u8 level = row && ago <= HISTORY ? row->level[HISTORY - ago] : 0;

		strcat(text, ascii ? characters[level] : blocks[level]);
	}
	return text;
}
