/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A writer's own: between trace-write.c, which has the files, and trace-pack.c, which
 * makes the chunks. */
#ifndef IOSPAN_TRACE_WRITER_H
#define IOSPAN_TRACE_WRITER_H

#include "user/trace/columns.h"
#include "user/trace/file.h"
#include "user/trace/format.h"
#include "user/trace/trace-names.h"

struct trace_writer {
	char *path;
	struct trace_write_options o;
	char *meta; /* as JSON */
	size_t meta_size;
	u64 row;

	int fd;
	bool made;		   /* the file was not there before */
	u32 file;		   /* number in the row */
	struct trace_file_id *ids; /* of all files of the row, by number */
	u32 id, chunks;		   /* of the file: its chunks so far */
	u64 file_bytes, file_accesses, bytes, accesses;
	u64 whole[LAYERS]; /* accesses without those of TRACE_PART */
	int failed;	   /* -errno, for good */

	struct name_table names;
	struct trace_batch kept; /* accesses for the next chunk */
	u32 room;
	u32 *numbers; /* their streams', in the file */
	struct packer *packer;
	struct bytes raw, out; /* names; chunks to be written at once */
	u32 out_chunks;
};

/* Each adds its chunks to w->out: what is to be written at once. */
void put_meta(struct trace_writer *w);
void put_kept(struct trace_writer *w); /* names, then accesses, if there are any */
void put_sums(struct trace_writer *w, const char *text, size_t size);
void put_end(struct trace_writer *w, bool followed);

/* Leaves out what was not written. */
static inline void put_nothing(struct trace_writer *w)
{
	w->out.n = w->out_chunks = 0;
}

#endif
