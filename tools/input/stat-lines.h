/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the output of `iospan stat --json`: one JSON document per line, and one line per
 * interval. */
#ifndef IOSPAN_INPUT_STAT_LINES_H
#define IOSPAN_INPUT_STAT_LINES_H

#include <stdbool.h>
#include "bpf/types.h"

#define STAT_LINES_FILE "{\"iospan\":" /* first bytes of the output of `iospan stat --json` */

struct out;

struct stat_line {
	const struct out *doc;
	/* Start and end of the interval in ns since 1970. They are computed from the monotonic
	 * clock and the wall clock of the first line, so later changes of the wall clock have no
	 * effect. */
	u64 start_ns, end_ns;
};

/* Calls @fn for each line of the file @path; "-" is stdin. If @fn returns a value other than 0,
 * stops and returns this value. Returns 0 at the end, or -errno; prints the error. */
int stat_lines_each(const char *path, int (*fn)(void *arg, const struct stat_line *line),
		    void *arg);

struct stat_disk {
	const char *name;
	/* index 0: reads; 1: writes */
	double bytes[2], ops[2];
};

/* Reads @disk, an element of "devices", into @to. Returns false if the disk is stacked on other
 * disks, so that its I/O is also counted for those disks. */
bool stat_disk_of(struct stat_disk *to, const struct out *disk);

/* Returns the number at @key of the object @of. Returns 0 if there is no number, or if it is
 * negative. @of may be NULL. */
double stat_amount(const struct out *of, const char *key);

#endif
