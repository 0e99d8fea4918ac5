// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the I/O of a system from the output of `iospan stat --json`: the I/O of all disks, and the
 * I/O of each cgroup without its descendants. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/infile.h"
#include "user/base/out-read.h"
#include "user/base/out.h"
#include "tools/correlate/group-columns.h"
#include "tools/correlate/sources.h"

enum { READ_BYTES, WRITE_BYTES, READ_OPS, WRITE_OPS, COLUMNS_N };
static const char *const columns[] = { "read_bytes", "write_bytes", "read_ops", "write_ops" };

struct stat_source {
	const char *path;
	struct series *to;
	struct group_columns groups;
	struct group_amount *list; /* I/O of the cgroups in the interval that is being read */
	u32 list_n, list_room, row;
	/* wall clock minus monotonic clock in seconds; computed only once, from the first line, so
	 * that later changes of the wall clock have no effect */
	double epoch_s;
};

static double amount_of(const struct out *of, const char *key)
{
	double v = 0;

	if (of)
		out_get_f64(of, key, &v);
	return v > 0 ? v : 0;
}

static void add_stat_disk(void *arg, const char *key, const struct out *disk)
{
	struct stat_source *s = arg;
	const struct out *ops = out_get(disk, "operations");
	const struct out *reads = ops ? out_get(ops, "read") : NULL;
	const struct out *writes = ops ? out_get(ops, "write") : NULL;
	struct column_sums *to = s->to->columns;

	if (out_is_true(disk, "stacked"))
		return;
	to[READ_BYTES].values[s->row] += amount_of(reads, "bytes");
	to[WRITE_BYTES].values[s->row] += amount_of(writes, "bytes");
	to[READ_OPS].values[s->row] += amount_of(reads, "accesses");
	to[WRITE_OPS].values[s->row] += amount_of(writes, "accesses");
}

/* Adds the cgroup @group to s->list. An entry without a path is left out, because it is the sum of
 * all cgroups that have no entry of their own. */
static void list_group(void *arg, const char *key, const struct out *group)
{
	const struct out *layers = out_get(group, "layers");
	const struct out *device = layers ? out_get(layers, "device") : NULL;
	const char *path = out_get_str(group, "path");
	struct stat_source *s = arg;

	if (!path)
		return;
	if (s->list_n == s->list_room) {
		s->list_room = s->list_room * 2 + 64;
		s->list = need(reallocarray(s->list, s->list_room, sizeof(*s->list)));
	}
	s->list[s->list_n++] = (struct group_amount){ path, amount_of(device, "bytes"),
						      amount_of(device, "accesses") };
}

static void add_stat_groups(struct stat_source *s, const struct out *groups)
{
	u32 n;

	s->list_n = 0;
	out_each(groups, list_group, s);
	n = group_amounts_exclusive(s->list, s->list_n);
	for (u32 i = 0; i < n; i++)
		group_columns_add(&s->groups, s->row, &s->list[i]);
}

static int add_interval(struct stat_source *s, const struct out *doc)
{
	const struct out *disks = out_get(doc, "devices"), *groups = out_get(doc, "cgroups");
	u64 begin, end, real;

	if (!out_get_u64(doc, "start_ns", &begin) || !out_get_u64(doc, "end_ns", &end) ||
	    !out_get_u64(doc, "realtime_ns", &real) || !disks)
		return -EINVAL;
	if (!s->to->n)
		s->epoch_s = ((double)real - (double)end) / 1e9;
	s->row = series_add(s->to, begin / 1e9 + s->epoch_s, end / 1e9 + s->epoch_s);
	out_each(disks, add_stat_disk, s);
	if (groups)
		add_stat_groups(s, groups);
	return 0;
}

static int add_stat_line(struct stat_source *s, const char *text, size_t size, unsigned line)
{
	struct out *doc;
	int ret;

	if (strspn(text, " \t\r\n") == size)
		return 0;
	doc = out_parse(text, size);
	ret = doc ? add_interval(s, doc) : -EINVAL;
	out_free(doc);
	return ret ? error(ret, "'%s' line %u is not an interval of 'iospan stat --json'", s->path,
			   line) :
		     0;
}

static int add_lines(struct stat_source *s, FILE *f)
{
	size_t room = 0;
	char *text = NULL;
	ssize_t size;
	int ret = 0;

	for (unsigned line = 1; !ret && (size = getline(&text, &room, f)) >= 0; line++)
		ret = add_stat_line(s, text, size, line);
	if (!ret && ferror(f))
		ret = error(-EIO, "cannot read '%s': %s", s->path, strerror(errno));
	free(text);
	return ret;
}

int series_read_stat(struct series *to, const char *path)
{
	struct stat_source s = { .path = path, .to = to };
	FILE *f = infile_open(path);
	int ret;

	if (!f)
		return -EINVAL;
	for (int i = 0; i < COLUMNS_N; i++)
		series_column(to, columns[i], false);
	ret = add_lines(&s, f);
	fclose(f);
	group_columns_fill(&s.groups, to, MOST_GROUPS, 0);
	group_columns_release(&s.groups);
	free(s.list);
	return ret ?: series_finish(to, path);
}
