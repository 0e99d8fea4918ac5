// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes the tables of neighbours (cgroups that use the same disk) as JSON, and the views that print
 * them. A sharer is a cgroup on a disk. The shared time of a sharer is the time in which it and
 * another cgroup have reads or writes in flight on the disk. The ranking of a disk is the list of
 * its sharers by descending shared time. */
#include "tools/report/report-neighbours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/report/report-show.h"
#include "user/base/need.h"
#include "user/base/num.h"
#include "user/host/cgroup-names.h"
#include "user/host/dev.h"
#include "user/metric/metric.h"
#include "user/show/show-json.h"

#define KEY_JOINT "joint_ns"

struct ranking {
	const struct report_run *run;
	const struct neighbourhood *disk;
	struct sharer **at;
	u32 n;
};

/* ---- the ranking of a disk ---- */

static int compare(double x, double y)
{
	return (x < y) - (x > y);
}

/* Sorts by descending shared time. If the shared times are equal, the cgroup with the larger
 * slowdown comes first. If only two cgroups use a disk, their shared times are always equal. */
static int by_shared(const void *a, const void *b)
{
	const struct sharer *x = *(struct sharer *const *)a, *y = *(struct sharer *const *)b;
	double slow_x = sharer_slowdown(x), slow_y = sharer_slowdown(y);
	u64 shared_x = sharer_shared_ns(x), shared_y = sharer_shared_ns(y);

	if (shared_x != shared_y)
		return shared_x < shared_y ? 1 : -1;
	return compare(isnan(slow_x) ? -1 : slow_x, isnan(slow_y) ? -1 : slow_y) ?:
		compare(x->span_ns, y->span_ns) ?:
						  (int)x->group - (int)y->group;
}

static struct ranking rank_sharers(const struct report_run *r, struct neighbourhood *disk)
{
	struct ranking to = { .run = r, .disk = disk };

	to.at = need(calloc(disk->sharers_n, sizeof(*to.at)));
	for (u32 i = 0; i < disk->sharers_room; i++)
		if (disk->sharers[i])
			to.at[to.n++] = disk->sharers[i];
	neighbourhood_find_neighbours(disk);
	qsort(to.at, to.n, sizeof(*to.at), by_shared);
	return to;
}

/* ---- JSON ---- */

static const struct trace_name *name_of(const struct report_run *r, u32 kind, u32 number)
{
	return r->input.names.of[kind][number];
}

static struct out *name_json(const struct report_run *r, const struct sharer *s)
{
	const struct trace_name *n = name_of(r, TRACE_GROUP, s->group);
	char *name = cgroup_name(n->text, n->names ?: "");
	struct out *o = out_object();

	out_str(o, "path", n->text);
	out_str(o, "name", name);
	free(name);
	return o;
}

static struct out *joint_json(const struct report_run *r, const struct sharer *s,
			      const struct sharer *other)
{
	struct out *o = name_json(r, other);

	out_u64(o, KEY_JOINT, sharer_joint_ns(s, other));
	return o;
}

static struct out *latencies_json(const struct latencies *l)
{
	struct out *o = out_object();

	out_u64(o, "accesses", l->accesses);
	out_f64(o, KEY_LATENCY_MEAN, latencies_mean_ns(l));
	out_u128(o, KEY_LATENCY_SUM, l->sum_ns);
	return o;
}

static struct out *sharer_json(const struct ranking *all, const struct sharer *s)
{
	struct out *o = out_object();

	by_identity_json(o, &all->run->by[TRACE_GROUP], s->group);
	out_u64(o, "span_ns", s->span_ns);
	out_u64(o, "alone_ns", s->alone_ns);
	out_u64(o, "shared_ns", sharer_shared_ns(s));
	out_f64(o, "shared_fraction", s->span_ns ? (double)sharer_shared_ns(s) / s->span_ns : NAN);
	out_f64(o, "slowdown_ratio", sharer_slowdown(s));
	out_put(o, "alone", latencies_json(&s->alone));
	out_put(o, "shared", latencies_json(&s->shared));
	out_put(o, "neighbour", s->neighbour ? joint_json(all->run, s, s->neighbour) : NULL);
	return o;
}

