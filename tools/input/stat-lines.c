// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/input/stat-lines.h"
#include "user/base/err.h"
#include "user/base/infile.h"
#include "user/base/out-read.h"

struct stat_reader {
	const char *path;
	int (*fn)(void *arg, const struct stat_line *line);
	void *arg;
	u64 epoch_ns;
	bool any;
};

double stat_amount(const struct out *of, const char *key)
{
	double v = 0;

	out_get_f64(of, key, &v);
	return v > 0 ? v : 0;
}

bool stat_disk_of(struct stat_disk *to, const struct out *disk)
{
	static const char *const ops[] = { "read", "write" };
	const struct out *operations = out_get(disk, "operations");

	*to = (struct stat_disk){ .name = out_get_str(disk, "name") };
	for (int i = 0; i < 2; i++) {
		const struct out *of = out_get(operations, ops[i]);

		to->bytes[i] = stat_amount(of, "bytes");
		to->ops[i] = stat_amount(of, "accesses");
	}
	return !out_is_true(disk, "stacked");
}

static int take_interval(struct stat_reader *r, const struct out *doc, unsigned number)
{
	struct stat_line line = { .doc = doc };
	u64 real;

	if (!out_get_u64(doc, "start_ns", &line.start_ns) ||
	    !out_get_u64(doc, "end_ns", &line.end_ns) || !out_get_u64(doc, "realtime_ns", &real) ||
	    !out_get(doc, "devices"))
		return error(-EINVAL, "'%s' line %u is not an interval of 'iospan stat --json'",
			     r->path, number);
	if (!r->any)
		r->epoch_ns = real - line.end_ns;
	r->any = true;
	line.start_ns += r->epoch_ns;
	line.end_ns += r->epoch_ns;
	return r->fn(r->arg, &line);
}

static int take_text(struct stat_reader *r, const char *text, size_t size, unsigned number)
{
	struct out *doc;
	int ret;

	if (strspn(text, " \t\r\n") == size)
		return 0;
	doc = out_parse(text, size);
	ret = take_interval(r, doc, number);
	out_free(doc);
	return ret;
}

int stat_lines_each(const char *path, int (*fn)(void *arg, const struct stat_line *line), void *arg)
{
	struct stat_reader r = { .path = path, .fn = fn, .arg = arg };
	FILE *f = strcmp(path, "-") ? infile_open(path) : stdin;
	size_t room = 0;
	char *text = NULL;
	ssize_t size;
	int ret = 0;

	if (!f)
		return -EINVAL;
	for (unsigned line = 1; !ret && (size = getline(&text, &room, f)) >= 0; line++)
		ret = take_text(&r, text, size, line);
	if (!ret && ferror(f))
		ret = error(-EIO, "cannot read '%s': %s", path, strerror(errno));
	free(text);
	if (f != stdin)
		fclose(f);
	return ret;
}
