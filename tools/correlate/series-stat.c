// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the I/O of a system from the output of `iospan stat --json`: the I/O of all disks, and the
 * I/O of each cgroup without its descendants. The cgroups of the jobs have no columns. */
#include <stdlib.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/num.h"
#include "user/base/out-read.h"
#include "user/base/out.h"
#include "tools/correlate/group-columns.h"
#include "tools/correlate/sources.h"
#include "tools/input/stat-lines.h"
#include "tools/input/traced.h"

struct stat_source {
	struct series *to;
	struct group_columns groups;
	struct group_amount *list; /* I/O of the cgroups in the interval that is being read */
	u32 list_n, list_room, row;
	u32 lossy; /* number of intervals that state losses of events */
};

static void add_stat_disk(void *arg, const char *key, const struct out *disk)
{
	struct stat_source *s = arg;
	struct column_sums *to = s->to->columns;
	struct stat_disk d;

	if (!stat_disk_of(&d, disk))
		return;
	for (int i = 0; i < 2; i++) {
		to[READ_BYTES + i].values[s->row] += d.bytes[i];
		to[READ_OPS + i].values[s->row] += d.ops[i];
	}
}

/* Adds the cgroup @group to s->list. Leaves out the element without a path, which is the sum of the
 * I/O of all cgroups that are not listed. */
static void list_group(void *arg, const char *key, const struct out *group)
{
	const struct out *layers = out_get(group, "layers");
	const struct out *device = layers ? out_get(layers, "device") : NULL;
	const char *path = out_get_str(group, "path");
	struct stat_source *s = arg;

	if (!path)
		return;
	s->list = need_index(s->list, &s->list_room, s->list_n, sizeof(*s->list));
	s->list[s->list_n++] = (struct group_amount){ path, stat_amount(device, "bytes"),
						      stat_amount(device, "accesses") };
}

static void add_stat_groups(struct stat_source *s, const struct out *groups)
{
	u32 n;

	s->list_n = 0;
	out_each(groups, list_group, s);
	n = group_amounts_exclusive(s->list, s->list_n);
	for (u32 i = 0; i < n; i++)
		if (!group_is_of_iospan(s->list[i].path))
			group_columns_add(&s->groups, s->row, &s->list[i]);
}

static int add_interval(void *arg, const struct stat_line *line)
{
	const struct out *groups = out_get(line->doc, "cgroups");
	struct stat_source *s = arg;

	s->row = series_add(s->to, line->start_ns / 1e9, line->end_ns / 1e9);
	s->lossy += traced_any_loss(line->doc);
	out_each(out_get(line->doc, "devices"), add_stat_disk, s);
	if (groups)
		add_stat_groups(s, groups);
	return 0;
}

int series_read_stat(struct series *to, const char *path)
{
	struct stat_source s = { .to = to };
	int ret;

	series_io_columns(to);
	ret = stat_lines_each(path, add_interval, &s);
	group_columns_fill(&s.groups, to, MOST_GROUPS, 0);
	group_columns_release(&s.groups);
	free(s.list);
	if (!ret && s.lossy)
		warn_loss("'%s' states losses in %u of %u interval%s", path, s.lossy, to->n,
			  num_word(to->n, "", "s"));
	return ret ?: series_finish(to, path);
}
