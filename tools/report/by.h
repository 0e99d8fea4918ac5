/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables with a row for each process, file, group or disk. */
#ifndef IOSPAN_BY_H
#define IOSPAN_BY_H

#include "tools/report/counts.h"
#include "tools/input/names.h"
#include "tools/report/tally.h"
#include "user/trace/write.h"

/* Reads and writes are one row; what is no part of a total has rows of its own. */
enum by_class { BY_RW, BY_FLUSH, BY_DISCARD, BY_OTHER, BY_SYNC, BY_OPEN, BY_CLASSES };
extern const char *const by_classes[BY_CLASSES];

struct by_entity;

/* Accesses of one entity, layer and class. */
struct by_part {
	struct by_entity *of;
	struct gather gather;
	struct counts counts; /* its own; by_add_up(): with those below */
	struct set set;	      /* with those below */
	struct exact *exact;
	u8 layer, class;
};

struct by_entity {
	u32 number;
	struct by_entity *above; /* of a group */
	bool touched;
	struct by_part *parts[LAYERS][BY_CLASSES];
};

/* All its parts, one after the other; NULL: no access yet. */
#define BY_PARTS (LAYERS * BY_CLASSES)
static inline struct by_part *by_nth(const struct by_entity *e, int i)
{
	return e->parts[i / BY_CLASSES][i % BY_CLASSES];
}

struct by {
	u32 kind; /* enum trace_kind */
	const struct names *names;
	struct by_entity **entities; /* by number; NULL: no access yet */
	u32 n;
	struct by_entity **touched;
	u32 touched_n, touched_room;
};

/* Where a report keeps the part of a stream, among the slots of struct input. */
#define BY_SLOT(kind) (1 + (kind))

void by_init(struct by *by, u32 kind, const struct names *names);
void by_release(struct by *by);

/* Where accesses of @s, with our numbers, go; NULL: nowhere. */
struct by_part *by_part(struct by *by, const struct trace_stream *s);
/* Adds a batch; @parts has the part of each stream, from by_part(). */
void by_batch(struct by *by, const struct trace_batch *b, void *const *parts);

/* Calls @part (NULL: nobody) with reads' and writes' T of an entity and layer. */
void by_settle(struct by *by, u64 before_ns,
	       void (*part)(void *arg, const struct by_part *p, u64 start_ns, u64 end_ns),
	       void *arg);

/* Once, at the end: a group counts what those below it did. */
void by_add_up(struct by *by);
void by_sum(const struct by_part *p, u64 elapsed_ns, struct sum *to);

/* Entities in the order of a report: groups by path, others by bytes, most first. The
 * caller frees the list of @by->n, which may end early with a NULL. */
struct by_entity **by_sorted(const struct by *by);

#endif