/* Returns the matrix of the first cgroups of a ranking. An element is the time in which two cgroups
 * both have accesses in flight. The keys are the ranks of the cgroups: 1, 2, ... */
static struct out *matrix_json(const struct ranking *all)
{
	u32 n = all->n < all->run->matrix ? all->n : all->run->matrix;
	struct out *matrix = out_object();
	char key[NUM_TEXT];

	for (u32 i = 0; i < n; i++) {
		struct out *o = name_json(all->run, all->at[i]), *joint = out_object();

		for (u32 k = 0; k < n; k++)
			if (k != i)
				out_put(joint, num_whole_text(key, k + 1),
					joint_json(all->run, all->at[i], all->at[k]));
		out_put(o, "joint", joint);
		out_put(matrix, num_whole_text(key, i + 1), o);
	}
	return matrix;
}

static struct out *disk_json(struct out *doc, const struct ranking *all)
{
	const struct trace_name *n = name_of(all->run, TRACE_DISK, all->disk->disk);
	struct out *o = out_object(), *list = out_list(o, "cgroups");
	u64 top = all->run->top;
	char dev[DEV_TEXT], left[NUM_TEXT];

	out_str(o, "name", n->text);
	out_str(o, "dev", n->id ? dev_text(dev, n->id) : NULL);
	out_bool(o, "stacked", all->disk->stacked);
	for (u32 i = 0; i < all->n && (!top || i < top); i++)
		out_append(list, sharer_json(all, all->at[i]));
	if (top && all->n > top)
		out_append_strf(out_list(doc, "table_notes"),
				"%s: the table of neighbours lacks %s cgroup%s; --top=0 prints all",
				n->text, num_count_text(left, all->n - top),
				num_word(all->n - top, "", "s"));
	out_put(o, "matrix", all->n > 1 ? matrix_json(all) : NULL);
	return o;
}

/* ---- the sentence about the cgroup with the largest shared time ---- */

static char *readable(const struct report_run *r, const struct sharer *s)
{
	const struct trace_name *n = name_of(r, TRACE_GROUP, s->group);

	return cgroup_name(n->text, n->names ?: "") ?: need_text("%s", n->text);
}

static char *slowdown_text(const struct sharer *s)
{
	if (isnan(sharer_slowdown(s)))
		return need(strdup(""));
	return need_text("; its accesses take %.1f times as long then", sharer_slowdown(s));
}

static void sentence_json(struct out *doc, const struct ranking *all)
{
	const struct sharer *s = all->at[0];
	char *name = readable(all->run, s), *with = readable(all->run, s->neighbour);
	char *slowdown = slowdown_text(s), span[NUM_TEXT], joint[NUM_TEXT];

	out_append_strf(out_list(doc, "summary"),
			"%s shares %.0f %% of its %s on %s%s with %s (%s)%s", name,
			100.0 * sharer_shared_ns(s) / s->span_ns, num_time_text(span, s->span_ns),
			name_of(all->run, TRACE_DISK, s->disk->disk)->text,
			s->neighbour_ns < sharer_shared_ns(s) ? ", most" : "", with,
			num_time_text(joint, s->neighbour_ns), slowdown);
	free(name);
	free(with);
	free(slowdown);
}

/* Returns true if the first cgroup of ranking @a has more shared time than the first cgroup of @b.
 * Rankings of stacked disks come after all others, because the disks below have the same
 * accesses. */
static bool shares_more(const struct ranking *a, const struct ranking *b)
{
	if (!b->n || a->disk->stacked != b->disk->stacked)
		return !b->n || b->disk->stacked;
	return sharer_shared_ns(a->at[0]) > sharer_shared_ns(b->at[0]);
}

/* Returns the sentence for a report in which no cgroup shares time of a disk. @known is false if
 * the traces have no cgroups. */
static const char *nothing_shared(const struct report_run *r, bool known)
{
	if (!r->backends[LAYER_DEVICE])
		return "neighbours are unknown, because the traces have no access of the device "
		       "layer";
	return known ? "no cgroup shares time of a disk with another cgroup" :
		       "neighbours are unknown, because the traces have no cgroups";
}

