// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes a command's result to its output: a file, pipe, fifo, terminal or descriptor. The result
 * is collected in memory or written to a stream. A regular file gets its name only when the result
 * is complete; until then, an old file at the path stays. */
#include "user/base/output.h"
#include "user/base/out-print.h"
#include "user/base/output-place.h"
#include "user/base/output-file.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/reopen.h"

static struct output *all; /* list of the open outputs of this process */

static bool has_same_name(const struct output *a, const struct output *b)
{
	struct stat x, y;

	return a->name && b->name && !strcmp(a->name, b->name) && !fstat(a->at, &x) &&
		!fstat(b->at, &y) && output_same(&x, &y);
}

/* Returns true if @a and @b are the same regular file, and only one of them is written by an open
 * descriptor. The other output would replace the file at the end. Then the data written by the
 * descriptor would be lost. */
static bool has_same_inode(const struct output *a, const struct output *b)
{
	return a->kind != b->kind && S_ISREG(a->was.st_mode) && output_same(&a->was, &b->was);
}

/* Returns an error text if another output, stdout or stderr already uses the file of @o, else
 * NULL. */
static const char *why_in_use(const struct output *o)
{
	for (const struct output *p = all; p; p = p->next)
		if (has_same_name(o, p) || has_same_inode(o, p))
			return "it is given for another output as well";
	if (o->kind == OUTPUT_FILE && o->was.st_nlink && output_is_standard(&o->was))
		return "the standard output or error goes there as well";
	return NULL;
}

/* Creates and removes a file, to test if iospan may create files in the directory. */
static int try_folder(struct output *o)
{
	int ret = output_file_make(o);

	/* A new file made with O_TMPFILE has no name. To replace an old file, the new file needs a
	 * temporary name first. So output_file_name() is tried only if there is an old file. */
	if (!ret && o->was.st_nlink)
		ret = output_file_name(o);
	output_file_drop(o);
	return ret;
}

int output_open(struct output *o, const char *path)
{
	const char *why = NULL;
	int ret;

	*o = (struct output)OUTPUT_NONE;
	o->path = path && !strcmp(path, "-") ? "/dev/stdout" : path;
	if (!path)
		return 0;
	ret = output_find(o, &why);
	if (!ret) {
		why = why_in_use(o);
		ret = why ? -EINVAL : 0;
	}
	if (!ret && o->kind == OUTPUT_FILE) {
		ret = try_folder(o);
		if (ret == -EACCES)
			why = "no file can be made in its directory; give another name";
	}
	if (ret) {
		error(ret, "cannot write '%s': %s", path, why ?: strerror(-ret));
		output_drop(o);
		return ret;
	}
	o->next = all;
	all = o;
	return 0;
}

int output_spares(const struct output *o, const char *input)
{
	struct stat st;

	if (!o->path || !input || !S_ISREG(o->was.st_mode))
		return 0;
	if ((stat(input, &st) || !output_same(&st, &o->was)) &&
	    (strcmp(input, "-") || fstat(STDIN_FILENO, &st) || !output_same(&st, &o->was)))
		return 0;
	return error(-EINVAL, "cannot write '%s': it is the input '%s'; give another name", o->path,
		     input);
}

int output_spares_all(const struct output *o, char *const *inputs)
{
	int ret = 0;

	while (*inputs && !ret)
		ret = output_spares(o, *inputs++);
	return ret;
}

int output_spares_command(const struct output *o, const char *name)
{
	return name && strchr(name, '/') ? output_spares(o, name) : 0;
}

/* Opens the output for writing, if output_open() has not opened it. If the output is a fifo, waits
 * for a reader. */
static int open_late(struct output *o)
{
	if (o->kind == OUTPUT_FILE)
		return output_file_make(o);
	if (o->kind == OUTPUT_STREAM || o->fd >= 0)
		return 0;
	o->fd = reopen(o->at, O_WRONLY);
	return o->fd < 0 ? o->fd : 0;
}

