/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table of report --by. Each access belongs to a stream: the accesses with the same layer,
 * operation, disk, cgroup, process and file. A batch is accesses that are read from a trace
 * together. An entity is a process, file, cgroup or disk. A row has the accesses of one entity,
 * layer and class of operations. T is the time with at least one access in flight. */
#ifndef IOSPAN_BY_H
#define IOSPAN_BY_H

#include "tools/report/counts.h"
#include "tools/input/names.h"
#include "tools/report/tally.h"
#include "user/trace/write.h"

/* Classes of operations. An entity (process, file, cgroup or disk) has a row per class. Totals
 * include only BY_RW, reads and writes. */
enum by_class { BY_RW, BY_FLUSH, BY_DISCARD, BY_OTHER, BY_SYNC, BY_OPEN, BY_CLASSES };
extern const char *const by_classes[BY_CLASSES];

struct by_entity;

struct by_row {
	struct by_entity *entity;
	struct gather gather;
	/* accesses of the entity itself; for a cgroup, by_add_up() adds those of its children */
	struct counts counts;
	/* T (time with an access in flight) of the entity; T of a cgroup includes its children */
	struct tally_span span;
	struct exact *exact;
	u8 layer, class;
};

struct by_entity {
	u32 number;		 /* number of the entity's name in struct names */
	struct by_entity *above; /* the parent of a cgroup; NULL: none */
	bool touched;		 /* true if the entity has accesses in the current batch */
	struct by_row *rows[LAYERS][BY_CLASSES];
};

/* Number of rows of an entity: one per layer and class. by_nth_row() returns row @i of @e, or NULL
 * if this row has no access yet. */
#define BY_ROWS (LAYERS * BY_CLASSES)
static inline struct by_row *by_nth_row(const struct by_entity *e, int i)
{
	return e->rows[i / BY_CLASSES][i % BY_CLASSES];
}

struct by {
	u32 kind; /* kind of the table's entities, an enum trace_kind */
	const struct names *names;
	const struct metric *sort; /* metric by which the table is sorted; NULL: by name */
	/* entities[i]: the entity that has the name with number i; NULL: it has no access yet */
	struct by_entity **entities;
	u32 n;
	struct by_entity **touched;
	u32 touched_n, touched_room;
};

/* Each stream has an array of slots (pointers to the objects that count its accesses). The slot
 * with this index points to the stream's row in the table of --by for @kind. */
#define BY_SLOT(kind) (1 + (kind))

void by_init(struct by *by, u32 kind, const struct names *names, const struct metric *sort);
void by_release(struct by *by);

/* Returns the row for the accesses of stream @s. @s contains the numbers of its names in struct
 * names. Only the table of disks has rows for stacked disks. So in other tables, returns NULL for a
 * stacked disk. */
struct by_row *by_find_row(struct by *by, const struct trace_stream *s);

/* Adds a batch of accesses. @rows[i] is the result of by_find_row() for stream i. Call by_settle()
 * before the next batch. */
void by_batch(struct by *by, const struct trace_batch *b, void *const *rows);

/* Ends the batch that by_batch() added last. Makes T of its rows final up to @before_ns, because no
 * later access starts before that time. If @before_ns is ~0, makes T of all rows final. */
void by_settle(struct by *by, u64 before_ns);

/* Adds the counts of each cgroup to those of its parents. Call this once, after the last batch. */
void by_add_up(struct by *by);

void by_sum(const struct by_row *row, u64 elapsed_ns, struct sum *to);

/* Returns a list of the entities, sorted by descending values of by->sort, or by name if by->sort
 * is NULL. The list ends with NULL. The caller frees it. */
struct by_entity **by_sorted(const struct by *by);

#endif
