/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file that a result goes to. All that can be refused is refused by output_open(), before
 * the work begins. A regular file is written beside its place and renamed at the end, so an old
 * file stays as it is until the new one is complete. Nothing else that has the name by then is
 * followed or written to. */
#ifndef IOSPAN_OUTPUT_H
#define IOSPAN_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

enum output_kind {
	OUTPUT_STREAM, /* a pipe, a terminal, a descriptor of the caller's; open */
	OUTPUT_FIFO,   /* a fifo that had no reader yet */
	OUTPUT_FILE,   /* a regular file, or none yet */
};

struct output {
	const char *path; /* NULL: stderr */
	enum output_kind kind;
	int at;		    /* a file's directory, or a fifo, both O_PATH; else -1 */
	int fd;		    /* to write to; -1: not open */
	char *name;	    /* of a file, in its directory */
	struct stat was;    /* the file at the path; st_nlink is 0 if there is none */
	char temporary[16]; /* name of the new file in the directory; "": it has none */
	bool written;	    /* the new file is complete */
	bool ours;	    /* the file at the path is a result of this process */
	bool repeated;	    /* another result follows, so a failure loses nothing */
	FILE *f;	    /* between output_begin() and output_end() */
	bool streams;	    /* @f is of output_stream() */
	bool made;	    /* by output_live(): removed if still empty, unless this is cleared */
	int failed;	    /* -errno of its first write that failed */
	char *text;	    /* the result in memory, until it is written */
	size_t size;
	struct output *next; /* other outputs of this process */
};
#define OUTPUT_NONE \
	{ \
		.at = -1, .fd = -1 \
	}

/* Opens the output @path; "-" is the standard output. Accepts a regular file or none, a pipe, a
 * fifo, a terminal, /dev/null and its like, and descriptors by their names, such as /dev/stdout.
 * A file's symbolic link stays; the file that it leads to is replaced. Refuses a file that another output of this process has. -errno, printed.
 * The caller owes an output_drop() even then. */
int output_open(struct output *o, const char *path);

/* -EINVAL, printed, if @o would replace @input, under whatever name; "-" is stdin. NULL is fine. */
int output_spares(const struct output *o, const char *input);
/* Also if it would replace the program @name, unless that is looked for in PATH. */
int output_spares_command(const struct output *o, const char *name);

/* A stream in memory, which output_end() writes out. Never NULL. */
FILE *output_begin(struct output *o);

/* The output itself as a stream, for a result that is too long for memory and can be made again.
 * NULL: printed. */
FILE *output_stream(struct output *o);

/* Writes what output_begin() gave, and puts a file in its place. -errno, printed. A result from
 * memory is kept elsewhere then, and the message names the place. */
int output_end(struct output *o);

/* All of it, by @print, which returns -errno after an error was printed. May be repeated for a
 * file; then it replaces the file of the time before. */
int output_write(struct output *o, int (*print)(FILE *f, const void *what), const void *what);

/* A stream to a file that is read while it grows. The file must be new or empty; a fifo needs a
 * reader. NULL: printed. */
FILE *output_live(struct output *o);

/* Releases @o; what has not come to output_end() is removed. */
void output_drop(struct output *o);

/* ---- output-file.c: a new file in the directory @o->at. -errno, not printed ---- */

/* ---- output-place.c ---- */

#endif
