/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names and streams that a trace's reader has seen, by their numbers in the file. */
#ifndef IOSPAN_TRACE_KNOWN_H
#define IOSPAN_TRACE_KNOWN_H

#include "user/trace/trace.h"

/* Grows in pages, so that pointers of known_name() stay valid. */
struct known_list {
	void **pages;
	u32 n_pages, highest;
};

struct known {
	struct known_list names[TRACE_KINDS], streams;
	/* all streams from 1 to this number are known, so accesses with them need no check */
	u32 streams_gapless;
};

/* Adds new names and streams of a decompressed NAMES chunk. Returns -EBADMSG at an invalid record;
 * earlier records stay. */
int known_read(struct known *k, const u8 *raw, size_t size, u64 highest);
void known_release(struct known *k);

/* Return the item with this number in the file, or NULL if no chunk read so far has it. */
const struct trace_name *known_name(const struct known *k, u32 kind, u32 number);
const struct trace_stream *known_stream(const struct known *k, u32 number);

#endif
