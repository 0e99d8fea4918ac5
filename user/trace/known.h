/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names and streams that a reader has read so far. They are found by their numbers in the
 * file. */
#ifndef IOSPAN_TRACE_KNOWN_H
#define IOSPAN_TRACE_KNOWN_H

#include "user/trace/trace.h"

/* An array that is allocated in pages on demand, so that its items never move. */
struct known_list {
	void **pages;
	u32 n_pages, highest;
};

struct known {
	struct known_list names[TRACE_KINDS], streams;
	u32 streams_gapless; /* all streams from 1 to this number are known */
};

/* Adds the names and streams in @raw, the unpacked payload of a NAMES chunk, unless they are known.
 * Returns -EBADMSG if a record is invalid or has a number above @highest. The records before it are
 * added nevertheless. */
int known_read(struct known *k, const u8 *raw, size_t size, u64 highest);
void known_release(struct known *k);

/* Return the name or stream with @number, or NULL if it is not known. */
const struct trace_name *known_name(const struct known *k, u32 kind, u32 number);
const struct trace_stream *known_stream(const struct known *k, u32 number);

#endif
