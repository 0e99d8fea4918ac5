/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An importer is a C file for one input format. Its struct importer is listed in importers[] in
 * import.c. Several inputs are merged by time: of their next lines, the one with the earliest time
 * is read first. Memory is bounded: one line per input, 131072 accesses, the names of files and
 * processes, and the importer's own data. */
#ifndef IOSPAN_IMPORT_H
#define IOSPAN_IMPORT_H

#include "user/trace/file.h"
#include "tools/input/access.h"
#include "user/base/csv.h"
#include "user/base/heap.h"

#define IMPORT_LINE 65536 /* maximum size of a line in bytes, with its line feed */
#define IMPORT_INPUTS 500
/* Result of importer.line() for a comment. Comments do not prove that the file has the importer's
 * format, but valid lines do. */
#define IMPORT_COMMENT 1

struct import_options {
	const char *from, *output;
	const char *layer; /* layer of the accesses, only for format blkparse; NULL: device */
	/* module to import, only for format dxt; NULL: mpiio if the file has it, otherwise posix */
	const char *module;
	bool usec, skip_bad;
};

struct import_file {
	const char *name;
	FILE *f;
	/* Number of the current line in the file. If a quoted cell of the line contains line feeds,
	 * this is the number of the line's first part. */
	u64 line;
	/* .at_line: number of lines in the file before the current line. .lines: number of lines of
	 * the file that form the current line: more than 1 if a quoted cell has line feeds. */
	u64 at_line, lines;
	char *text;
	/* state of the current line, a value of enum line_end, such as LINE_LONG if the line is too
	 * long */
	int end;
	int error;
	/* .taken: number of valid lines. .bad: number of faulty lines. .comments: number of
	 * comments. Blank lines are not counted. */
	u64 taken, bad, comments;
	/* true if the line was read to find its time, but not yet passed to the importer */
	bool ahead;
	/* time in ns of the last line, set by the importer; the next line is read from the file
	 * with the smallest value */
	u64 at_ns;
	/* memory that the importer uses for this file: input_size bytes, zero at first */
	void *own;
};

struct import;

struct importer {
	const char *name;
	const char *layer; /* layer of all accesses; NULL: accesses may be of several layers */
	/* true if the lines are already roughly in the order in which accesses end */
	bool sorted;
	bool quoted;	   /* true if quoted text may contain line feeds, as in CSV */
	size_t own_size;   /* size in bytes of import->own, which is zero at first */
	size_t input_size; /* size in bytes of import_file->own, which is zero at first */
	/* Callbacks of the importer; all but line() may be NULL. A callback that returns int
	 * returns 0, or -errno after it has printed the error. -errno ends the import. */
	int (*begin)(struct import *im);
	int (*open)(struct import *im, struct import_file *in);
	/* Sets *@ns to the time of line @text, before line() gets the line. If this callback is
	 * NULL, line() itself stores the time in in->at_ns. */
	void (*time)(char *text, u64 *ns);
	/* Handles one line. @text has no line feed and no NUL byte; line() may change it. Returns
	 * IMPORT_COMMENT for a comment. */
	int (*line)(struct import *im, struct import_file *in, char *text);
	int (*end)(struct import *im);
	void (*release)(struct import *im);
	void (*close)(struct import_file *in);
};
extern const struct importer import_blkparse, import_csv, import_dxt, import_fio;

typedef void import_watch(const struct access *x);

struct import {
	const struct importer *from;
	const struct import_options *o;
	void *own;
	/* resolution in ns of the times in the input, set by the importer; 0 means 1 ns */
	u64 resolution_ns;
	/* Of the members below, importers use only .inputs_n. */
	struct import_file *inputs, *in;
	unsigned inputs_n;
	struct trace_writer *w; /* writer of the trace; NULL before the first access */
	bool created;
	struct trace_place place; /* path of the trace, and its open directory */
	/* Identity of the trace file. After an error, iospan removes the file with the trace's name
	 * only if it has this identity. So it never removes a file of another process. */
	struct trace_file_id id;
	/* callback for each access; if it is set, no trace is written; NULL: no callback */
	import_watch *watch;
	/* accesses that are held in memory to sort them by their ends; elements are struct
	 * held_access */
	struct heap order;
	u64 accesses, bad;
	/* number of accesses that were ever added to .order; the next one gets this number
	 * (held_access.number) */
	u64 added;
	struct out *losses;
	char *notes[8];
	unsigned notes_n;
	/* .group: path of the cgroup of the last access. .group_number: number of this path among
	 * the names of the trace. */
	char *group;
	u32 group_number;
};

/* Reports that the current line is faulty. Returns -EINVAL, or 0 with --skip-bad; line() must
 * return this value. */
int import_bad(struct import *im, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Reports that the whole input file cannot be imported, even with --skip-bad. Returns -EINVAL. */
int import_refuse(struct import *im, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

const struct importer *import_find(const char *name);

/* Imports the @n files @inputs into a trace; "-" is stdin. After an error, the trace is removed. If
 * @watch is not NULL, calls @watch with each access and writes no trace. Returns 0 or -errno;
 * prints the error. */
int import_run(const struct import_options *o, char *const *inputs, unsigned n,
	       import_watch *watch);

/* Reads the file @path, and passes its lines to @from->line(). This is for files that have no
 * accesses, such as lists of jobs. @own becomes import->own. Returns 0 or -errno; prints the
 * error. */
int import_lines(const struct importer *from, void *own, const char *path);

/* Completes the trace. @failed is the result of the import so far: 0 or -errno. If the import
 * failed, or if the trace cannot be completed, removes the trace instead. Returns 0 or -errno;
 * prints the error. */
int import_trace_end(struct import *im, int failed);

void import_trace_release(struct import *im);

/* Adds access @x to the trace. The first call creates the trace. Returns 0 or -errno; prints the
 * error. */
int import_add(struct import *im, const struct access *x);

/* Stores a note in the trace. Reports of the trace print the note. Equal notes are stored once. */
void import_note(struct import *im, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Reports that @n accesses or events are missing. Stores @n in the trace under the key @name, such
 * as "bad_lines". If @n is not 0, also prints a warning. */
void import_lost(struct import *im, const char *name, u64 n);

/* ---- single fields of a line of text ---- */

/* Skips blanks at *@s, reads an unsigned number into *@v, and moves *@s past the number. If there
 * is no valid number, returns false and changes nothing. */
bool take_u64(char **s, u64 *v);
/* Like take_u64(), for seconds such as 12.0345 with at most 9 decimals. Stores the time in ns in
 * *@ns. */
bool take_seconds(char **s, u64 *ns);
bool take_char(char **s, char c);

/* Returns the text at *@s up to the next blank, which becomes a NUL, and moves *@s past this NUL.
 * Returns NULL if there is no text. */
char *take_word(char **s);

/* Returns true if @line is a warning that one of Darshan's parsers printed as a comment. */
bool darshan_warns(const char *line);

/* Call csv_take() and csv_either() (user/base/csv.h) for the current line of an input. Report
 * faults by import_bad() and import_refuse(). Return 1 for a row with data, 0 for any other line,
 * such as the header, or -EINVAL. */
int import_csv_take(struct import *im, struct csv *csv, const struct csv_format *format, char *line,
		    void *row);
int import_csv_either(struct import *im, struct csv *csv, const struct csv_format *format, int a,
		      int b);

#endif
