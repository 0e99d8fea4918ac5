// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/show/show.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/num.h"
#include "user/metric/measurement.h"

/* ---- facts about a report ---- */

bool report_has_layer(const struct report *r, int layer)
{
	return r->options->layers & (1u << layer);
}

bool report_sees(const struct report *r, int layer)
{
	if (r->backends)
		return r->backends[layer];
	if (layer != LAYER_APP || !report_has_layer(r, layer))
		return report_has_layer(r, layer);
	return r->m->app_programs || r->m->app_ring.row.accesses;
}

const char *report_charge(const struct report *r)
{
	if (r->options->attribution == BY_TASK)
		return "task";
	return strcmp(r->options->charged.path, r->options->target.path) ? "blkio v1" : "io v2";
}

const char *report_backend(const struct report *r, int layer)
{
	if (r->backends)
		return r->backends[layer];
	if (!report_has_layer(r, layer))
		return NULL;
	if (layer == LAYER_APP)
		return r->library ? "preload, ring" : "ring";
	if (layer == LAYER_VFS)
		return r->options->fentry  ? "fentry" :
			r->options->faults ? "tracepoint, fentry" :
					     "tracepoint";
	return "tp_btf";
}

bool disk_is_used(const struct disk_sum *d)
{
	for (int op = 0; op < DEVICE_OPS; op++)
		if (d->ops[op].row.accesses || d->ops[op].span_ns)
			return true;
	return false;
}

double report_amplification(const struct report *r, int lower, int upper)
{
	double below = r->m->layers[lower].row.bytes, above = r->m->layers[upper].row.bytes;

	if (!report_sees(r, lower) || !report_sees(r, upper) || above <= 0)
		return NAN;
	return below / above;
}

/* ---- sentences ---- */

char *show_backends(const struct report *r)
{
	char *text = need_text("%s", "");

	for (int i = 0; i <= LAYERS; i++) {
		const char *by = i < LAYERS ? report_backend(r, i) :
			r->backends	    ? NULL :
					      report_charge(r);
		char *before = text;

		if (!by)
			continue;
		text = need_text("%s%s%s %s", before, *before ? "; " : "",
				 i < LAYERS ? layer_names[i] : "device I/O attributed by", by);
		free(before);
	}
	return text;
}

char *show_loss_text(const struct loss *l)
{
	char *text = need_text("lost: %llu %s", (unsigned long long)l->n, l->text), *to = text;
	bool drop = false, choice = false;

	for (const char *from = text; *from; from++) {
		if (*from == '[')
			choice = true, drop = l->n != 1;
		else if (choice && *from == '|')
			drop = l->n == 1;
		else if (*from == ']')
			choice = drop = false;
		else if (!drop)
			*to++ = *from;
	}
	*to = '\0';
	return text;
}

void show_losses_text(FILE *f, const struct measurement *m)
{
	for (const struct loss *l = m->losses; l->name; l++) {
		char *text = l->n ? show_loss_text(l) : NULL;

		if (text)
			fprintf(f, "  %s\n", text);
		free(text);
	}
}
