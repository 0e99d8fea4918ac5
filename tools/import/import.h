/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a trace from the output of another tool. An importer implements one format; it is one file
 * that ends with its struct importer. The comment at importers[] in import.c says how to add one.
 *
 * All input files are open at once. The next line is always read from the file with the earliest
 * time, so that concurrent recordings are merged in the order of time. Memory is bounded: one line
 * per file, IMPORT_ORDER accesses, the names, and the memory that the importer documents. */
#ifndef IOSPAN_IMPORT_H
#define IOSPAN_IMPORT_H

#include "user/trace/file.h"
#include "tools/input/access.h"

#define IMPORT_LINE 65536 /* maximum size of a line in bytes, with its line feed */
#define IMPORT_INPUTS 500 /* maximum number of input files */
/* Number of accesses that are held in memory to sort them by their ends. Each takes 64 bytes. */
#define IMPORT_ORDER (1 << 17)
/* result of importer.line() for a comment, which does not prove that the file has the expected
 * format */
#define IMPORT_COMMENT 1

struct import_options {
	const char *from, *output;
	const char *layer; /* layer of the accesses, only for format blkparse; NULL: device */
	/* module to import, only for format dxt; NULL: mpiio if the file has it, otherwise posix */
	const char *module;
	bool usec, skip_bad;
};

struct import_file {
	const char *name; /* name of the input file in messages */
	FILE *f;
	/* Number of the current line in the file. If a quoted cell has line feeds, it is the number
	 * of the first of these lines. */
	u64 line;
	/* number of lines before the current one; number of lines that the current one consists of,
	 * as quotes may join several */
	u64 at_line, lines;
	char *text; /* text of the current line, up to IMPORT_LINE bytes */
	int end;    /* enum line_end: if the current line is usable */
	int error;  /* errno if reading the file failed */
	/* number of valid lines, of faulty lines and of comments; blank lines are not counted */
	u64 taken, bad, comments;
	/* true if the line was read to find its time, but not yet passed to the importer */
	bool ahead;
	/* time of the last line, by which the next file to read is chosen; the importer sets it */
	u64 at_ns;
	/* memory that the importer uses for this file: input_size bytes, zero at first */
	void *own;
};

struct import;

struct importer {
	const char *name;  /* name of the format, as in --format=NAME */
	const char *layer; /* layer of all accesses; NULL: accesses may be of several layers */
	/* true if the lines are already roughly in the order in which accesses end */
	bool sorted;
	bool quoted;	   /* true if quoted text may contain line feeds, as in CSV */
	size_t own_size;   /* size in bytes of import->own, which is zero at first */
	size_t input_size; /* size in bytes of import_file->own, which is zero at first */
	/* Callbacks of the importer; all except line() may be NULL. Those with an int as result
	 * return 0 or, after they have printed the error, -errno; an error ends the import. */
	int (*begin)(struct import *im);
	int (*open)(struct import *im, struct import_file *in);
	/* Sets *@ns to the time of the line @text, if it has one, before line() gets the line. If
	 * this callback is NULL, line() sets import_file.at_ns instead. */
	void (*time)(char *text, u64 *ns);
	/* Handles one line. @text has no line feed at its end and no NUL byte inside; line() may
	 * change it. It returns IMPORT_COMMENT for a comment, which does not prove that the file
	 * has the expected format. */
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
	/* resolution of the times in ns, which the importer sets; 0 means 1 ns */
	u64 resolution_ns;
	/* Importers do not use the members below, except @inputs_n. */
	struct import_file *inputs, *in;
	unsigned inputs_n;
	struct trace_writer *w; /* writer of the trace; NULL before the first access */
	bool created;
	struct trace_place place; /* path of the trace, and its open directory */
	/* identifies the file of the trace, so that only this file is removed after an error */
	struct trace_file_id id;
	import_watch *watch; /* if not NULL, called with each access instead of writing a trace */
	struct import_order *order;
	u64 accesses, bad;
	struct out *losses;
	char *notes[8];
	unsigned notes_n;
	/* path of the cgroup of the last access; @group_number is the number of its name in the
	 * trace */
	char *group;
	u32 group_number;
};

/* Reports that the current line is faulty. Returns the result that line() must return then:
 * -EINVAL, or 0 if the user gave --skip-bad. */
int import_bad(struct import *im, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Reports that the whole input file cannot be imported, even with --skip-bad. Returns -EINVAL. */
int import_refuse(struct import *im, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

const struct importer *import_find(const char *name);

/* Imports the @n files @inputs to the trace @o->output. "-" is the standard input. After an error,
 * the trace is removed. If @watch is not NULL, passes it each access and writes no trace. Returns 0
 * or -errno; prints the error. */
int import_run(const struct import_options *o, char *const *inputs, unsigned n,
	       import_watch *watch);

/* Reads the @n files @inputs and passes their lines to @from->line(), for files that have no
 * accesses, such as lists of jobs. @own becomes import->own. Returns 0 or -errno; prints the
 * error. */
int import_lines(const struct importer *from, void *own, char *const *inputs, unsigned n);

#endif
