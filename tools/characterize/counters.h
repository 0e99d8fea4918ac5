/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters of I/O servers per interval: the six of El Sayed, Bolten, Pleiter and Frings (2016,
 * "Performance Counters"), and files created if the source counts them.
 *
 *	         interval 0     1     2 ...
 *	server 0       cell  cell  cell
 *	server 1       cell  cell  cell
 *
 * The source is accesses, or a log of such counters (see counters-csv.h). */
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

/* Bits of the counters that a trace has if it recorded opens and closes. */
#define COUNTS_OPENS (1U << COUNTER_OPENS | 1U << COUNTER_CLOSES | 1U << COUNTER_CREATES)

enum direction { DIR_READ, DIR_WRITE, DIR_BOTH, DIRECTIONS };

/* A cell, or a sum of cells. */
struct moved {
	u128 of[COUNTERS];
	u64 samples; /* lines of the log that were added */
};

struct server {
	char *name;
	struct moved *cells; /* cells of the first @n intervals; later cells are 0 */
	u32 n, room;
};

#define CELLS_MAX (4U << 20) /* cells of all servers: 512 MiB */

struct counters {
	u64 start_ns, interval_ns;
	u32 n; /* intervals; the last one may be cut by the end */
	struct server *servers;
	u32 servers_n;
	u64 cells, most; /* allocated; allowed */
	bool full;	 /* more than @most were needed, so some are missing */
	unsigned has;	 /* bit per enum counter: the source counts it */
};

/* Makes @c empty, with up to CELLS_MAX cells. */
void counters_init(struct counters *c, u64 start_ns, u64 interval_ns);
void counters_release(struct counters *c);

/* Adds a server and returns its number. The name is copied. */
u32 counters_server(struct counters *c, const char *name);

/* Returns the cell to add to, or NULL if the limit is reached. Earlier pointers to cells become
 * invalid. */
struct moved *counters_make_cell(struct counters *c, u32 server, u64 interval);

/* Returns the interval of an operation that ends at @end_ns: that of its last nanosecond. */
u64 counters_interval(const struct counters *c, u64 end_ns);

/* True if cells are missing, or if a table of all servers and intervals would exceed the limit. */
bool counters_full(const struct counters *c);

const struct moved *counters_cell(const struct counters *c, u32 server, u32 interval);

u128 moved_bytes(const struct moved *cell, enum direction d);
u128 moved_operations(const struct moved *cell, enum direction d);

/* Sums over all servers, over all intervals, and over both. */
struct moved counters_of_interval(const struct counters *c, u32 interval);
struct moved counters_of_server(const struct counters *c, u32 server);
struct moved counters_total(const struct counters *c);

/* ---- a log as CSV ---- */

struct counters_log {
	u64 interval_ns;    /* requested; 0: the interval of the log */
	u64 from_ns, to_ns; /* requested, from the start of the log; to_ns 0: the end */
	bool cumulative;    /* values are running totals */
	/* results */
	u64 elapsed_ns; /* a whole number of samples, so the last interval may be cut */
	u64 missing;	/* cells without a sample */
	u64 resets;	/* samples with a lower total than the one before */
};

/* Writes a line per interval and server. counters_read() reads them. */
void counters_write(FILE *f, const struct counters *c);

#endif
