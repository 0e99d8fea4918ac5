// SPDX-License-Identifier: GPL-2.0-or-later
/* The cgroups of the exporter, called groups here. A group has series of its own, or it is folded:
 * its I/O is only in the total of all folded groups. To unfold a group is to give it series of its
 * own again. */
#include "user/exporter/groups.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "user/host/cgroup-names.h"
#include "user/host/containers.h"
#include "user/base/err.h"
#include "user/exporter/openmetrics.h"
#include "user/exporter/put.h"
#include "user/exporter/shares.h"
#include "user/metric/measurement.h"
#include "user/trace/filter.h"

/* number of series of a struct exported_part: one per field of struct counts, except the two
 * fields that are only for disks */
#define PART_SERIES 5
/* number of series of a cgroup at one layer */
#define LAYER_SERIES (4 + HISTOGRAM_SERIES)

void exported_sum_set(struct exported_sum *to, const struct sum *from)
{
	to->counts = (struct counts){ from->row.accesses,   from->row.bytes, from->row.errors,
				      from->row.latency_ns, from->span_ns,   from->row.queued,
				      from->row.queued_ns };
	memset(to->hist, 0, sizeof(to->hist));
	for (u32 i = 0; from->row.timed && i < HIST_BUCKETS; i++) {
		u32 end = (i >> HIST_SUB_BITS) +
			/* the upper limit of bucket i, rounded up to a power of two, is 2^end ns */
			HIST_SUB_BITS;
		u32 at = end > BORDER_FIRST ? end - BORDER_FIRST : 0;

		to->hist[at < BORDERS ? at : BORDERS] += from->row.hist[i];
	}
}

static void add_to_part(struct exported_group *g, const struct group_part *from, unsigned disk)
{
	struct exported_part *p = g->parts, *end = g->parts + g->parts_n;

	while (p < end && (p->layer != from->layer || p->disk != disk || p->op != from->op))
		p++;
	if (p == end) {
		*p = (struct exported_part){ .layer = from->layer, .disk = disk, .op = from->op };
		g->parts_n++;
	}
	p->counts.accesses += from->accesses;
	p->counts.bytes += from->bytes;
	p->counts.errors += from->errors;
	p->counts.latency_sum_ns += from->latency_ns;
	p->counts.span_ns += from->span_ns;
}

/* Copies the pressure of a cgroup. The PSI of a removed cgroup can no longer be read, so its last
 * values stay. */
static void set_pressure(struct pressure *to, const struct pressure *from)
{
	struct pressure last = *to;

	*to = *from;
	if (from->has_psi)
		return;
	to->has_psi = last.has_psi;
	to->some_ns = last.some_ns;
	to->full_ns = last.full_ns;
}

static void update_group(struct exported_group *g, const struct group_sum *from,
			 const unsigned *disk_of)
{
	g->present = true;
	/* If born_ns differs, the tracer has freed the counters of the removed cgroup. Then it has
	 * started new counters at 0, because the cgroup had further I/O. */
	if (g->born_ns != from->born_ns)
		memset(g->counted, 0, sizeof(g->counted));
	g->born_ns = from->born_ns;
	g->removed = from->removed;
	g->gone_ns = 0;
	exported_sum_set(&g->layers[LAYER_DEVICE], &from->device);
	exported_sum_set(&g->layers[LAYER_VFS], &from->vfs);
	set_pressure(&g->pressure, &from->pressure);
	exported_sum_set(&g->sync, &from->sync);
	g->wait_ns = from->vfs.wait_ns;
	if (from->parts_n > g->parts_n)
		g->parts = need(reallocarray(g->parts, from->parts_n, sizeof(*g->parts)));
	g->parts_n = 0;
	for (unsigned i = 0; i < from->parts_n; i++) {
		const struct group_part *p = &from->parts[i];
		unsigned disk = p->layer == LAYER_DEVICE ? disk_of[p->disk] : 0;

		if (disk != DISK_ENDED)
			add_to_part(g, p, disk);
	}
	exported_shares_set(g, from, disk_of);
}

static char *group_labels(const char *path, u64 id, const char *names)
{
	char *text = NULL, *name = cgroup_name(path, names);
	size_t size;
	FILE *f = need(open_memstream(&text, &size));

	label_put(f, true, "cgroup", path);
	if (name)
		label_put(f, false, "name", name);
	fprintf(f, ",id=\"%" PRIu64 "\"", (uint64_t)id);
	for (int part = 0; part < CGROUP_NAMES_PARTS; part++) {
		char *value = cgroup_names_part(path, names, part);

		label_put(f, false, cgroup_names_parts[part], value);
		free(value);
	}
	fclose(f);
	free(name);
	return need(text);
}

