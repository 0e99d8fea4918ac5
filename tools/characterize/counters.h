/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What I/O servers count in each interval: the six values of El Sayed, Bolten, Pleiter and
 * Frings (2016), and files that were made where somebody counts them.
 *
 *	         interval 0     1     2 ...
 *	server 0       cell  cell  cell
 *	server 1       cell  cell  cell
 *
 * They come from accesses, or from a log of such counters. */
#ifndef IOSPAN_COUNTERS_H
#define IOSPAN_COUNTERS_H

#include <stdbool.h>
#include <stdio.h>
#include "bpf/types.h"

enum counter {
	COUNTER_READ_BYTES,
	COUNTER_READS,
	COUNTER_OPENS,
	COUNTER_WRITE_BYTES,
	COUNTER_WRITES,
	COUNTER_CLOSES,
	COUNTER_CREATES,
	COUNTERS,
};
extern const char *const counter_names[COUNTERS];

/* Bits of those that a trace has with the calls that open and close files. */
#define COUNTS_OPENS (1U << COUNTER_OPENS | 1U << COUNTER_CLOSES | 1U << COUNTER_CREATES)

enum direction { DIR_READ, DIR_WRITE, DIR_BOTH, DIRECTIONS };

struct moved {
	u128 of[COUNTERS];
	u64 samples; /* of a log: lines that it was made of */
};

struct server {
	char *name;
	struct moved *cells; /* none was added to from @n on */
	u32 n, room;
};

#define CELLS_MAX (4U << 20) /* of all servers: 512 MiB */

struct counters {
	u64 begin_ns, interval_ns;
	u32 n; /* intervals; the last one may be cut by the end */
	struct server *servers;
	u32 servers_n;
	u64 cells, most; /* that there is memory for; that there may be */
	bool full;	 /* there were more */
	unsigned has;	 /* bit per counter: somebody counted that */
};

/* Zeroes and these two are an empty one. */
void counters_begin(struct counters *c, u64 begin_ns, u64 interval_ns);
void counters_release(struct counters *c);

/* Another server, with its number. The name is copied. */
u32 counters_server(struct counters *c, const char *name);

/* The cell to add to; NULL: there are too many. Others may have moved. */
struct moved *counters_reach(struct counters *c, u32 server, u64 interval);

/* The interval of what was done at @end_ns: that of its last nanosecond. */
u64 counters_interval(const struct counters *c, u64 end_ns);

/* There were more, or have no room as a table of all servers and intervals. */
bool counters_full(const struct counters *c);

const struct moved *counters_cell(const struct counters *c, u32 server, u32 interval);

/* Times stay at 2^64 - 1 when they would be more. */
void counters_add(u64 *sum, u64 more);
u128 moved_bytes(const struct moved *cell, enum direction d);
u128 moved_operations(const struct moved *cell, enum direction d);
/* All servers, or all intervals. */
struct moved counters_of_interval(const struct counters *c, u32 interval);
struct moved counters_of_server(const struct counters *c, u32 server);
struct moved counters_total(const struct counters *c);

/* ---- as CSV ---- */

struct counters_log {
	u64 interval_ns;    /* wanted; 0: as the log has it */
	u64 from_ns, to_ns; /* what is wanted of it; to: 0: all */
	bool cumulative;    /* its values are totals so far */
	/* what was found */
	u64 elapsed_ns;	     /* whole samples, so that the last interval may be cut */
	u64 missing, resets; /* samples */
};

/* A line for each interval and server, which can be read again. */
void counters_write(FILE *f, const struct counters *c);

#endif
