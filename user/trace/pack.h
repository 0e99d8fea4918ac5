/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of the trace writer. A chunk is the unit in which a trace is written: a head,
 * and a payload of names, accesses or JSON. A stream is a set of attributes, such as disk and
 * process, that many accesses share. Files:
 *
 * write.h         the interface; splits the trace into files
 * pack.h          builds chunks in memory
 * trace-names.h   names and streams, for NAMES chunks
 * columns.h       columns of accesses, for ACCESSES chunks
 * file.h          creates, removes and syncs files
 * format.h        the bytes of heads and names */
#ifndef IOSPAN_TRACE_WRITER_H
#define IOSPAN_TRACE_WRITER_H

#include "user/trace/columns.h"
#include "user/trace/file.h"
#include "user/trace/format.h"
#include "user/trace/trace-names.h"
#include "user/trace/write.h"

struct trace_writer {
	/* directory of the trace, if trace_create() has opened it */
	struct trace_place own;
	const struct trace_place *place;
	struct trace_write_options o;
	char *meta; /* JSON text of the META chunk */
	size_t meta_size;
	u64 row; /* random number that the META chunks of all files of this trace have in common */

	int fd;
	/* true: the writer created the current file; false: an empty file existed before */
	bool made;
	u32 file; /* number of the current file of a split trace, from 0 */
	/* ids[i] identifies file i, so that the writer never removes or syncs a file of another
	 * program */
	struct trace_file_id *ids;
	/* .id: id in the head of the current file. .chunks: number of chunks written to this
	 * file. */
	u32 id, chunks;
	u64 file_bytes, file_accesses; /* bytes and accesses written to the current file */
	u64 bytes, accesses;	       /* bytes and accesses written to all files */
	/* Number of accesses written, by layer. An access may have several records, for instance if
	 * the driver requeued the request. Records of a part of an access (TRACE_PART) are not
	 * counted. */
	u64 whole[LAYERS];
	int failed; /* -errno of the first error that prevents writing; all later calls return it */

	struct name_table names;
	/* accesses in memory that trace_flush() will write as the next chunk */
	struct trace_batch kept;
	u32 room;
	/* numbers[i]: number of the stream of access i in .kept, valid in the current file */
	u32 *numbers;
	struct packer *packer;
	struct bytes raw; /* payload of the chunk that is being built, before compression */
	struct bytes out; /* output buffer: complete chunks for the next write(2) */
	u32 out_chunks;
};

void put_meta(struct trace_writer *w);
/* Clears the output buffer w->out, then appends chunks with the new names and with the accesses
 * that are in memory (w->kept). */
void put_kept(struct trace_writer *w);
void put_sums(struct trace_writer *w, const char *text, size_t size);
void put_end(struct trace_writer *w, bool followed);

static inline void put_nothing(struct trace_writer *w)
{
	w->out.n = w->out_chunks = 0;
}

#endif