/* Makes the labels of a new group. Makes them again when the names of the container are known: the
 * kubelet writes them only after the container has started. The labels of a removed cgroup do not
 * change. */
static void label_group(struct exported_group *g)
{
	struct cgroup_ids ids;
	char *names;

	if (g->labels && (g->named || g->removed))
		return;
	ids = cgroup_ids(g->path);
	names = container_names(g->path);
	if (!g->labels || *names) {
		free(g->labels);
		g->labels = group_labels(g->path, g->id, names);
	}
	g->named = *ids.container ? *names && names[strlen(names) - 1] != '/' : *names || !*ids.pod;
	free(names);
}

static void release_group(struct exported_group *g)
{
	free(g->path);
	free(g->labels);
	free(g->parts);
	free(g->shares);
}

bool exported_group_used(const struct exported_group *g, enum layer layer)
{
	return g->layers[layer].counts.accesses || g->layers[layer].counts.span_ns;
}

static u64 series_of(const struct exported_group *g)
{
	u64 n = (u64)g->parts_n * PART_SERIES + waiting_series(g);

	for (int l = LAYER_VFS; l <= LAYER_DEVICE; l++)
		n += exported_group_used(g, l) ? LAYER_SERIES : 0;
	n += g->sync.counts.accesses ? HISTOGRAM_SERIES : 0;
	n += exported_shares_series(g);
	return g->folded ? 0 : n;
}

static int by_id(const void *a, const void *b)
{
	const struct exported_group *g = a, *h = b;

	return (g->id > h->id) - (g->id < h->id);
}

static struct exported_group *find_group(const struct exported_groups *g, u64 id)
{
	const struct exported_group key = { .id = id };

	return bsearch(&key, g->all, g->n, sizeof(key), by_id);
}

static void update_all(struct exported_groups *g, const struct measurement *m,
		       const unsigned *disk_of, const char *wanted)
{
	size_t known = g->n;

	g->all = need(reallocarray(g->all, g->n + m->groups_n + 1, sizeof(*g->all)));
	for (unsigned i = 0; i < m->groups_n; i++) {
		const struct group_sum *from = &m->groups[i];
		struct exported_groups before = { .all = g->all, .n = known };
		struct exported_group *to = find_group(&before, from->id);

		/* A removed cgroup may have more I/O while the tracer frees its counters. Then @m
		 * has two groups with the same id: first the old group, then the new group. The new
		 * group is skipped here. The next measurement has only the new group. */
		if (i && from[-1].id == from->id)
			continue;
		if (!to && wanted && !trace_group_matches(from->path, from->id, wanted))
			continue;
		if (!to) {
			to = &g->all[g->n++];
			*to = (struct exported_group){ .id = from->id,
						       .path = need(strdup(from->path)) };
		}
		label_group(to);
		update_group(to, from, disk_of);
	}
	qsort(g->all, g->n, sizeof(*g->all), by_id);
}

/* Removes the sums of the vfs layer, so that the group has no series of this layer. */
static void end_vfs(struct exported_group *g)
{
	unsigned n = 0;

	g->layers[LAYER_VFS] = g->sync = (struct exported_sum){};
	g->wait_ns = 0;
	g->counted[LAYER_VFS] = (struct counts){};
	for (unsigned i = 0; i < g->parts_n; i++)
		if (g->parts[i].layer != LAYER_VFS)
			g->parts[n++] = g->parts[i];
	g->parts_n = n;
}

/* Frees each group that has been missing in all measurements since @before_ns or earlier. Frees a
 * folded group as soon as it is missing in one measurement, because it has no series to scrape. */
static void drop_old(struct exported_groups *g, u64 before_ns)
{
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++) {
		struct exported_group *one = &g->all[i];

		if (one->gone_ns && (one->folded || one->gone_ns <= before_ns))
			release_group(one);
		else
			g->all[n++] = *one;
	}
	g->n = n;
}

static u64 all_series(const struct exported_groups *g)
{
	u64 n = 0;

	for (size_t i = 0; i < g->n; i++)
		n += series_of(&g->all[i]);
	return n;
}

static u128 group_bytes(const struct exported_group *g)
{
	return g->layers[LAYER_VFS].counts.bytes + g->layers[LAYER_DEVICE].counts.bytes;
}

/* Compares two groups for sorting. The order is the order in which groups are folded:
 *
 * 1. groups that are no longer measured, in the order of their last measurement
 * 2. groups of removed cgroups that are still measured
 * 3. groups of existing cgroups
 *
 * If this does not decide, the group with fewer bytes is first. If a child has as many bytes as its
 * parent, the child is first, because its id is larger. */
