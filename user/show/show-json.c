// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/show/show-json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "user/host/dev.h"
#include "user/host/environment.h"
#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/num.h"
#include "user/show/histogram.h"
#include "user/show/notes.h"
#include "user/show/show-rows.h"
#include "user/metric/measurement.h"

struct out *show_sum_json(const struct report *r, const struct sum *s)
{
	struct out *o = r->keys ? sum_json_of(s, r->keys) : sum_json(s);

	if (r->has_histograms)
		out_put(o, KEY_HISTOGRAM, histogram_json(s->row.hist));
	return o;
}

struct out *show_operations_json(const struct report *r, const struct sum *ops,
				 const char *const *names, int n)
{
	struct out *o;

	if (r->keys && !r->options->per_part)
		return NULL;
	o = out_object();
	for (int i = 0; i < n; i++)
		if (ops[i].row.accesses || (ops[i].has_span && ops[i].span_ns))
			out_put(o, names[i], show_sum_json(r, &ops[i]));
	return o;
}

struct out *show_layer_json(const struct report *r, int layer)
{
	const struct measurement *m = r->m;
	struct out *o;

	if (!report_sees(r, layer))
		return NULL;
	o = show_sum_json(r, &m->layers[layer]);
	if (layer == LAYER_APP)
		out_put(o, "operations",
			show_operations_json(r, m->app_ops, vfs_op_names, CALL_OPS));
	if (layer == LAYER_VFS) {
		out_put(o, "operations",
			show_operations_json(r, m->vfs_ops, vfs_op_names, CALL_OPS));
		out_put(o, "sources",
			show_operations_json(r, m->vfs_sources, source_names, SRC_MAX));
	}
	return o;
}

struct out *show_layers_json(const struct report *r)
{
	struct out *o = out_object();

	for (int i = 0; i < LAYERS; i++)
		out_put(o, layer_names[i], show_layer_json(r, i));
	return o;
}

static void joint_sentence(struct out *list, const struct report *r, int layer, u64 joint_ns)
{
	const struct sum *upper = &r->m->layers[layer];
	const struct sum *device = &r->m->layers[LAYER_DEVICE];
	double both = overlap_ns(upper, device, joint_ns);
	char a[NUM_TEXT], b[NUM_TEXT], c[NUM_TEXT];

	if (report_sees(r, layer) && report_sees(r, LAYER_DEVICE))
		out_append_strf(list,
				"%s and device: %s both, %s %s only (software, cache), "
				"%s device only (background)",
				layer_names[layer], num_time_text(a, both),
				num_time_text(b, fmax(upper->span_ns - both, 0)),
				layer_names[layer],
				num_time_text(c, fmax(device->span_ns - both, 0)));
}

void show_summary_json(struct out *doc, const struct report *r)
{
	struct out *list = out_list(doc, "summary");
	double upper = report_amplification(r, LAYER_VFS, LAYER_APP);
	double lower = report_amplification(r, LAYER_DEVICE, LAYER_VFS);
	char a[NUM_TEXT], b[NUM_TEXT];

	joint_sentence(list, r, LAYER_APP, r->m->app_device_ns);
	joint_sentence(list, r, LAYER_VFS, r->m->vfs_device_ns);
	if (!isnan(upper) || !isnan(lower))
		out_append_strf(list, "amplification: vfs/app %s, device/vfs %s (bytes)",
				num_ratio_text(a, upper), num_ratio_text(b, lower));
}

static void put_or_null(struct out *o, const char *key, bool known, u64 v)
{
	if (known)
		out_u64(o, key, v);
	else
		out_null(o, key);
}

