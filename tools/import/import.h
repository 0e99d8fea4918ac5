/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a trace of another tool's output. An importer is one file that ends in a const struct
 * importer; importers[] in import.c says how to add one.
 *
 * All inputs are open at once. The next line is read from the input with the earliest time, so
 * concurrent recordings are merged in the order of time. Memory is bounded: one line per input,
 * IMPORT_ORDER accesses, the names, and what the importer documents. */
#ifndef IOSPAN_IMPORT_H
#define IOSPAN_IMPORT_H

#include "user/trace/file.h"
#include "tools/input/access.h"

#define IMPORT_LINE 65536      /* bytes of a line, with its end */
#define IMPORT_INPUTS 500      /* most inputs open at once */
#define IMPORT_ORDER (1 << 17) /* accesses that are sorted, 64 bytes each */
#define IMPORT_COMMENT 1       /* see importer.line */

struct import_options {
	const char *from, *output;
	const char *layer;  /* blkparse; NULL: device */
	const char *module; /* dxt; NULL: mpiio if the file has it, else posix */
	bool usec, skip_bad;
};

struct import_file {
	const char *name; /* name for messages */
	FILE *f;
	u64 line;		  /* number of the current line; the first if quotes join several */
	u64 at_line, lines;	  /* lines before the current one; lines in it */
	char *text;		  /* the current line, up to IMPORT_LINE bytes */
	int end;		  /* enum line_end */
	int error;		  /* errno of the file */
	u64 taken, bad, comments; /* lines that are not blank, by the result of line() */
	bool ahead;		  /* the line is read, but not yet taken */
	u64 at_ns;		  /* set by the importer: time of the last line */
	void *own;		  /* the importer's, importer->input_size zeros */
};

struct import;

struct importer {
	const char *name;  /* word for --format */
	const char *layer; /* layer of all accesses; NULL: they may differ */
	bool sorted;	   /* lines are about in the order of ends; do not sort */
	bool quoted;	   /* a line feed between '"' does not end a line */
	size_t own_size;   /* size of import->own, which is zeroed */
	size_t input_size; /* size of import_file->own, which is zeroed */
	/* All but line() may be NULL. They return 0 or -errno, which ends the import, and print the
	 * error. */
	int (*begin)(struct import *im);
	int (*open)(struct import *im, struct import_file *in);
	/* Sets *@ns to the time of a line before it is taken, if the line has one. NULL: the time
	 * of an input is that of its last line. */
	void (*time)(char *text, u64 *ns);
	/* Takes a line without its end. May change @text, which has no NUL. Returns IMPORT_COMMENT
	 * if the line may be of any format. */
	int (*line)(struct import *im, struct import_file *in, char *text);
	int (*end)(struct import *im);
	void (*release)(struct import *im);
	void (*close)(struct import_file *in);
};
extern const struct importer import_blkparse, import_csv, import_dxt, import_fio;

typedef void import_watch(const struct access *x);

struct import_order;
struct import {
	const struct importer *from;
	const struct import_options *o;
	void *own;
	u64 resolution_ns; /* resolution of the times; 0: 1 ns */
	/* an importer does not use the fields below, except @inputs_n */
	struct import_file *inputs, *in;
	unsigned inputs_n;
	struct trace_writer *w; /* created with the first access */
	bool created;
	struct trace_place place; /* of the trace */
	struct trace_file_id id;  /* id of the trace */
	import_watch *watch;	  /* gets the accesses; no trace is written */
	struct import_order *order;
	u64 accesses, bad;
	struct out *losses;
	char *notes[8];
	unsigned notes_n;
	char *group; /* last cgroup, and its number */
	u32 group_number;
};

/* Reports a fault of the current line. Returns the result of line(): -EINVAL, or 0 with
 * --skip-bad. */
int import_bad(struct import *im, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Reports that an input cannot be imported. Returns -EINVAL. */
int import_refuse(struct import *im, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Returns the importer of that name, or NULL. */
const struct importer *import_find(const char *name);

/* Imports @inputs, "-" for the standard input, to @o->output, which is removed after an error. If
 * @watch is not NULL, it gets the accesses, and no trace is written. Returns 0 or -errno; prints
 * the error. */
int import_run(const struct import_options *o, char *const *inputs, unsigned n,
	       import_watch *watch);

/* Passes the lines of @inputs to @from->line(), with @own as import->own, for input that has no
 * accesses. Returns 0 or -errno; prints the error. */
int import_lines(const struct importer *from, void *own, char *const *inputs, unsigned n);

#endif
