/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The counters of Darshan that iospan uses, and their names in the versions of Darshan. */
#ifndef IOSPAN_DARSHAN_COUNTERS_H
#define IOSPAN_DARSHAN_COUNTERS_H

enum stamp {
	OPEN,
	READ_BEGIN,
	READ_END,
	WRITE_BEGIN,
	WRITE_END,
	META,
	READ,
	WRITE,
	READ_BYTES,
	WRITE_BYTES,
	STAMPS
};

/* Returns the value of enum stamp for the counter @name, such as "POSIX_F_META_TIME"; -1: the
 * counter is not needed. */
int darshan_stamp(const char *name);

#endif
