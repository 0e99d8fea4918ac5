// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes the disks, cgroups and processes of a report as arrays of its JSON document. A group is a
 * cgroup or process. A part of a group is its accesses with one operation, either on one disk or at
 * the vfs layer. */
#include "user/show/show-rows.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/need.h"
#include "user/base/num.h"
#include "user/host/cgroup-names.h"
#include "user/host/containers.h"
#include "user/host/dev.h"
#include "user/metric/measurement.h"
#include "user/show/interval-select.h"
#include "user/show/show-json.h"

static unsigned shown_rows(const struct report *r, unsigned n)
{
	return r->top && r->top < n ? r->top : n;
}

static void append(void *list, struct out *row)
{
	out_append(list, row);
}

static void each_device(const void *report, void (*add)(void *to, struct out *row), void *to)
{
	const struct report *r = report;

	for (unsigned i = 0; i < shown_rows(r, r->m->disks_n); i++) {
		const struct disk_sum *d = &r->m->disks[i];
		char dev[DEV_TEXT];
		struct out *o;

		if (!disk_is_used(d))
			continue;
		o = show_sum_json(r, &d->all);
		out_str(o, "name", d->name);
		out_str(o, "dev", dev_text(dev, d->dev));
		out_bool(o, "stacked", d->stacked);
		out_put(o, "operations", show_operations_json(r, d->ops, op_names, DEVICE_OPS));
		add(to, o);
	}
}

struct out *show_devices_json(const struct report *r)
{
	struct out *list = out_array();

	each_device(r, append, list);
	return list;
}

/* Makes a row from the part @p: adds to @o the metrics that r->keys lists. Adds @place at the key
 * "place": the name of the disk, or "(vfs)". */
static void part_as_row(struct out *o, const struct report *r, const struct group_part *p,
			const char *place)
{
	/* If the completion of an access is lost, T (the time in flight) includes the access, but
	 * the sum of latencies does not. So a sum of latencies below T is incomplete, and the
	 * latency is shown as unknown. */
	bool timed = p->latency_ns >= p->span_ns;
	struct sum s = { .row = { .accesses = p->accesses,
				  .timed = timed ? p->accesses : 0,
				  .bytes = p->bytes,
				  .errors = p->errors,
				  .latency_ns = p->latency_ns } };

	sum_set_span(&s, p->span_ns, r->m->elapsed_ns);
	for (const char *const *key = r->keys; *key; key++)
		metric_json(o, metric_named(*key), &s);
	out_str(o, "place", place);
}

static const char *name_of_disk(const struct report *r, u32 disk, const char *number)
{
	for (unsigned i = 0; i < r->m->disks_n; i++)
		if (r->m->disks[i].disk == disk)
			return r->m->disks[i].name;
	return number;
}

static struct out *part_json(const struct report *r, const struct group_part *p)
{
	struct out *o = out_object();
	bool vfs = p->layer == LAYER_VFS;
	char dev[DEV_TEXT];

	out_str(o, "layer", layer_names[p->layer]);
	out_str(o, "dev", vfs ? NULL : dev_text(dev, p->dev));
	out_str(o, "op", vfs ? vfs_op_names[p->op] : op_names[p->op]);
	out_u64(o, "accesses", p->accesses);
	out_u128(o, "bytes", p->bytes);
	out_u64(o, "errors", p->errors);
	out_u128(o, KEY_LATENCY_SUM, p->latency_ns);
	out_u64(o, "span_ns", p->span_ns);
	if (r->keys)
		part_as_row(o, r, p, vfs ? "(vfs)" : name_of_disk(r, p->disk, dev));
	return o;
}

void show_cgroup_names(struct out *o, const char *path, const char *names)
{
	char *name = path ? cgroup_name(path, names ?: "") : NULL;

	out_str(o, "name", name);
	free(name);
	for (int part = 0; part < CGROUP_NAMES_PARTS; part++) {
		char *text = path ? cgroup_names_part(path, names ?: "", part) : NULL;

		out_str(o, cgroup_names_parts[part], text && *text ? text : NULL);
		free(text);
	}
}

static void cgroup_json(struct out *o, const struct group_sum *g)
{
	char *names = g->path ? container_names(g->path) : NULL;

	out_str(o, "path", g->path);
	out_str(o, "title", g->path ?: "(other)");
	show_cgroup_names(o, g->path, names);
	free(names);
	if (g->path)
		out_u64(o, "id", g->id);
	else
		out_null(o, "id");
}

static void process_json(struct out *o, const struct group_sum *g)
{
	char *name = g->path ? need(strdup(g->path)) : NULL;

	if (name)
		/* the path of a process is "NAME[PID]", such as "dd[123]" */
		*strrchr(name, '[') = '\0';
	out_str(o, "title", g->path ?: "(other)");
	out_str(o, "name", name);
	if (name)
		out_u64(o, "pid", group_process(g->id));
	else
		out_null(o, "pid");
	free(name);
}

