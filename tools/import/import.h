/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a trace from another tool's output. An importer is one file that ends with its struct
 * importer. The comment at importers[] in import.c says how to add one.
 *
 * All inputs are open at once. The next line is read from the input with the earliest time, so
 * concurrent recordings are merged in the order of time. Memory is bounded: one line per input,
 * IMPORT_ORDER accesses, the names, and the memory that the importer documents. */
#ifndef IOSPAN_IMPORT_H
#define IOSPAN_IMPORT_H

#include "user/trace/file.h"
#include "tools/input/access.h"

#define IMPORT_LINE 65536 /* maximum length of a line in bytes, with its line feed */
#define IMPORT_INPUTS 500 /* maximum number of inputs */
/* number of accesses that are sorted at a time; each takes 64 bytes */
#define IMPORT_ORDER (1 << 17)
#define IMPORT_COMMENT 1 /* importer.line() returns it for a line that any format may have */

struct import_options {
	const char *from, *output;
	const char *layer;  /* for blkparse only; NULL: device */
	const char *module; /* for dxt only; NULL: mpiio if the file has it, otherwise posix */
	bool usec, skip_bad;
};

struct import_file {
	const char *name; /* name of the input in messages */
	FILE *f;
	/* number of the current line, or of its first line if quotes join several */
	u64 line;
	/* number of lines before the current one, and in the current one */
	u64 at_line, lines;
	char *text; /* the current line, up to IMPORT_LINE bytes */
	int end;    /* enum line_end */
	int error;  /* errno of a failed read */
	/* number of valid lines, faulty lines and comments; blank lines are not counted */
	u64 taken, bad, comments;
	/* true if the line was read, but not yet passed to the importer */
	bool ahead;
	u64 at_ns; /* time of the last line; the importer sets it */
	void *own; /* memory of the importer: input_size bytes, zero at first */
};

struct import;

struct importer {
	const char *name;  /* argument of --format */
	const char *layer; /* layer of all accesses; NULL: the accesses may be of several layers */
	/* true if lines are roughly in the order of ends, so accesses need no sorting */
	bool sorted;
	bool quoted;	   /* true if a line feed between '"' does not end a line */
	size_t own_size;   /* size of import->own, which is zero at first */
	size_t input_size; /* size of import_file->own, which is zero at first */
	/* All of these may be NULL, except line(). Those that return int return 0, or -errno
	 * after printing the error; an error ends the import. */
	int (*begin)(struct import *im);
	int (*open)(struct import *im, struct import_file *in);
	/* Sets *@ns to the time of the line @text before line() gets it, if the line has a time.
	 * If this is NULL, the time of an input is that of its last line. */
	void (*time)(char *text, u64 *ns);
	/* Takes the line @text, which has no line feed and no NUL inside. It may change @text.
	 * It returns IMPORT_COMMENT for a line that any format may have, so that the line does
	 * not prove that the input has this format. */
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
	u64 resolution_ns; /* resolution of the times in ns; 0 means 1 ns */
	/* The importer does not use the fields below, except @inputs_n. */
	struct import_file *inputs, *in;
	unsigned inputs_n;
	struct trace_writer *w; /* writer of the trace; created with the first access */
	bool created;
	struct trace_place place; /* directory and name of the trace */
	struct trace_file_id id;  /* identifies the file of the trace, for its removal */
	import_watch *watch;	  /* if not NULL, it gets the accesses, and no trace is written */
	struct import_order *order;
	u64 accesses, bad;
	struct out *losses;
	char *notes[8];
	unsigned notes_n;
	char *group; /* the last cgroup, with the number of its name in @group_number */
	u32 group_number;
};

/* Reports a fault of the current line. Returns what line() then returns: -EINVAL, or 0 with
 * --skip-bad. */
int import_bad(struct import *im, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Reports that an input cannot be imported. Returns -EINVAL. */
int import_refuse(struct import *im, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Returns the importer with this name, or NULL. */
const struct importer *import_find(const char *name);

/* Imports the files @inputs to the trace @o->output, which is removed after an error. "-" is the
 * standard input. If @watch is not NULL, it gets the accesses and no trace is written. Returns 0
 * or -errno; prints the error. */
int import_run(const struct import_options *o, char *const *inputs, unsigned n,
	       import_watch *watch);

/* Passes the lines of @inputs to @from->line(), with @own as import->own. It is for input that
 * has no accesses. Returns 0 or -errno; prints the error. */
int import_lines(const struct importer *from, void *own, char *const *inputs, unsigned n);

#endif
