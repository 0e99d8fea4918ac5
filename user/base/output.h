/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file to which a command writes a result.
 *
 *	output_open()			before the work: refuses what cannot or must not be written
 *	output_begin(), output_end()	after it; or output_stream() and output_end(), or
 *					output_write()
 *	output_drop()			always
 *
 * A regular file is written without its name in the same directory, and gets the name at the end.
 * Until then an old file stays unchanged. If another file has taken the name meanwhile, it is
 * neither followed nor replaced. */
#ifndef IOSPAN_OUTPUT_H
#define IOSPAN_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

enum output_kind {
	OUTPUT_STREAM, /* pipe, terminal, device or descriptor of the caller; open */
	OUTPUT_FIFO,   /* fifo without a reader at output_open() */
	OUTPUT_FILE,   /* regular file, or no file yet */
};

struct output {
	const char *path; /* NULL: stderr */
	enum output_kind kind;
	int at;		    /* O_PATH: the directory of a file, or a fifo; else -1 */
	int fd;		    /* for writing; -1: not open */
	char *name;	    /* name of the file in its directory */
	struct stat was;    /* the file at the path; st_nlink is 0 if there is none */
	char temporary[16]; /* name of the new file in the directory; "": it has none */
	bool written;	    /* the new file is complete */
	bool ours;	    /* this process has written the file at the path */
	bool repeated;	    /* set by the caller: a later result replaces this one, so it need
				 * not be saved if it cannot be written */
	FILE *f;	    /* the stream given to the caller, until output_end() */
	bool streams;	    /* @f is from output_stream() */
	bool made;	    /* output_live() has created the file: output_drop() removes it if it
				 * is empty, unless the caller clears this */
	int failed;	    /* -errno of the first failed write of output_stream() */
	char *text;	    /* the result in memory, from output_begin() */
	size_t size;
	struct output *next; /* other outputs of this process */
};
#define OUTPUT_NONE \
	{ \
		.at = -1, .fd = -1 \
	}

/* Opens the output @path; NULL is stderr, "-" is stdout. Accepts a regular file or none, a pipe, a
 * fifo, a terminal, devices such as /dev/null, and names of descriptors such as /dev/stdout. A
 * symbolic link stays, and its target is replaced. Refuses a file that another output of this
 * process uses. Returns -errno; prints the error. The caller calls output_drop() even then. */
int output_open(struct output *o, const char *path);

/* Returns -EINVAL if @o would replace @input, under any name; "-" is stdin, NULL no input. Prints
 * the error. */
int output_spares(const struct output *o, const char *input);
/* Does the same for the program @name. A name without '/' is not checked. */
int output_spares_command(const struct output *o, const char *name);

/* Returns a stream in memory, which output_end() writes; for stderr, stderr itself. Never NULL. */
FILE *output_begin(struct output *o);

/* Returns a stream that writes directly, for a result that is too large for memory and can be made
 * again. Waits for the reader of a fifo. Returns NULL after an error; prints it. */
FILE *output_stream(struct output *o);

/* Writes the result, closes the stream and gives a file its name. Returns -errno; prints the
 * error. If a result in memory cannot be written, it is saved in another file or printed on stderr,
 * and the message says where. */
int output_end(struct output *o);

/* output_begin(), @print and output_end(). @print returns 0, or -errno after it has printed the
 * error. May be called again for a file: each call replaces the file of the call before. */
int output_write(struct output *o, int (*print)(FILE *f, const void *what), const void *what);

/* Returns a stream to a file that others read while it grows. The file must be new or empty; a
 * fifo must have a reader. Writing does not wait for the reader of a pipe: it fails with EAGAIN.
 * output_drop() closes the stream. Returns NULL after an error; prints it. */
FILE *output_live(struct output *o);

/* Releases @o. Removes a new file that output_end() has not completed; one of output_live() only if
 * it is empty. */
void output_drop(struct output *o);

#endif