static struct out *disk_share_json(const struct report *r, const struct disk_share *s)
{
	struct out *o = out_object();
	char dev[DEV_TEXT];

	dev_text(dev, s->dev);
	out_str(o, "name", name_of_disk(r, s->disk, dev));
	out_str(o, "dev", dev);
	out_u64_or_null(o, "span_ns", s->is_known, s->span_ns);
	out_u64_or_null(o, "alone_ns", s->is_known, s->span_ns - s->shared_ns);
	out_u64_or_null(o, "shared_ns", s->is_known, s->shared_ns);
	return o;
}

/* Adds to @o how the group @g shared its disks with other groups: the fraction of its time on disks
 * in which it shared them, and the slowdown. For JSON with all metrics (r->keys is NULL), also adds
 * the times per disk and two sums. The sum "alone" has the accesses that started while the group
 * used the disk alone. The sum "shared" has the other accesses. */
static void sharing_json(struct out *o, const struct report *r, const struct group_sum *g)
{
	struct disk_sharing s = group_sharing(g);
	struct out *sharing = out_object(), *list;
	struct sum alone, shared;

	out_put(o, KEY_SHARING, sharing);
	out_f64(sharing, KEY_SHARED_FRACTION, group_shared_fraction(g));
	out_f64(sharing, KEY_SLOWDOWN, group_slowdown(g));
	if (r->keys)
		return;
	if (s.is_known)
		sharing_sums(g, &s, &alone, &shared);
	out_put(sharing, "alone", s.is_known ? show_sum_json(r, &alone) : NULL);
	out_put(sharing, "shared", s.is_known ? show_sum_json(r, &shared) : NULL);
	list = out_list(sharing, "disks");
	for (unsigned i = 0; i < g->shares_n; i++)
		out_append(list, disk_share_json(r, &g->shares[i]));
}

static struct out *group_json(const struct report *r, const struct group_sum *g)
{
	struct out *o = out_object(), *layers = out_object(), *list;

	if (r->options->per_process)
		process_json(o, g);
	else
		cgroup_json(o, g);
	out_bool(o, "other", !g->path);
	for (int i = 0; i < LAYERS; i++) {
		const struct sum *s = report_sees(r, i) ? group_layer(g, i) : NULL;

		struct out *layer = s ? show_sum_json(r, s) : NULL;

		if (layer && r->keys && r->options->pressure)
			pressure_json(layer, &g->pressure);
		if (layer && r->keys && i == LAYER_DEVICE)
			sharing_json(layer, r, g);
		if (layer && i == LAYER_VFS)
			out_put(layer, "operations", show_sync_json(r, &g->sync));
		out_put(layers, layer_names[i], layer);
	}
	out_put(o, "layers", layers);
	if (!r->keys && r->options->pressure)
		pressure_json(o, &g->pressure);
	if (!r->keys && report_sees(r, LAYER_DEVICE))
		sharing_json(o, r, g);
	if (r->options->per_part) {
		list = out_array();
		for (unsigned i = 0; i < g->parts_n; i++)
			out_append(list, part_json(r, &g->parts[i]));
		out_put(o, "parts", list);
	}
	return o;
}

static void each_group(const void *report, void (*add)(void *to, struct out *row), void *to)
{
	const struct report *r = report;

	for (unsigned i = 0; i < shown_rows(r, r->m->groups_n); i++)
		add(to, group_json(r, &r->m->groups[i]));
	if (group_is_used(&r->m->others))
		add(to, group_json(r, &r->m->others));
}

static const char *groups_key(const struct report *r)
{
	return r->options->per_process ? "processes" : "cgroups";
}

void show_groups_json(struct out *doc, const struct report *r)
{
	each_group(r, append, out_list(doc, groups_key(r)));
}

/* Adds to @others the object @sum: the sum of the @n rows that the limit --top leaves out. */
static void rest_json(struct out *others, const char *key, struct out *sum, unsigned n)
{
	out_strf(sum, "title", "(%u other%s)", n, num_word(n, "", "s"));
	out_append(out_list(others, key), sum);
}

static struct out *others_json(const struct report *r, bool groups)
{
	unsigned all = groups ? r->m->groups_n : r->m->disks_n, n = shown_rows(r, all);
	struct out *others = out_object();
	struct group_sum rest_of_groups;
	struct sum rest;

	if (groups && n < all) {
		rest_of_groups = interval_rest_of_groups(r->m, n);
		rest_json(others, groups_key(r), group_json(r, &rest_of_groups), all - n);
	} else if (n < all) {
		all = interval_rest_of_disks(r->m, n, &rest);
		if (all)
			rest_json(others, "devices", show_sum_json(r, &rest), all);
	}
	return others;
}

struct made show_rows_json(struct out *doc, const struct report *r)
{
	bool groups = r->options->per_cgroup;
	struct made made = { groups ? groups_key(r) : "devices", groups ? each_group : each_device,
			     r };

	out_null(doc, made.key);
	out_put(doc, "others", others_json(r, groups));
	return made;
}
