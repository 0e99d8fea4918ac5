/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters of I/O servers per interval, computed from accesses or read from a log: the "Performance
 * Counters" of El Sayed, Bolten, Pleiter and Frings 2016. A server is a disk or a file system. A
 * cell has the counters of one server in one interval. */
#ifndef IOSPAN_COUNTERS_H
#define IOSPAN_COUNTERS_H

#include <stdbool.h>
#include <stdio.h>
#include "user/metric/burst.h"

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

/* Bits of opens, closes and creates in struct counters.has. Only some traces record these
 * operations. */
#define COUNTS_OPENS (1U << COUNTER_OPENS | 1U << COUNTER_CLOSES | 1U << COUNTER_CREATES)

enum direction { DIR_READ, DIR_WRITE, DIR_BOTH, DIRECTIONS };

/* The counters of one server in one interval (a cell), or a sum over servers or intervals. */
struct moved {
	u128 of[COUNTERS];
	/* number of lines of the log that were added up in this cell; 0: the log has no line for
	 * the cell */
	u64 samples;
};

struct server {
	char *name;
	/* cells[i] has the counters of interval i. Only the first .n intervals have cells, because
	 * the server did no I/O after them. */
	struct moved *cells;
	u32 n, room;
};

/* maximum number of cells (servers times intervals); they take 512 MiB */
#define CELLS_MAX (4U << 20)

struct counters {
	u64 start_ns, interval_ns;
	/* number of intervals; the last interval is shorter if the observation ended within it */
	u32 n;
	struct server *servers;
	u32 servers_n;
	/* .cells: number of cells that are allocated. .most: largest permitted number of cells. */
	u64 cells, most;
	/* true: the counters of some server and interval are missing, because the number of cells
	 * would have exceeded .most */
	bool full;
	/* bit mask: bit i is set if the log or trace has the counter i of enum counter */
	unsigned has;
};

/* Makes @c empty, without servers, and sets its limit of cells to CELLS_MAX. @start_ns is the start
 * of the first interval. */
void counters_init(struct counters *c, u64 start_ns, u64 interval_ns);
void counters_release(struct counters *c);

u32 counters_server(struct counters *c, const char *name);

/* Returns the cell of @server and @interval, to which the caller adds counts. The cell is made if
 * it does not exist. Returns NULL if there are too many cells. Pointers to cells that were returned
 * before become invalid. */
struct moved *counters_make_cell(struct counters *c, u32 server, u64 interval);

/* Returns the number of the interval to which an operation that ends at @end_ns belongs. An
 * operation that ends exactly at the end of an interval belongs to that interval, not to the
 * next. */
u64 counters_interval(const struct counters *c, u64 end_ns);

/* Returns true if c->full is set, or if the number of servers times the number of intervals is
 * above c->most. */
bool counters_full(const struct counters *c);

const struct moved *counters_cell(const struct counters *c, u32 server, u32 interval);

u128 moved_bytes(const struct moved *cell, enum direction d);
u128 moved_operations(const struct moved *cell, enum direction d);

/* Return sums of counters: of all servers in one interval, of one server over all intervals, and of
 * all servers over all intervals. */
struct moved counters_of_interval(const struct counters *c, u32 interval);
struct moved counters_of_server(const struct counters *c, u32 server);
struct moved counters_total(const struct counters *c);

/* Returns the burstiness and the parallelism in direction @d. An interval has I/O if at least one
 * server moves more than @threshold bytes (c in the paper) in it. */
struct burst counters_burst(const struct counters *c, enum direction d, u64 threshold);

struct counters_log {
	/* interval in ns given by --interval. 0 means the usual time between consecutive lines of
	 * the same server, or the interval of iospan stat. */
	u64 interval_ns;
	/* --from and --to, in ns from the start of the log; to_ns is 0 without --to */
	u64 from_ns, to_ns;
	/* option --cumulative: the counters of the log are running totals */
	bool cumulative;
	/* Duration in ns that the log covers: from the first line or --from, to the end of the time
	 * that the last line covers. The duration need not be a multiple of the interval. */
	u64 elapsed_ns;
	/* number of pairs of server and interval for which the log has no line. A line of iospan
	 * stat is for all servers. */
	u64 missing;
	/* number of lines with a lower total than the server's previous line: the server
	 * restarted */
	u64 resets;
};

/* Writes the counters to @f as CSV, in the format of a log of counters (counters-read.h). */
void counters_write(FILE *f, const struct counters *c);

#endif
