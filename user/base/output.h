/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An output: the file, pipe or terminal to which a command writes a result.
 *
 * 	output_open()			before the measurement: checks that the result can and may
 * 					be written
 * 	output_begin(), output_end()	after it: write the result; alternatives are output_write(),
 * 					or output_stream() and output_end()
 * 	output_drop()			always, at the end
 *
 * A regular file is written under a temporary name in the same directory, or without a name. It is
 * renamed at the end, so an old file stays unchanged until then. If another file has taken the name
 * in the meantime, iospan neither follows nor replaces that file. */
#ifndef IOSPAN_OUTPUT_H
#define IOSPAN_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

enum output_kind {
	OUTPUT_STREAM, /* pipe, terminal, device, or descriptor of the caller; it is open */
	OUTPUT_FIFO,   /* fifo that had no reader at output_open() */
	OUTPUT_FILE,   /* regular file, or no file exists yet */
};

struct output {
	const char *path; /* path that the user gave; NULL: write to stderr */
	enum output_kind kind;
	/* O_PATH descriptor: of the directory if the output is a regular file, of the fifo itself
	 * if it is a fifo; else -1 */
	int at;
	int fd;	    /* descriptor for writing; -1: not open */
	char *name; /* name of the file in its directory */
	/* the file that output_open() found at the path; st_nlink is 0 if there was none */
	struct stat was;
	char temporary[16]; /* temporary name of the new file in the directory; "": it has none */
	bool written;	    /* true if the new file is complete */
	bool ours;	    /* true if this process has written the file that is now at the path */
	/* Set by the caller: true if a later result replaces this one. Then this result is not
	 * saved elsewhere if it cannot be written. */
	bool repeated;
	FILE *f;      /* the stream that the caller writes to, until output_end() */
	bool streams; /* true if @f is from output_stream() */
	/* true if output_live() has created the file. output_drop() then removes the file if it is
	 * empty. The caller may set this to false to keep the file. */
	bool made;
	int failed; /* -errno of the first failed write to the stream of output_stream() */
	char *text; /* the result, which the stream of output_begin() collects in memory */
	size_t size;
	struct output *next; /* next element in the list of open outputs */
};
#define OUTPUT_NONE \
	{ \
		.at = -1, .fd = -1 \
	}

/* Opens the output @path; NULL is stderr, "-" is stdout. Accepts a regular file, a new name, a
 * pipe, a fifo, a terminal, devices such as /dev/null, and names of descriptors such as
 * /dev/stdout. If @path is a symbolic link, its target is replaced and the link stays. Refuses a
 * file that another output of this process uses. Returns 0, or -errno after it has printed an
 * error. The caller must call output_drop() in both cases. */
int output_open(struct output *o, const char *path);

/* Checks that the output @o is not the input file @input, which it would overwrite. Finds this also
 * if the two paths differ. "-" is stdin; NULL: there is no input. Returns 0; or -EINVAL after it
 * has printed an error. */
int output_spares(const struct output *o, const char *input);
/* Checks that the output @o is not the file of the program @name, which the command will run. A
 * name without '/' is not checked. Returns as output_spares() does. */
int output_spares_command(const struct output *o, const char *name);

/* Returns a stream to which the caller writes the result. The stream is in memory, and output_end()
 * writes it to the file. For stderr, returns stderr. Never returns NULL. */
FILE *output_begin(struct output *o);

/* Returns a stream that writes to the file directly. Use it for a result that is too large for
 * memory and that the user can create again. If the output is a fifo, waits for a reader. Returns
 * NULL after it has printed an error. */
FILE *output_stream(struct output *o);

/* Writes the result and closes the stream. A regular file then gets its name. Returns 0, or -errno
 * after it has printed an error. If a result in memory cannot be written, saves it in another file
 * or prints it on stderr. The error message says where. */
int output_end(struct output *o);

/* Calls output_begin(), @print and output_end(). @print returns 0, or -errno after it has printed
 * an error. If this is called again for a regular file, the new result replaces the earlier one. */
int output_write(struct output *o, int (*print)(FILE *f, const void *what), const void *what);

/* Returns a stream to a file that other processes read while it grows. A file must be new or empty;
 * a fifo must have a reader. A write to a full pipe fails with EAGAIN instead of waiting.
 * output_drop() closes the stream. Returns NULL after it has printed an error. */
FILE *output_live(struct output *o);

/* Closes @o and frees its memory. Removes a new file that output_end() has not completed. Removes a
 * file of output_live() only if it is empty. */
void output_drop(struct output *o);

#endif
