/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names and streams as a reader has them: by the numbers of the file. */
#ifndef IOSPAN_TRACE_KNOWN_H
#define IOSPAN_TRACE_KNOWN_H

#include "user/trace/trace.h"
#include "user/trace/write.h"

/* Items stay where they are: pages of them, made when one is there. */
struct known_list {
	void **pages;
	u32 n_pages, highest;
};

struct known {
	struct known_list names[TRACE_KINDS], streams;
	u32 streams_gapless; /* streams 1 to this are all known */
};

/* Takes the names in @raw, the contents of a NAMES chunk, that are not known yet. No
 * number above @highest is one. -EBADMSG: the rest of it makes no sense. */
int known_read(struct known *k, const u8 *raw, size_t size, u64 highest);
void known_release(struct known *k);

const struct trace_name *known_name(const struct known *k, u32 kind, u32 number);
const struct trace_stream *known_stream(const struct known *k, u32 number);

#endif
