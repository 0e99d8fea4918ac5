/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An output: the file, pipe or terminal to which a command writes a result.
 *
 * Before the measurement, output_open() checks that the output can be written. After the
 * measurement, the result is written in one of three ways:
 *
 * - output_begin(), then output_end(): collects the result in memory
 * - output_stream(), then output_end(): for a result that is too large for memory
 * - output_write(): calls a function that prints the result
 *
 * The last call is always output_drop(). A new regular file gets its name at the end; until then,
 * an old file stays unchanged. If another program creates a file with this name in the meantime,
 * that file is not replaced. */
#ifndef IOSPAN_OUTPUT_H
#define IOSPAN_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

enum output_kind {
	OUTPUT_STREAM, /* open pipe, terminal or device, or descriptor that iospan inherited */
	OUTPUT_FIFO,   /* fifo that had no reader when output_open() found it */
	OUTPUT_FILE,   /* regular file, or no file exists yet */
};

struct output {
	const char *path; /* path that the user gave; NULL: write to stderr */
	enum output_kind kind;
	/* O_PATH descriptor of a regular file's directory, or of the fifo itself; else -1 */
	int at;
	int fd;	    /* descriptor for writing; -1: not open */
	char *name; /* name of the file in its directory */
	/* the file that output_open() found at .path; st_nlink is 0 if there was none */
	struct stat was;
	char temporary[16]; /* temporary name of the new file in the directory; "": it has none */
	bool written;	    /* true if the new file is complete */
	/* true: this process wrote the file that now has the path of the output */
	bool ours;
	/* true: the caller will write another result later, so a result that cannot be written is
	 * not saved elsewhere */
	bool repeated;
	FILE *f; /* stream to which the caller writes until output_end() */
	bool streams;
	/* true: output_live() has created the file, so output_drop() removes it if it is empty */
	bool made;
	int failed; /* -errno of the first failed write to output_stream()'s stream */
	char *text; /* the result, which the stream of output_begin() collects in memory */
	size_t size;
	struct output *next;
};
#define OUTPUT_NONE \
	{ \
		.at = -1, .fd = -1 \
	}

/* Opens the output @path (NULL: stderr, "-": stdout). Accepts regular and new files, pipes, fifos,
 * terminals, and names of descriptors such as /dev/stdout. Accepts a device only if it has no side
 * effects, such as /dev/null. If @path is a symbolic link, the link stays and its target is
 * replaced.
 *
 * Refuses a file that is another output of this process. Returns 0, or -errno after an error
 * message. The caller must call output_drop() in both cases. */
int output_open(struct output *o, const char *path);

/* Checks that the output @o does not overwrite the input @input ("-": stdin, NULL: none). If both
 * are the same file, prints an error and returns -EINVAL, else returns 0. */
int output_spares(const struct output *o, const char *input);
/* Calls output_spares() for each of @inputs, which ends with NULL. Returns 0 or -EINVAL. */
int output_spares_all(const struct output *o, char *const *inputs);
/* Checks, as output_spares() does, that the output does not overwrite the program @name, which the
 * command will run. Does not check a @name without '/'. */
int output_spares_command(const struct output *o, const char *name);

/* Returns a stream to which the caller writes the result. The stream is in memory; output_end()
 * writes its contents to the file. If the output is stderr, returns stderr itself. Never returns
 * NULL. */
FILE *output_begin(struct output *o);

/* Returns a stream to the file itself, for a result that is too large for memory. If a write fails,
 * the result is lost, so it must be possible to create the result again. If the output is a fifo,
 * waits for a reader. After an error, prints it and returns NULL. */
FILE *output_stream(struct output *o);

/* Writes the result, closes the stream, and gives a regular file its name. Returns 0 or -errno.
 * After an error, tries to save the result elsewhere, and prints the error and the path of the
 * saved result. */
int output_end(struct output *o);

/* Calls output_begin(), @print and output_end(). @print returns 0, or -errno after printing an
 * error. Returns 0 or the -errno of the first call that failed. If output_write() is called again
 * for a regular file, the new result replaces the earlier one. */
int output_write(struct output *o, int (*print)(FILE *f, const void *what), const void *what);

/* Returns a stream to a file that other processes read while the file grows. A regular file must be
 * new or empty; a fifo must have a reader. A write to a full pipe fails with EAGAIN. output_drop()
 * closes the stream. After an error, prints it and returns NULL. */
FILE *output_live(struct output *o);

/* Calls output_open() and output_live(). Refuses a file that is one of @inputs, which ends with
 * NULL. Returns 0, or -errno after an error message. */
int output_open_live(struct output *o, const char *path, char *const *inputs);

/* Closes @o. Removes a new file that has no complete result, or that output_live() has left
 * empty. */
void output_drop(struct output *o);

#endif
