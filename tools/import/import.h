/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Import: a trace that another tool took, as one of ours.
 *
 * An importer is one file that ends in one const struct importer. To add one: write
 * tools/import-FORMAT.c, declare it below, add it to importers[] in import.c, describe it
 * in Documentation/iospan-import.rst, and add its cases to tests/commands/import.py and
 * a fuzz target to tests/fuzz.
 *
 * All inputs are open at once, and the next line comes from the one that is furthest
 * behind in time: so traces of the same time become one in the order of time. Memory is
 * bounded: IMPORT_LINE for a line of each, IMPORT_ORDER accesses to be sorted, what the importer
 * says of itself, and the names. */
#ifndef IOSPAN_IMPORT_H
#define IOSPAN_IMPORT_H

#include "user/trace/file.h"
#include "tools/input/access.h"

#define IMPORT_LINE 65536      /* bytes of a line, with its end */
#define IMPORT_INPUTS 500      /* open at once */
#define IMPORT_ORDER (1 << 17) /* accesses, 64 bytes each */
#define IMPORT_COMMENT 1

struct import_options {
	const char *from, *output;
	const char *layer;  /* blkparse: NULL is device */
	const char *module; /* dxt: NULL is mpiio where there is any */
	bool usec, skip_bad;
};

struct import_file {
	const char *name; /* for messages */
	FILE *f;
	u64 line;	    /* number of the current one, its first if several */
	u64 at_line, lines; /* before it; in it */
	char *text;	    /* of IMPORT_LINE bytes: the line */
	int end;	    /* how it ended */
	int error;	    /* of the file, instead of a line */
	/* lines with a text in them: taken; skipped; that files of other formats have, too */
	u64 taken, bad, comments;
	bool ahead; /* it is read, but not yet taken */
	u64 at_ns;  /* importer: the time that it has come to */
	void *own;  /* the importer's, importer->input_size zeros */
};

struct import;

struct importer {
	const char *name;  /* what --from calls it */
	const char *layer; /* that all its accesses are of; NULL: no such */
	bool sorted;	   /* lines come about in the order of ends: keep it */
	bool quoted;	   /* a line goes on while '"' are odd in it */
	size_t own_size;   /* of import->own, zeros before begin() */
	size_t input_size;
	/* All but line() may be NULL. Negative errno, printed: the import fails. */
	int (*begin)(struct import *im);
	int (*open)(struct import *im, struct import_file *in);
	/* When a line is of, if it can be told: then lines are taken in the order of time
	 * over all inputs, else from that which came least far with the one before. */
	void (*time)(char *text, u64 *ns);
	/* A line without its end. @text may be changed; no NUL is in it. IMPORT_COMMENT: nothing
	 * in the line shows that the file is of the format. */
	int (*line)(struct import *im, struct import_file *in, char *text);
	int (*end)(struct import *im);
	void (*release)(struct import *im);
	void (*close)(struct import_file *in);
};
extern const struct importer *const importers[]; /* NULL-ended */
extern const struct importer import_blkparse, import_csv, import_dxt, import_fio;

typedef void import_watch(const struct access *x);

struct import_order;
struct import {
	const struct importer *from;
	const struct import_options *o;
	void *own;
	u64 resolution_ns; /* of its times, where they are coarse; else 0 */
	/* the importer's business ends here */
	struct import_file *inputs, *in;
	unsigned inputs_n;
	struct trace_writer *w; /* made with the first access */
	bool created;
	struct trace_file_id id; /* of the trace */
	import_watch *watch;	 /* it gets the accesses, and nothing is written */
	struct import_order *order;
	u64 accesses, bad;
	struct out *losses;
	char *notes[8];
	unsigned notes_n;
	char *group; /* the last one named, and its number */
	u32 group_number;
};

/* The current line is wrong: -EINVAL, printed with its place, or 0 if such lines are
 * skipped; returned by line() as it is. */
int import_bad(struct import *im, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The whole input is not what can be imported: -EINVAL, printed with its place. */
int import_refuse(struct import *im, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The importer of that name; NULL: there is none. */
const struct importer *import_find(const char *name);

/* All of it: @inputs ("-": stdin) to @o->output. The trace is removed again when it
 * fails. With @watch nothing is written: it gets the accesses. -errno, printed. */
int import_run(const struct import_options *o, char *const *inputs, unsigned n,
	       import_watch *watch);

/* Only the lines of @inputs, of what are no accesses: to @from's line(), which finds @own in
 * import->own. -errno, printed. */
int import_lines(const struct importer *from, void *own, char *const *inputs, unsigned n);

/* ---- the window in which accesses are sorted by their ends ---- */

/* ---- text ---- */

#endif