static int write_fully(int fd, const char *text, size_t size)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };

	while (size) {
		ssize_t n = write(fd, text, size);

		if (n < 0 && errno == EAGAIN)
			/* EAGAIN is possible if another process has made the shared descriptor
			 * non-blocking. Waits until the descriptor is writable. */
			poll(&p, 1, -1);
		else if (n < 0 && errno != EINTR)
			return -errno;
		text += n > 0 ? n : 0;
		size -= n > 0 ? n : 0;
	}
	return 0;
}

static int deliver(struct output *o)
{
	int ret = open_late(o);

	if (!ret)
		ret = write_fully(o->fd, o->text, o->size);
	if (!ret && o->kind == OUTPUT_FILE)
		ret = output_file_put(o);
	return ret;
}

static int finish_stream(struct output *o, FILE *f)
{
	if (fflush(f) || ferror(f))
		return o->failed ?: -EIO;
	return o->kind == OUTPUT_FILE ? output_file_put(o) : 0;
}

/* Gives the new file a temporary name, because it could not get its final name. Returns the path
 * with the temporary name, which the caller frees, or NULL after an error. */
static char *save_beside(struct output *o)
{
	char self[64], folder[PATH_MAX], *path;
	ssize_t n;

	snprintf(self, sizeof(self), "/proc/self/fd/%d", o->at);
	n = output_file_name(o) ? -1 : readlink(self, folder, sizeof(folder) - 1);
	if (n < 0)
		return NULL;
	folder[n] = '\0';
	path = need_text("%s/%s", folder, o->temporary);
	*o->temporary = '\0';
	return path;
}

/* Saves the result in $TMPDIR or /var/tmp. Returns the path of the saved file, which the caller
 * frees, or NULL after an error. */
static char *save_in_tmpdir(const struct output *o)
{
	const char *base = getenv("TMPDIR");
	char *path = need_text("%s/iospan-XXXXXX", base && *base ? base : "/var/tmp");
	int fd = mkostemp(path, O_CLOEXEC);
	int ret = fd < 0 ? -errno : write_fully(fd, o->text, o->size);

	if (fd >= 0 && close(fd) && !ret)
		ret = -errno;
	if (!ret)
		return path;
	if (fd >= 0)
		unlink(path);
	free(path);
	return NULL;
}

/* Prints the error. Saves the result elsewhere, because the user may not be able to repeat the
 * measurement. If this fails, prints the result. In two cases, the result is neither saved nor
 * printed: the output is a pipe without a reader, or the caller will write another result later
 * (o->repeated). */
static void report_failure(struct output *o, int code)
{
	const char *why = code == -EEXIST ? "another file has this name by now" :
		code == -ESTALE		  ? "the file there was changed meanwhile" :
					    strerror(-code);
	bool saves = code != -EPIPE && !o->repeated;
	char *place = NULL;

	if (saves && o->written)
		place = save_beside(o);
	if (saves && !place && o->text)
		place = save_in_tmpdir(o);
	if (place)
		error(code, "cannot write to '%s': %s; the result is in '%s'", o->path, why, place);
	else if (saves && o->text)
		error(code, "cannot write to '%s': %s; the result follows", o->path, why);
	else
		error(code, "cannot write to '%s': %s", o->path, why);
	if (saves && !place && o->text)
		write_fully(STDERR_FILENO, o->text, o->size);
	free(place);
}

FILE *output_begin(struct output *o)
{
	if (!o->path)
		return stderr;
	o->written = o->streams = false;
	o->f = need(open_memstream(&o->text, &o->size));
	return o->f;
}

/* Write function (fopencookie(3)) of the stream that output_stream() returns. Keeps the first error
 * in o->failed, because stdio does not keep errno. Returns 0 after an error. */
static ssize_t write_stream(void *output, const char *text, size_t size)
{
	struct output *o = output;

	if (!o->failed)
		o->failed = write_fully(o->fd, text, size);
	return o->failed ? 0 : size;
}

FILE *output_stream(struct output *o)
{
	int ret = open_late(o);

	o->written = false;
	o->streams = true;
	o->failed = 0;
	if (!ret)
		o->f = need(fopencookie(o, "w", (cookie_io_functions_t){ .write = write_stream }));
	else
		error(ret, "cannot write to '%s': %s", o->path, strerror(-ret));
	return o->f;
}

