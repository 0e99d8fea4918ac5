/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time of a disk that cgroups share. A cgroup is active while it has a read or write in flight
 * on the disk. It is alone while no other cgroup is active, and shares the disk otherwise. Only its
 * own accesses count, not those of cgroups below it.
 *
 * An access waits in memory until no later access of the trace can start before it. Then the starts
 * and ends of the accesses are handled in the order of time. So the memory does not grow with the
 * length of the trace. It grows with the accesses that wait or are in flight, with the cgroups, and
 * with the pairs of cgroups that were active at the same time. */
#ifndef IOSPAN_REPORT_NEIGHBOURHOOD_H
#define IOSPAN_REPORT_NEIGHBOURHOOD_H

#include "tools/report/counts.h"
#include "user/base/heap.h"
#include "tools/report/by.h"

/* Accesses with a known latency: their number, and the sum of their latencies. */
struct latencies {
	u128 sum_ns;
	u64 accesses;
};

/* A cgroup on a disk. */
struct sharer {
	struct neighbourhood *disk;
	u32 group;	   /* number of the cgroup's name in struct names */
	u32 in_flight;	   /* number of accesses of this cgroup in flight */
	u32 active_number; /* index in disk->active, if .in_flight is not 0 */
	/* time in ns at which the cgroup became active, if .in_flight is not 0 */
	u64 active_ns;
	u64 span_ns, alone_ns;
	/* .alone: accesses that started while no other cgroup was active. .shared: accesses that
	 * started while another cgroup was active. */
	struct latencies alone, shared;
	/* .neighbour: the cgroup with the longest time in which both it and this cgroup were
	 * active; NULL: none. .neighbour_ns: this longest time. neighbourhood_find_neighbours()
	 * sets both fields. */
	const struct sharer *neighbour;
	u64 neighbour_ns;
};

/* An access that waits or is in flight. */
struct heap_access {
	/* time of the next event of this access: its start while it waits, then its end */
	u64 at_ns;
	u64 end_ns; /* time at which the access ends */
	u64 latency_ns;
	u32 group;
	bool has_latency;
};

/* Two cgroups that were active at the same time. */
struct shared_pair {
	u32 less, more; /* numbers of the two cgroups, .less < .more */
	/* time in which both cgroups were active; 0: this element of .pairs is free */
	u64 joint_ns;
};

struct neighbourhood {
	u32 disk; /* number of the disk's name in struct names */
	bool stacked;
	/* indexed by the number of the cgroup; NULL: the cgroup has no access yet */
	struct sharer **sharers;
	u32 sharers_room, sharers_n;
	struct sharer **active; /* the cgroups that are active, in any order */
	u32 active_n;
	/* Heaps of struct heap_access, with the earliest event first. .waiting: accesses that wait.
	 * .flying: accesses in flight. */
	struct heap waiting, flying;
	/* array for accesses that started at .now_ns and are not in .flying yet */
	struct heap_access *starting;
	u32 starting_room;
	/* hash table of the pairs: .pairs_room elements (a power of two), of which .pairs_n are
	 * used */
	struct shared_pair *pairs;
	u32 pairs_n, pairs_room;
	/* .now_ns: time of the event that was handled last. .before_ns: no further access will
	 * start before this time. */
	u64 now_ns, before_ns;
};

/* Returns the time in which both cgroups had a read or write in flight on their disk. */
u64 sharer_joint_ns(const struct sharer *a, const struct sharer *b);

/* Sets sharer.neighbour of all cgroups on the disk. */
void neighbourhood_find_neighbours(struct neighbourhood *s);

static inline u64 sharer_shared_ns(const struct sharer *s)
{
	return s->span_ns - s->alone_ns;
}

/* Returns the mean latency in ns; NaN: there are no accesses. */
double latencies_mean_ns(const struct latencies *l);

/* Returns the slowdown by neighbours: the mean latency of the accesses in s->shared, divided by the
 * mean latency of the accesses in s->alone. NaN: one of the sets is empty, or the sum of the
 * latencies in s->alone is 0. */
double sharer_slowdown(const struct sharer *s);

struct neighbours {
	struct neighbourhood **disks; /* indexed by the number of the disk; NULL: no access yet */
	u32 room;
};

/* Each stream (accesses with the same layer, operation, disk, cgroup, process and file) has an
 * array of slots. The slot with this index points to the struct sharer that counts the accesses of
 * the stream. */
#define NEIGHBOURS_SLOT BY_SLOT(TRACE_KINDS)

void neighbours_release(struct neighbours *n);

/* Returns the struct sharer (a cgroup on a disk) for the accesses of stream @s. The struct belongs
 * to @n. Returns NULL if these accesses are not reads or writes of the device layer. */
struct sharer *neighbours_find(struct neighbours *n, const struct trace_stream *s, bool stacked);

/* Adds a batch of accesses. @sharers[i] is the result of neighbours_find() for stream i. */
void neighbours_batch(const struct trace_batch *b, void *const *sharers);

/* Handles all starts and ends of accesses before @before_ns, on all disks. No later access may
 * start before that time. Call this with ~0 after the last batch. */
void neighbours_settle(struct neighbours *n, u64 before_ns);

#endif
