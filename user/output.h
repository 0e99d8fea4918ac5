/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file that a report goes to: known to be writable before the work begins,
 * there only when the report is. What is at the path when the work ends, put there
 * by the command that ran, is neither followed nor written to. */
#ifndef IOSPAN_OUTPUT_H
#define IOSPAN_OUTPUT_H

#include <stdio.h>

struct output {
	const char *path;	/* NULL: stderr */
	int fd;			/* -1: opened at the end: a fifo, or nothing else works */
	int unnamed;		/* fd has no name yet */
};

/* -errno, printed, when it cannot be written. */
int output_open(struct output *o, const char *path);

/* The stream to write to; an old content is gone now. NULL: printed. */
FILE *output_begin(struct output *o);

/* Flushes @f and gives the file its name. A full disk is -errno, printed. */
int output_end(struct output *o, FILE *f);

/* All of it, by @print, which returns -errno after an error was printed. */
int output_write(struct output *o, int (*print)(FILE *f, const void *what), const void *what);

/* Gives up; for every path that does not come to output_end(). */
void output_drop(struct output *o);

#endif
