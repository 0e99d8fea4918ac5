/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples of the counters of I/O servers, from which a log of counters is made. A sample has the
 * counters of one source at one time. A source is a server, or a part of it such as one of its file
 * systems. */
#ifndef IOSPAN_CHARACTERIZE_LOG_SAMPLES_H
#define IOSPAN_CHARACTERIZE_LOG_SAMPLES_H

#include "tools/characterize/counters.h"
#include "tools/input/names.h"

#define SAMPLES_MAX (4U << 20) /* maximum number of samples; in memory they take 288 MiB */
#define SERVERS_MAX (1U << 16)
/* separates the name of the server from the name of its part, in the name of a source */
#define LOG_SAMPLES_PART "\1"

struct sample {
	/* start of the time that the sample covers; its middle if log_samples.lines is not NULL */
	u64 time_ns;
	/* number of the source, from 1 on; log_samples_make() replaces it by the number of the
	 * server in struct counters, from 0 on */
	u32 server;
	u64 of[COUNTERS];
};

/* A line of iospan stat: the time that it covers. */
struct log_line {
	u64 start_ns, end_ns;
};

u64 log_line_middle(const struct log_line *line);

struct log_samples {
	/* names of the sources, stored as names of disks, because struct names has no kind for
	 * servers */
	struct names names;
	struct sample *at;
	u32 n;
	unsigned has; /* bit i: the samples have the counter i of enum counter */
	/* true: the counters are running totals, even without the option --cumulative */
	bool are_totals;
	/* All lines of a log that leaves out idle servers, as iospan stat does. NULL: each line of
	 * the log is a sample. */
	struct log_line *lines;
	u32 lines_n;
};

/* Adds a sample of the source @source. @of has COUNTERS numbers. Returns 0; -E2BIG: there are
 * too many samples; -EUSERS: too many sources. Prints nothing. */
int log_samples_add(struct log_samples *s, const char *source, u64 time_ns, const u64 *of);

/* Adds a line of a log that leaves out idle servers. Returns 0; -E2BIG: there are too many lines.
 * Prints nothing. */
int log_samples_add_line(struct log_samples *s, u64 start_ns, u64 end_ns);

/* Prints an error about @path if @ret is an error of log_samples_add(). Returns @ret. */
int log_samples_full(const char *path, int ret);
void log_samples_release(struct log_samples *s);

/* Adds up the samples per server and interval, and stores the sums in @c. Sets .elapsed_ns,
 * .missing and .resets of @log. Returns 0 or -errno; prints the error. */
int log_samples_make(struct log_samples *s, struct counters *c, const char *path,
		     struct counters_log *log);

#endif
