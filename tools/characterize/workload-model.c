// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/characterize/workload-model.h"

#include <math.h>
#include <stdlib.h>

#include "bpf/event.h"

u32 workload_model_file(const struct visit *v)
{
	return v->layer == LAYER_DEVICE ? v->server : v->file;
}

static void add_size(struct workload_model *m, u64 bytes)
{
	double before = bytes - m->size_mean;

	m->size_mean += before / m->n;
	m->size_squares += before * (bytes - m->size_mean);
	m->bytes += bytes;
	census_add(&m->sizes, bytes);
}

void workload_model_add(struct workload_model *m, const struct visit *v, bool sequential)
{
	if (!(v->flags & TRACE_UNSPANNED)) {
		issuers_add(&m->issuers, v->process, v->start_ns, v->end_ns);
		cover_add(&m->busy, v->start_ns, v->end_ns);
	}
	if (v->flags & TRACE_PART)
		return;
	m->n++;
	m->reads += v->op == OP_READ;
	m->sequential += sequential;
	add_size(m, v->bytes);
	extents_add(&m->extents, workload_model_file(v), v->offset, v->bytes);
}

void workload_model_settle(struct workload_model *m, u64 before_ns)
{
	cover_settle(&m->busy, before_ns, NULL, NULL);
}

void workload_model_finish(struct workload_model *m)
{
	issuers_finish(&m->issuers);
}

void workload_model_release(struct workload_model *m)
{
	census_release(&m->sizes);
	extents_release(&m->extents);
	issuers_release(&m->issuers);
	cover_release(&m->busy);
}

double workload_model_cv(const struct workload_model *m)
{
	return sqrt(m->size_squares / m->n) / m->size_mean;
}
