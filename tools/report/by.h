/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table with rows for each process, file, cgroup or disk. */
#ifndef IOSPAN_BY_H
#define IOSPAN_BY_H

#include "tools/report/counts.h"
#include "tools/input/names.h"
#include "tools/report/tally.h"
#include "user/trace/write.h"

/* Only BY_RW counts in totals. */
enum by_class { BY_RW, BY_FLUSH, BY_DISCARD, BY_OTHER, BY_SYNC, BY_OPEN, BY_CLASSES };
extern const char *const by_classes[BY_CLASSES];

struct by_entity;

struct by_row {
	struct by_entity *entity;
	struct gather gather;
	struct counts counts;	/* counts of the cgroup alone, until by_add_up() */
	struct tally_span span; /* span with the cgroups below */
	struct exact *exact;
	u8 layer, class;
};

struct by_entity {
	u32 number;		 /* number of its name */
	struct by_entity *above; /* parent cgroup, or NULL */
	bool touched;		 /* has accesses in this batch */
	struct by_row *rows[LAYERS][BY_CLASSES];
};

/* Row @i of all rows of an entity; NULL: no access yet. */
#define BY_ROWS (LAYERS * BY_CLASSES)
static inline struct by_row *by_nth_row(const struct by_entity *e, int i)
{
	return e->rows[i / BY_CLASSES][i % BY_CLASSES];
}

struct by {
	u32 kind; /* enum trace_kind */
	const struct names *names;
	struct by_entity **entities; /* [number]; NULL: no access yet */
	u32 n;
	struct by_entity **touched;
	u32 touched_n, touched_room;
};

/* The slot of struct input that has the stream's struct by_row. */
#define BY_SLOT(kind) (1 + (kind))

void by_init(struct by *by, u32 kind, const struct names *names);
void by_release(struct by *by);

/* Returns the row of the stream @s, which has common numbers. Returns NULL for a stacked disk,
 * which has rows only in the table of disks. */
struct by_row *by_find_row(struct by *by, const struct trace_stream *s);

/* Adds a batch; @rows[stream] is from by_find_row(). Call by_settle() before the next batch. */
void by_batch(struct by *by, const struct trace_batch *b, void *const *rows);

/* Settles the spans with accesses in the batch; with @before_ns ~0 all spans. */
void by_settle(struct by *by, u64 before_ns);

/* Adds the counts of cgroups to those above. Call it once, at the end. */
void by_add_up(struct by *by);

void by_sum(const struct by_row *row, u64 elapsed_ns, struct sum *to);

/* Returns the entities in the order of a report: cgroups by path, others by bytes, largest first.
 * The list ends with a NULL; the caller frees it. */
struct by_entity **by_sorted(const struct by *by);

#endif
