// SPDX-License-Identifier: GPL-2.0-or-later
/* Merges the lines of all inputs by time, and passes them to the importer. */
#include "tools/import/import.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/infile.h"
#include "user/base/words.h"
#include "user/trace/file.h"

/* To add an import format:
 *
 * tools/import/FORMAT.c                   the importer: its functions and struct importer
 * tools/import/import.h                   declaration of the struct importer
 * tools/import/import.c                   a row in importers[] below
 * tools/cmd-import.c                      help of --format, list of formats, options
 * Documentation/iospan-import.rst         a section for the format
 * tests/commands/import.py                test cases
 * tests/fuzz/import-FORMAT-fuzz.c         a fuzz target, with a corpus */
static const struct importer *const importers[] = {
	&import_blkparse, &import_fio, &import_dxt, &import_csv, NULL,
};

const struct importer *import_find(const char *name)
{
	return words_element("format", importers, name);
}

static char *fault_text(const struct import *im, const char *fmt, va_list args)
{
	char *fault = need_vtext(fmt, args), *text;

	if (im->in->line)
		text = need_text("%s:%llu: %s", im->in->name, (unsigned long long)im->in->line,
				 fault);
	else
		text = need_text("%s: %s", im->in->name, fault);
	free(fault);
	return text;
}

int import_bad(struct import *im, const char *fmt, ...)
{
	u64 before = im->bad;
	int ret = 0;
	va_list args;
	char *text;

	im->in->bad++;
	im->bad += im->o->skip_bad ? im->in->lines : 0;
	if (before)
		return 0;
	va_start(args, fmt);
	text = fault_text(im, fmt, args);
	va_end(args);
	if (!im->o->skip_bad)
		ret = error(-EINVAL, "%s", text);
	else
		warn("%s: skipped, as are all such lines", text);
	free(text);
	return ret;
}

int import_refuse(struct import *im, const char *fmt, ...)
{
	va_list args;
	char *text;

	va_start(args, fmt);
	text = fault_text(im, fmt, args);
	va_end(args);
	error(-EINVAL, "%s", text);
	free(text);
	return -EINVAL;
}

enum line_end { LINE_READ, LINE_LONG, LINE_NUL, LINE_NONE };

/* Reads the next line into in->text, without its line feed. Returns LINE_NONE at the end of the
 * input and after a read error. */
static enum line_end read_input(struct import *im, struct import_file *in)
{
	enum line_end end = LINE_READ;
	bool quoted = false, any = false;
	size_t n = 0;
	u64 lines = 1;
	int c;

	while ((c = getc_unlocked(in->f)) != EOF) {
		any = true;
		if (c == '\n' && (!quoted || end == LINE_LONG))
			break;
		lines += c == '\n';
		quoted ^= c == '"' && im->from->quoted;
		if (!c)
			end = LINE_NUL;
		if (n + 1 < IMPORT_LINE)
			in->text[n++] = c;
		else
			end = LINE_LONG;
	}
	/* A line feed within quotes was counted as the start of a further line. At the end of the
	 * input, there is no further line. */
	lines -= c == EOF && n && in->text[n - 1] == '\n';
	in->error = ferror(in->f) ? errno : 0;
	if (!any || in->error)
		return LINE_NONE;
	if (n && in->text[n - 1] == '\r')
		n--;
	in->text[n] = '\0';
	in->at_line += in->lines;
	in->lines = lines;
	return end;
}

static void read_ahead(struct import *im, struct import_file *in)
{
	if (in->ahead)
		return;
	in->end = read_input(im, in);
	in->ahead = true;
	if (in->end == LINE_READ && im->from->time)
		im->from->time(in->text, &in->at_ns);
}

/* Passes the next line of input @in to the importer. Returns 1 if there was a line, 0 at the end of
 * the input, or -errno. */
