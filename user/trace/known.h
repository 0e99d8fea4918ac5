/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names (of disks, cgroups, processes and files) and streams that a reader of a trace has seen
 * so far. They are looked up by the numbers that they have in the file. */
#ifndef IOSPAN_TRACE_KNOWN_H
#define IOSPAN_TRACE_KNOWN_H

#include "user/trace/trace.h"

/* An array that grows in pages. Items never move, so the pointers that known_name() returned stay
 * valid. */
struct known_list {
	void **pages;
	u32 n_pages, highest;
};

struct known {
	struct known_list names[TRACE_KINDS], streams;
	/* streams 1 to this number are all known, so that accesses with these numbers need no
	 * check */
	u32 streams_gapless;
};

/* Adds the names and streams of a NAMES chunk: @raw is its decompressed payload. Ignores those that
 * are known already. Returns -EBADMSG if a record is invalid or has a number above @highest; the
 * records before that one are added nevertheless. */
int known_read(struct known *k, const u8 *raw, size_t size, u64 highest);
void known_release(struct known *k);

/* Look up a name or stream by its number in the file. Return NULL if no chunk read so far has
 * it. */
const struct trace_name *known_name(const struct known *k, u32 kind, u32 number);
const struct trace_stream *known_stream(const struct known *k, u32 number);

#endif
