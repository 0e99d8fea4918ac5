/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters of I/O servers per interval: the six of El Sayed, Bolten, Pleiter and Frings (2016,
 * "Performance Counters"), and files created if the source counts them. A cell has the counters of one
 * server in one interval:
 *
 *	         interval 0     1     2 ...
 *	server 0       cell  cell  cell
 *	server 1       cell  cell  cell
 *
 * They are computed from accesses, or read from a log of such counters (see counters-csv.h). */
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

/* Bits of struct counters.has for the counters that only traces with opens and closes have. */
#define COUNTS_OPENS (1U << COUNTER_OPENS | 1U << COUNTER_CLOSES | 1U << COUNTER_CREATES)

enum direction { DIR_READ, DIR_WRITE, DIR_BOTH, DIRECTIONS };

/* The counters of a cell, or of a sum of cells. */
struct moved {
	u128 of[COUNTERS];
	u64 samples; /* number of lines of the log that were added to the cell */
};

struct server {
	char *name;
	/* cells of the first @n intervals; the cells of later intervals are 0 */
	struct moved *cells;
	u32 n, room;
};

#define CELLS_MAX (4U << 20) /* maximum number of cells of all servers; they take 512 MiB */

struct counters {
	u64 start_ns, interval_ns;
	u32 n; /* number of intervals; the end of the observation may cut the last one */
	struct server *servers;
	u32 servers_n;
	u64 cells, most; /* number of cells that are allocated, and that may be allocated */
	bool full;	 /* true if more than @most cells were needed, so that some are missing */
	unsigned has;	 /* one bit per enum counter, set if the source has this counter */
};

/* Makes @c empty. It may grow to CELLS_MAX cells. */
void counters_init(struct counters *c, u64 start_ns, u64 interval_ns);
void counters_release(struct counters *c);

/* Adds a server and returns its number. Copies @name. */
u32 counters_server(struct counters *c, const char *name);

/* Returns a pointer to the cell of @server and @interval, which is allocated if needed. Returns
 * NULL if there are too many cells. Earlier pointers to cells become invalid. */
struct moved *counters_make_cell(struct counters *c, u32 server, u64 interval);

/* Returns the number of the interval in which an operation that ends at @end_ns counts. That is
 * the interval of its last nanosecond. */
u64 counters_interval(const struct counters *c, u64 end_ns);

/* Returns true if cells are missing, or if a table of all servers and intervals would have too
 * many cells. */
bool counters_full(const struct counters *c);

const struct moved *counters_cell(const struct counters *c, u32 server, u32 interval);

u128 moved_bytes(const struct moved *cell, enum direction d);
u128 moved_operations(const struct moved *cell, enum direction d);

/* These functions return the sum of cells over all servers, over all intervals, or over both. */
struct moved counters_of_interval(const struct counters *c, u32 interval);
struct moved counters_of_server(const struct counters *c, u32 server);
struct moved counters_total(const struct counters *c);

/* ---- a log of counters as CSV ---- */

struct counters_log {
	u64 interval_ns; /* interval that was requested; 0: the interval of the log */
	/* range that was requested, from the start of the log; to_ns 0: to its end */
	u64 from_ns, to_ns;
	bool cumulative; /* true if the values are running totals */
	/* counters_read() sets the following fields. */
	/* length of the log in whole samples, so the last interval may be shorter */
	u64 elapsed_ns;
	u64 missing; /* number of cells without a sample */
	u64 resets;  /* number of samples with a lower total than the sample before */
};

/* Writes a line for each interval and server. counters_read() can read the result. */
void counters_write(FILE *f, const struct counters *c);

#endif
