/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names and streams that the reader of a trace has read so far. Each is found by its number in
 * the file. A stream is a set of attributes, such as disk and process, that many accesses share.
 * NAMES chunks, which are parts of the file, have one record for each name and stream. */
#ifndef IOSPAN_TRACE_KNOWN_H
#define IOSPAN_TRACE_KNOWN_H

#include <stddef.h>

#include "user/trace/trace.h"

/* An array that grows in blocks of memory, called pages. Items never move, so the pointers that
 * known_name() returned stay valid. */
struct known_list {
	void **pages;
	u32 n_pages, highest;
};

struct known {
	struct known_list names[TRACE_KINDS], streams;
	/* all streams with numbers from 1 to this number are known, so accesses that refer to them
	 * need no check */
	u32 streams_gapless;
};

/* Adds the names and streams of a NAMES chunk; @raw is its decompressed payload. Returns 0. Returns
 * -EBADMSG if a record is invalid or has a number above @highest. The records before the invalid
 * one are added nevertheless. */
int known_read(struct known *k, const u8 *raw, size_t size, u64 highest);
void known_release(struct known *k);

/* Return the name or stream with number @number in the file; NULL: no chunk read so far has it. */
const struct trace_name *known_name(const struct known *k, u32 kind, u32 number);
const struct trace_stream *known_stream(const struct known *k, u32 number);

#endif
