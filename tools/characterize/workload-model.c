// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/characterize/workload-model.h"

#include <math.h>
#include <stdlib.h>

#include "bpf/event.h"
#include "user/base/need.h"

#define WALKS_MAX (1U << 26)

/* Returns the number of the disk or file of @v. */
static u32 file_of(const struct visit *v)
{
	return v->layer == LAYER_DEVICE ? v->server : v->file;
}

static void add_size(struct workload_model *m, u64 bytes)
{
	double before = bytes - m->size_mean;

	m->size_mean += before / m->n;
	m->size_squares += before * (bytes - m->size_mean);
	census_add(&m->sizes, bytes);
}

/* Adds @v to the walk of its process. The first access of a walk follows no other one. */
static void add_step(struct workload_model *m, const struct visit *v)
{
	u32 before = m->walks.n;
	u32 i = keys_number(&m->walks, (u64)v->process << 32 | file_of(v), WALKS_MAX);

	m->ends = need_index(m->ends, &m->ends_n, i, sizeof(*m->ends));
	m->sequential += m->walks.n == before && m->ends[i] == v->offset;
	m->ends[i] = v->offset + v->bytes;
}

void workload_model_add(struct workload_model *m, const struct visit *v)
{
	bool part = v->flags & TRACE_PART;

	if (v->offset == TRACE_NO_OFFSET || (!v->file && v->layer != LAYER_DEVICE)) {
		m->unplaced += !part;
		return;
	}
	if (!v->bytes && !part) {
		m->empty++;
		return;
	}
	if (!(v->flags & TRACE_UNSPANNED))
		issuers_add(&m->issuers, v->process, v->start_ns, v->end_ns);
	if (part)
		return;
	m->n++;
	m->reads += v->op == OP_READ;
	add_size(m, v->bytes);
	add_step(m, v);
	extents_add(&m->extents, file_of(v), v->offset, v->bytes);
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
	keys_release(&m->walks);
	free(m->ends);
}

double workload_model_cv(const struct workload_model *m)
{
	return sqrt(m->size_squares / m->n) / m->size_mean;
}