static void joint_spans_json(struct out *doc, const struct report *r)
{
	const struct measurement *m = r->m;
	const struct sum *device = &m->layers[LAYER_DEVICE];
	bool both[LAYER_DEVICE];
	struct out *o = out_object();

	for (int i = 0; i < LAYER_DEVICE; i++)
		both[i] = report_sees(r, i) && report_sees(r, LAYER_DEVICE);
	put_or_null(o, "app_or_device_span_ns", both[LAYER_APP], m->app_device_ns);
	put_or_null(o, "vfs_or_device_span_ns", both[LAYER_VFS], m->vfs_device_ns);
	put_or_null(o, "app_and_device_span_ns", both[LAYER_APP],
		    overlap_ns(&m->layers[LAYER_APP], device, m->app_device_ns));
	put_or_null(o, "vfs_and_device_span_ns", both[LAYER_VFS],
		    overlap_ns(&m->layers[LAYER_VFS], device, m->vfs_device_ns));
	out_put(doc, "joint", o);
	o = out_object();
	out_f64(o, "vfs_per_app", report_amplification(r, LAYER_VFS, LAYER_APP));
	out_f64(o, "device_per_vfs", report_amplification(r, LAYER_DEVICE, LAYER_VFS));
	out_f64(o, "device_per_app", report_amplification(r, LAYER_DEVICE, LAYER_APP));
	out_put(doc, "amplification", o);
}

static struct out *environment_json(const struct report *r)
{
	dev_t *disks = need(calloc(r->m->disks_n + 1, sizeof(*disks)));
	struct out *o;
	unsigned n = 0;

	for (unsigned i = 0; i < r->m->disks_n; i++)
		if (disk_is_used(&r->m->disks[i]))
			disks[n++] = makedev(DEV_MAJOR(r->m->disks[i].dev),
					     DEV_MINOR(r->m->disks[i].dev));
	o = environment_of_disks(&this_host, disks, n);
	free(disks);
	return o;
}

static void note_json(void *list, const char *text)
{
	out_append_str(list, text);
}

struct out *show_backends_json(const struct report *r)
{
	struct out *o = out_object();

	for (int i = 0; i < LAYERS; i++)
		out_str(o, layer_names[i], report_backend(r, i));
	return o;
}

void show_losses_json(struct out *doc, const struct loss *losses)
{
	struct out *o = out_object(), *texts = out_array();

	for (const struct loss *l = losses; l->name; l++) {
		char *text = l->n ? show_loss_text(l) : NULL;

		out_u64(o, l->name, l->n);
		if (text)
			out_append_str(texts, text);
		free(text);
	}
	out_put(doc, "losses", o);
	out_put(doc, "loss_texts", texts);
}

const struct view show_evidence_views[] = {
	VIEW("loss_texts.*", .warns = true),
	VIEW("notes.*", .is_note = true),
	VIEW("limits.*", .is_note = true, .is_verbose = true),
	VIEW("measured_by", .title = "measured by"),
	{},
};

void show_evidence_json(struct out *doc, const struct report *r)
{
	struct out *o = out_object();
	char *text;

	show_losses_json(doc, r->m->losses);
	for (unsigned i = 0; i < r->m->missed_n; i++)
		out_u64(o, r->m->missed[i].program, r->m->missed[i].runs);
	out_put(doc, "missed_runs", o);
	report_notes(r, note_json, out_list(doc, "notes"));
	report_limits(r, note_json, out_list(doc, "limits"));
	out_put(doc, "backends", show_backends_json(r));
	text = show_backends(r);
	out_str(doc, "measured_by", text);
	free(text);
	out_str(doc, "attribution", report_charge(r));
}

void show_numbers_json(struct out *doc, const struct report *r)
{
	out_put(doc, "layers", show_layers_json(r));
	out_put(doc, "devices", show_devices_json(r));
	if (r->options && r->options->per_cgroup)
		show_groups_json(doc, r);
	joint_spans_json(doc, r);
}

struct out *show_document(const struct report *r)
{
	struct out *doc = out_object();
	char *words = need_words(r->argv), elapsed[NUM_TEXT];

	out_str(doc, "iospan", VERSION);
	out_str(doc, "command", r->command);
	if (r->argv)
		out_strf(doc, "title", "%s: %s elapsed, exit status %d", words,
			 num_time_text(elapsed, r->m->elapsed_ns), r->status);
	free(words);
	show_summary_json(doc, r);
	out_u64(doc, "elapsed_ns", r->m->elapsed_ns);
	out_words(doc, "argv", r->argv);
	out_u64(doc, "exit_status", r->status);
	out_bool(doc, "complete", !r->runs_on);
	show_numbers_json(doc, r);
	show_evidence_json(doc, r);
	out_put(doc, "environment", environment_json(r));
	return doc;
}
