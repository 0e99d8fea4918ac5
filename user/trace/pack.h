/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to the writing side of a trace, which has these layers:
 *
 *	write.h		the interface; splits the trace into files
 *	pack.h		builds chunks in memory
 *	trace-names.h	names and streams, for NAMES chunks
 *	columns.h	columns of accesses, for ACCESSES chunks
 *	file.h		creates, removes and syncs files
 *	format.h	the bytes of heads and names */
#ifndef IOSPAN_TRACE_WRITER_H
#define IOSPAN_TRACE_WRITER_H

#include "user/trace/columns.h"
#include "user/trace/file.h"
#include "user/trace/format.h"
#include "user/trace/trace-names.h"
#include "user/trace/write.h"

struct trace_writer {
	struct trace_place own; /* open if the caller gave none */
	const struct trace_place *place;
	struct trace_write_options o;
	char *meta; /* JSON text of META */
	size_t meta_size;
	u64 row; /* random number of the row */

	int fd;
	bool made;		       /* the writer created the file */
	u32 file;		       /* number of the current file in the row */
	struct trace_file_id *ids;     /* ids of all files of the row, by number */
	u32 id, chunks;		       /* id of the current file; chunks written to it */
	u64 file_bytes, file_accesses; /* written to the current file */
	u64 bytes, accesses;	       /* written to all files */
	u64 whole[LAYERS];	       /* accesses written, except those with TRACE_PART */
	int failed;		       /* -errno of the first error; all later calls return it */

	struct name_table names;
	struct trace_batch kept; /* accesses for the next chunk */
	u32 room;		 /* number of accesses that kept has room for */
	u32 *numbers;		 /* the file's numbers of their streams */
	struct packer *packer;
	struct bytes raw; /* a payload before it is packed */
	struct bytes out; /* chunks for the next write */
	u32 out_chunks;	  /* number of chunks in out */
};

/* Append chunks to w->out. */
void put_meta(struct trace_writer *w);
void put_kept(struct trace_writer *w); /* new names, then the kept accesses; empties w->out first */
void put_sums(struct trace_writer *w, const char *text, size_t size);
void put_end(struct trace_writer *w, bool followed);

/* Empties w->out. */
static inline void put_nothing(struct trace_writer *w)
{
	w->out.n = w->out_chunks = 0;
}

#endif