static int pass_line(struct import *im, struct import_file *in)
{
	u64 bad = in->bad;
	int ret = 0;
	bool any;

	read_ahead(im, in);
	in->ahead = false;
	im->in = in;
	in->line = in->at_line + 1;
	if (in->end == LINE_NONE)
		return in->error ?
			error(-in->error, "cannot read '%s': %s", in->name, strerror(in->error)) :
			0;
	any = in->text[strspn(in->text, " \t")];
	if (in->end == LINE_LONG)
		ret = import_bad(im, "longer than %d bytes", IMPORT_LINE - 1);
	else if (in->end == LINE_NUL)
		ret = import_bad(im, "a NUL byte: this is no text");
	else
		ret = im->from->line(im, in, in->text);
	in->comments += ret == IMPORT_COMMENT;
	in->taken += any && in->bad == bad && ret != IMPORT_COMMENT;
	return ret < 0 ? ret : 1;
}

/* Returns the input with the earliest time (in->at_ns), from which the next line is read. Returns
 * NULL if all inputs are at their end. */
static struct import_file *next_input(struct import *im)
{
	struct import_file *next = NULL;

	for (unsigned i = 0; i < im->inputs_n; i++) {
		struct import_file *in = &im->inputs[i];

		if (in->f && im->from->time)
			read_ahead(im, in);
		if (in->f && (!next || in->at_ns < next->at_ns))
			next = in;
	}
	return next;
}

static void close_input(struct import *im, struct import_file *in)
{
	if (in->f && in->f != stdin)
		fclose(in->f);
	in->f = NULL;
	if (in->own && im->from->close)
		im->from->close(in);
	free(in->own);
	free(in->text);
	in->own = NULL;
	in->text = NULL;
}

static int read_inputs(struct import *im)
{
	struct import_file *in;
	int ret = 0;

	while ((in = next_input(im))) {
		ret = pass_line(im, in);
		if (ret < 0)
			return ret;
		if (!ret) {
			in->line = in->at_line;
			close_input(im, in);
		}
	}
	return 0;
}

static int import_open(struct import *im, const char *path)
{
	struct import_file *in = &im->inputs[im->inputs_n];
	int fd;

	if (!strcmp(path, "-")) {
		in->name = "standard input";
		in->f = stdin;
	} else {
		in->name = path;
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
		in->f = fd < 0 ? NULL : fdopen(fd, "r");
	}
	if (!in->f)
		return error(-errno, "cannot open '%s': %s", path, strerror(errno));
	if (infile_check(fileno(in->f), path))
		return -EINVAL;
	in->own = need(calloc(1, im->from->input_size + 1));
	in->text = need(malloc(IMPORT_LINE));
	im->in = in;
	im->inputs_n++;
	return im->from->open ? im->from->open(im, in) : 0;
}

static int import_inputs(struct import *im, char *const *inputs, unsigned n)
{
	int ret = im->from->begin ? im->from->begin(im) : 0;

	im->inputs = need(calloc(n, sizeof(*im->inputs)));
	for (unsigned i = 0; i < n && !ret; i++)
		ret = import_open(im, inputs[i]);
	if (!ret)
		ret = read_inputs(im);
	if (!ret && im->from->end)
		ret = im->from->end(im);
	return ret;
}

static void close_inputs(struct import *im)
{
	for (unsigned i = 0; i < im->inputs_n; i++)
		close_input(im, &im->inputs[i]);
	free(im->inputs);
}

int import_lines(const struct importer *from, void *own, const char *path)
{
	const struct import_options o = { .from = from->name };
	struct import im = { .from = from, .o = &o, .own = own };
	int ret = import_inputs(&im, &(char *){ (char *)path }, 1);

	close_inputs(&im);
	return ret;
}

int import_run(const struct import_options *o, char *const *inputs, unsigned n, import_watch *watch)
{
	struct import *im = need(calloc(1, sizeof(*im)));
	int ret;

	im->place = (struct trace_place)TRACE_PLACE_NONE;
	im->from = import_find(o->from);
	im->o = o;
	im->watch = watch;
	im->own = need(calloc(1, im->from->own_size + 1));
	im->losses = out_object();
	ret = watch ? 0 : trace_place_open(&im->place, o->output) ?: trace_file_try(&im->place);
	if (!ret)
		ret = import_inputs(im, inputs, n);
	ret = import_trace_end(im, ret);
	close_inputs(im);
	if (im->from->release)
		im->from->release(im);
	import_trace_release(im);
	trace_place_close(&im->place);
	free(im->own);
	free(im);
	return ret;
}
