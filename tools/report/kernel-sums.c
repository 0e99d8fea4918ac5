// SPDX-License-Identifier: GPL-2.0-or-later
/* Compares the sums that BPF programs made during the recording with the sums of the accesses in
 * the trace. If they differ, the trace usually lacks accesses. T is the time with at least one
 * access in flight. */
#include <math.h>
#include <string.h>

#include "user/base/out-read.h"
#include "tools/report/evidence.h"

struct compared {
	u64 accesses, bytes, span_ns;
	s64 more_accesses, more_bytes; /* value of the BPF programs minus value of this trace */
	/* T of the BPF programs divided by T of this trace, minus 1; NaN: T of this trace is 0 */
	double more_span;
};

/* Compares the sums @theirs, which the BPF programs made, with the sums @ours of this trace.
 * Returns false if a value is missing in @theirs. */
static bool compare_sums(const struct out *theirs, const struct sum *ours, struct compared *c)
{
	double span;

	if (!out_get_u64(theirs, "accesses", &c->accesses) ||
	    !out_get_u64(theirs, "bytes", &c->bytes) ||
	    !out_get_u64(theirs, "span_ns", &c->span_ns))
		return false;
	span = c->span_ns;
	c->more_accesses = c->accesses - ours->row.accesses;
	c->more_bytes = c->bytes - ours->row.bytes;
	c->more_span = ours->span_ns ? span / ours->span_ns - 1 : span > 0 ? NAN : 0;
	return true;
}

/* Returns true if the sums differ. A difference of T below 0.01 % is ignored, because recorded
 * times are rounded. */
static bool differs(const struct compared *c)
{
	return c->more_accesses || c->more_bytes || !(fabs(c->more_span) < 1e-4);
}

/* Returns true if T of the trace is too short because the trace lacks accesses. */
static bool is_short(const struct compared *c)
{
	return isnan(c->more_span) || c->more_span >= 1e-4;
}

static struct out *compared_json(const struct compared *c)
{
	struct out *o = out_object();

	out_u64(o, "accesses", c->accesses);
	out_u64(o, "bytes", c->bytes);
	out_u64(o, "span_ns", c->span_ns);
	out_f64(o, "difference_accesses", c->more_accesses);
	out_f64(o, "difference_bytes", c->more_bytes);
	out_f64(o, "difference_span_fraction", c->more_span);
	return o;
}

struct compared_disks {
	const struct measurement *m;
	struct out *list;
};

static void compare_disk(void *arg, const char *key, const struct out *theirs)
{
	const struct compared_disks *to = arg;
	const char *name = out_get_str(theirs, "name");
	struct compared c;

	for (u32 i = 0; name && i < to->m->disks_n; i++) {
		struct out *o;

		if (strcmp(to->m->disks[i].name, name) ||
		    to->m->disks[i].stacked != out_is_true(theirs, "stacked") ||
		    !compare_sums(theirs, &to->m->disks[i].all, &c))
			continue;
		o = compared_json(&c);
		out_str(o, "name", name);
		out_append(to->list, o);
		return;
	}
}

struct compared_groups {
	const struct by *by;
	struct out *list;
};

static void compare_group(void *arg, const char *key, const struct out *theirs)
{
	const struct compared_groups *to = arg;
	const char *path = out_get_str(theirs, "path");
	const struct out *device = out_get(out_get(theirs, "layers"), "device");
	struct compared c;
	u64 id = 0;

	out_get_u64(theirs, "id", &id);
	for (u32 i = 0; path && i < to->by->n; i++) {
		const struct by_entity *e = to->by->entities[i];
		const struct trace_name *name = e ? to->by->names->of[TRACE_GROUP][i] : NULL;
		struct sum ours = { .has_span = true };
		struct out *o;

		if (!e || name->id != id || strcmp(name->text, path))
			continue;
		if (e->rows[LAYER_DEVICE][BY_RW])
			by_sum(e->rows[LAYER_DEVICE][BY_RW], 0, &ours);
		if (!compare_sums(device, &ours, &c))
			continue;
		o = compared_json(&c);
		out_str(o, "path", path);
		out_append(to->list, o);
		return;
	}
}

static void compared_sentence(struct out *o, const char *layer, const struct compared *c)
{
	out_append_strf(out_list(o, differs(c) ? "differences" : "equal"),
			"kernel's sums compared with this trace: %s %+lld accesses, %+lld bytes, "
			"T %+.2g %%%s",
			layer, (long long)c->more_accesses, (long long)c->more_bytes,
			c->more_span * 100,
			is_short(c) ? "; T marked " METRIC_SHORT " is too short" : "");
}

void kernel_missing(const struct out *sums, const struct measurement *m, double missing[LAYERS])
{
	const struct out *theirs = out_get(sums, "layers");
	struct compared c;

	for (int i = 0; i < LAYERS; i++) {
		bool known = compare_sums(out_get(theirs, layer_names[i]), &m->layers[i], &c);

		missing[i] = known && is_short(&c) ? 1 - (double)m->layers[i].span_ns / c.span_ns :
						     0;
	}
}

struct out *kernel_json(const struct out *sums, const struct measurement *m, const struct by *by)
{
	struct out *o = out_object(), *layers = out_object();
	struct compared_disks disks = { m, out_array() };
	struct compared_groups groups = { by, out_array() };
	const struct out *theirs = out_get(sums, "layers");
	struct compared c;

	for (int i = 0; i < LAYERS; i++) {
		bool known = compare_sums(out_get(theirs, layer_names[i]), &m->layers[i], &c);

		out_put(layers, layer_names[i], known ? compared_json(&c) : NULL);
		if (known)
			compared_sentence(o, layer_names[i], &c);
	}
	out_each(out_get(sums, "devices"), compare_disk, &disks);
	out_put(o, "layers", layers);
	out_put(o, "devices", disks.list);
	out_each(by ? out_get(sums, "cgroups") : NULL, compare_group, &groups);
	out_put(o, "cgroups", groups.list);
	return o;
}