void neighbours_json(struct out *doc, const struct report_run *r)
{
	struct out *list = r->matrix ? out_list(doc, "neighbours") : NULL;
	/* Name 0 stands for unknown cgroups. So the traces have cgroups if there are more names. */
	bool known = r->input.names.n[TRACE_GROUP] > 1 && evidence_has_groups(&r->evidence);
	struct ranking first = {};

	for (u32 i = 0; list && known && i < r->neighbours.room; i++) {
		struct ranking all;

		if (!r->neighbours.disks[i])
			continue;
		all = rank_sharers(r, r->neighbours.disks[i]);
		out_append(list, disk_json(doc, &all));
		if (sharer_shared_ns(all.at[0]) && shares_more(&all, &first)) {
			free(first.at);
			first = all;
		} else {
			free(all.at);
		}
	}
	if (first.n)
		sentence_json(doc, &first);
	else if (list)
		out_append_str(out_list(doc, "summary"), nothing_shared(r, known));
	free(first.at);
}

/* ---- views ---- */

#define RANK(n) \
	COLUMN("joint." #n "." KEY_JOINT, .title = #n, .kind = VIEW_TIME, .only_with = "matrix." #n)

static const struct view matrix[] = {
	VIEW("matrix.*", .left = 2, .name = "{@} {name|path}",
	     COLUMN_LIST(COLUMN("", .title = "both in flight"),
			 COLUMN("^name", .title = "device", .starred = "^stacked"), RANK(1),
			 RANK(2), RANK(3), RANK(4), RANK(5), RANK(6), RANK(7), RANK(8), RANK(9),
			 RANK(10), RANK(11), RANK(12), RANK(13), RANK(14), RANK(15), RANK(16))),
	{},
};

static const struct view tables[] = {
	VIEW("neighbours.*.cgroups.*", .left = 2, .name = "{name|path}",
	     COLUMN_LIST(COLUMN("", .title = "cgroup"),
			 COLUMN("^name", .title = "device", .starred = "^stacked"),
			 COLUMN("span_ns", .title = "T"), COLUMN("alone_ns"), COLUMN("shared_ns"),
			 COLUMN("shared_fraction", .title = "shared %"),
			 COLUMN("alone." KEY_LATENCY_MEAN, .title = "ARPT alone"),
			 COLUMN("shared." KEY_LATENCY_MEAN, .title = "ARPT shared"),
			 COLUMN("slowdown_ratio", .title = "slowdown"))),
	VIEW("neighbours.*", .inner = matrix, .is_more = true),
	{},
};
#define TABLES (sizeof(tables) / sizeof(*tables) - 1)

struct view *neighbours_views(const struct view *views)
{
	struct view *all, *to;
	u32 n = 0;

	while (views[n].path)
		n++;
	all = to = need(calloc(n + TABLES + 1, sizeof(*all)));
	for (; views->path; views++) {
		if (views->inner == show_evidence_views)
			to = mempcpy(to, tables, TABLES * sizeof(*tables));
		*to++ = *views;
	}
	return all;
}

#define CSV(path, name, stacked, group, neighbour, ...) \
	VIEW(path, .is_csv = true, .is_hidden = true, \
	     COLUMN_LIST(COLUMN(name), COLUMN(stacked), COLUMN(group), \
			 COLUMN(neighbour, .title = "neighbour"), __VA_ARGS__))

const struct view neighbours_csv[] = {
	CSV("neighbours.*.cgroups.*", "^name", "^stacked", "path", "=", COLUMN("span_ns"),
	    COLUMN("alone_ns"), COLUMN("shared_ns"), COLUMN("shared_fraction"),
	    COLUMN("slowdown_ratio"), COLUMN("alone.accesses"), COLUMN("alone." KEY_LATENCY_MEAN),
	    COLUMN("shared.accesses"), COLUMN("shared." KEY_LATENCY_MEAN), COLUMN(KEY_JOINT)),
	CSV("neighbours.*.matrix.*.joint.*", "^^name", "^^stacked", "^path", "path", COLUMN("="),
	    COLUMN("="), COLUMN("="), COLUMN("="), COLUMN("="), COLUMN("="), COLUMN("="),
	    COLUMN("="), COLUMN("="), COLUMN(KEY_JOINT)),
	VIEW("", .inner = show_evidence_views),
	VIEW("notes.*", .is_note = true, .is_hidden = true, .warns = true),
	{},
};