/* Closes the stream and frees the result. The caller may then call output_begin() again. */
static void close_result(struct output *o)
{
	if (o->f)
		fclose(o->f);
	free(o->text);
	o->f = NULL;
	o->text = NULL;
	if (o->kind == OUTPUT_FILE)
		output_file_drop(o);
}

int output_end(struct output *o)
{
	FILE *f = o->f;
	int ret;

	if (!o->path)
		return out_finish(stderr, "stderr");
	if (!o->streams) {
		o->f = NULL;
		if (fclose(f))
			need(NULL);
	}
	ret = o->streams ? finish_stream(o, f) : deliver(o);
	if (ret)
		report_failure(o, ret);
	close_result(o);
	return ret;
}

int output_write(struct output *o, int (*print)(FILE *f, const void *what), const void *what)
{
	int ret = print(output_begin(o), what);

	if (!ret)
		return output_end(o);
	close_result(o);
	return ret;
}

/* Opens the pipe again as non-blocking. O_NONBLOCK on the old descriptor would affect other
 * processes that share it. */
static void set_nonblocking(struct output *o)
{
	int fd = reopen(o->fd, O_WRONLY | O_NONBLOCK);

	close(o->fd);
	o->fd = fd;
}

/* Opens or creates the file for output_live(). Returns a descriptor, or -1 with errno. errno is
 * ESTALE if the path has another file now than at output_open(). Does not follow a link, because
 * the link may lead to a device, and opening a device may have side effects. */
static int open_live_file(const struct output *o)
{
	int flags = O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, fd;
	struct stat now;

	if (!o->was.st_nlink)
		flags |= O_CREAT | O_EXCL;
	fd = openat(o->at, o->name, flags, 0666);
	if (fd < 0 || !o->was.st_nlink || (!fstat(fd, &now) && output_same(&now, &o->was)))
		return fd;
	close(fd);
	errno = ESTALE;
	return -1;
}

FILE *output_live(struct output *o)
{
	int ret = 0;

	if (o->kind == OUTPUT_FIFO)
		ret = error(-ENXIO, "cannot write to '%s': nobody reads the pipe", o->path);
	else if (o->kind == OUTPUT_FILE && o->was.st_size)
		ret = error(-EEXIST, "'%s' exists; remove it first", o->path);
	if (ret)
		return NULL;
	if (o->kind == OUTPUT_FILE)
		o->fd = open_live_file(o);
	else if (S_ISFIFO(o->was.st_mode))
		set_nonblocking(o);
	o->f = o->fd < 0 ? NULL : fdopen(dup(o->fd), "w");
	if (!o->f)
		error(-errno, "cannot write to '%s': %s", o->path, strerror(errno));
	if (o->f && o->kind == OUTPUT_FILE) {
		o->made = !o->was.st_nlink;
		fstat(o->fd, &o->was);
	}
	return o->f;
}

/* Checks the inputs before and after output_live(). If an input and the output have the same path,
 * but no file exists there yet, only the second check detects this. */
int output_open_live(struct output *o, const char *path, char *const *inputs)
{
	int ret = output_open(o, path) ?: output_spares_all(o, inputs);

	if (!ret && !output_live(o))
		ret = -EIO;
	return ret ?: output_spares_all(o, inputs);
}

/* If the file that output_live() created is still empty, removes it. */
static void remove_empty(const struct output *o)
{
	struct stat now;

	if (!fstatat(o->at, o->name, &now, AT_SYMLINK_NOFOLLOW) && !now.st_size &&
	    output_same(&now, &o->was))
		unlinkat(o->at, o->name, 0);
}

void output_drop(struct output *o)
{
	struct output **p = &all;

	close_result(o);
	if (o->made)
		remove_empty(o);
	while (*p && *p != o)
		p = &(*p)->next;
	if (*p)
		*p = o->next;
	if (o->fd >= 0)
		close(o->fd);
	if (o->at >= 0)
		close(o->at);
	free(o->name);
	*o = (struct output)OUTPUT_NONE;
}
