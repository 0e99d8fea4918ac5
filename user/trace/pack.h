/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Internal header of the trace writer, which has these files:
 *
 * 	write.h		the interface; splits the trace into files
 * 	pack.h		builds chunks in memory
 * 	trace-names.h	names and streams, for NAMES chunks
 * 	columns.h	columns of accesses, for ACCESSES chunks
 * 	file.h		creates, removes and syncs files
 * 	format.h	the bytes of heads and names */
#ifndef IOSPAN_TRACE_WRITER_H
#define IOSPAN_TRACE_WRITER_H

#include "user/trace/columns.h"
#include "user/trace/file.h"
#include "user/trace/format.h"
#include "user/trace/trace-names.h"
#include "user/trace/write.h"

struct trace_writer {
	struct trace_place own; /* used as @place if the caller passed none */
	const struct trace_place *place;
	struct trace_write_options o;
	char *meta; /* JSON text of the META chunk */
	size_t meta_size;
	u64 row; /* random number that all files of this trace have in META */

	int fd;
	bool made;		       /* true if the writer created the current file */
	u32 file;		       /* number of the current file, from 0 */
	struct trace_file_id *ids;     /* ids of all files of the trace, by their numbers */
	u32 id, chunks;		       /* id of the current file; number of chunks written to it */
	u64 file_bytes, file_accesses; /* bytes and accesses written to the current file */
	u64 bytes, accesses;	       /* bytes and accesses written to all files */
	u64 whole[LAYERS];	       /* accesses written by layer, except those with TRACE_PART */
	int failed;		       /* -errno of the first error; later calls return it */

	struct name_table names;
	struct trace_batch kept; /* accesses kept in memory for the next chunk */
	u32 room;		 /* number of accesses for which @kept has room */
	/* for each access in @kept, the number of its stream in the current file */
	u32 *numbers;
	struct packer *packer;
	struct bytes raw; /* payload of a chunk before compression */
	struct bytes out; /* chunks that the next write(2) writes */
	u32 out_chunks;	  /* number of chunks in @out */
};

/* Append chunks to w->out. */
void put_meta(struct trace_writer *w);
/* empties w->out first; appends new names, then the kept accesses */
void put_kept(struct trace_writer *w);
void put_sums(struct trace_writer *w, const char *text, size_t size);
void put_end(struct trace_writer *w, bool followed);

/* Discards the chunks in w->out. */
static inline void put_nothing(struct trace_writer *w)
{
	w->out.n = w->out_chunks = 0;
}

#endif