static int by_worth(const void *a, const void *b)
{
	const struct exported_group *const *p = a, *const *q = b, *g = *p, *h = *q;

	if (g->gone_ns != h->gone_ns)
		return !g->gone_ns ? 1 : !h->gone_ns ? -1 : g->gone_ns < h->gone_ns ? -1 : 1;
	if (g->removed != h->removed)
		return g->removed ? -1 : 1;
	if (group_bytes(g) != group_bytes(h))
		return group_bytes(g) < group_bytes(h) ? -1 : 1;
	return (g->id < h->id) - (g->id > h->id);
}

/* Folds groups in the order of @worth, until the number of series has fallen from @series to @room
 * or less. */
static void fold(struct exported_groups *g, struct exported_group **worth, u64 series, u64 room)
{
	for (size_t i = 0; i < g->n && series > room; i++) {
		if (worth[i]->folded)
			continue;
		series -= series_of(worth[i]);
		worth[i]->folded = true;
		g->folded_n += !worth[i]->gone_ns;
	}
}

/* Gives folded groups of existing cgroups their own series again, while the total is at most @room
 * series. @worth is sorted by ascending I/O, and removed groups come first. The loop goes
 * backwards, so it takes the groups with the most I/O first. The counters of a folded group
 * continue to grow, so Prometheus never sees a counter decrease. */
static void unfold(struct exported_groups *g, struct exported_group **worth, u64 series, u64 room)
{
	for (size_t i = g->n; i-- > 0 && !worth[i]->removed && !worth[i]->gone_ns;) {
		if (!worth[i]->folded)
			continue;
		worth[i]->folded = false;
		series += series_of(worth[i]);
		if (series > room) {
			worth[i]->folded = true;
			return;
		}
	}
}

static bool is_some_folded(const struct exported_groups *g)
{
	for (size_t i = 0; i < g->n; i++)
		if (g->all[i].folded)
			return true;
	return false;
}

/* If the cgroups have more than @max_series series, folds groups until only 7/8 of @max_series are
 * used. This leaves room for new groups. Otherwise, gives folded groups their own series again, but
 * uses at most 3/4 of @max_series, so that they are not folded again soon. */
static void fold_or_unfold(struct exported_groups *g, u64 max_series)
{
	u64 series = all_series(g);
	struct exported_group **worth;

	if (series <= max_series && !is_some_folded(g))
		return;
	worth = need(calloc(g->n, sizeof(struct exported_group *)));
	for (size_t i = 0; i < g->n; i++)
		worth[i] = &g->all[i];
	qsort(worth, g->n, sizeof(struct exported_group *), by_worth);
	if (series > max_series)
		fold(g, worth, series, max_series - max_series / 8);
	else
		unfold(g, worth, series, max_series / 4 * 3);
	free(worth);
}

static void count_folded(struct exported_groups *g, const struct exported_group *one)
{
	for (int l = 0; l < LAYERS; l++) {
		const struct counts *now = &one->layers[l].counts, *before = &one->counted[l];

		g->folded[l].accesses += now->accesses - before->accesses;
		g->folded[l].bytes += now->bytes - before->bytes;
		g->folded[l].errors += now->errors - before->errors;
		g->folded[l].latency_sum_ns += now->latency_sum_ns - before->latency_sum_ns;
	}
}

/* Adds to g->folded the I/O that folded groups did since the last update. The I/O of a group
 * includes that of its descendants, which directly follow it in @m. So if a group is added, its
 * descendants are skipped. Groups that the filter excludes are not in @g. */
static void count_since_last(struct exported_groups *g, const struct measurement *m)
{
	const struct exported_group *top = NULL;

	for (unsigned i = 0; i < m->groups_n; i++) {
		struct exported_group *one = find_group(g, m->groups[i].id);

		if (one && one->folded && !(top && group_is_below(one->path, top->path))) {
			count_folded(g, one);
			top = one;
		}
		for (int l = 0; one && l < LAYERS; l++)
			one->counted[l] = one->layers[l].counts;
	}
}

void exported_groups_update(struct exported_groups *g, const struct measurement *m,
			    const unsigned *disk_of, const struct exporter_limits *limits)
{
	u64 now = m->begin_ns + m->elapsed_ns;

	for (size_t i = 0; i < g->n; i++)
		g->all[i].present = false;
	update_all(g, m, disk_of, limits->cgroup);
	for (size_t i = 0; i < g->n; i++)
		if (!g->all[i].present && !g->all[i].gone_ns)
			g->all[i].gone_ns = now;
	for (size_t i = 0; g->vfs_ended && i < g->n; i++)
		end_vfs(&g->all[i]);
	fold_or_unfold(g, limits->max_series);
	count_since_last(g, m);
	drop_old(g, now > limits->keep_ns ? now - limits->keep_ns : 0);
}

void exported_groups_release(struct exported_groups *g)
{
	for (size_t i = 0; i < g->n; i++)
		release_group(&g->all[i]);
	free(g->all);
}
