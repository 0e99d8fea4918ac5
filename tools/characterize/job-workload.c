// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/characterize/job-workload.h"

#include <math.h>
#include <stdlib.h>

#include "bpf/event.h"
#include "user/base/need.h"
#include "user/base/num.h"

#define WALKS_MAX (1U << 26)

/* The workload is unknown if more than this fraction of the accesses have no known file or
 * offset. */
#define UNPLACED_MAX 0.05
/* It is also unknown if the trace lacks more than this fraction of the accesses. */
#define LOST_MAX 0.05

void job_workload_init(struct job_workload *w, u64 pause_ns)
{
	w->all.issuers.pause_ns = w->behaviours.pause_ns = pause_ns;
}

/* Returns true if @v starts where the previous access of its walk ended. The first access of a walk
 * follows no other one. */
static bool is_sequential(struct job_workload *w, const struct visit *v)
{
	u32 before = w->walks.n;
	u32 i = keys_number(&w->walks, (u64)v->process << 32 | workload_model_file(v), WALKS_MAX);
	bool sequential;

	w->ends = need_index(w->ends, &w->ends_n, i, sizeof(*w->ends));
	sequential = w->walks.n == before && w->ends[i] == v->offset;
	w->ends[i] = v->offset + v->bytes;
	return sequential;
}

void job_workload_add(struct job_workload *w, const struct visit *v)
{
	bool part = v->flags & TRACE_PART, sequential;

	if (v->offset == TRACE_NO_OFFSET || (!v->file && v->layer != LAYER_DEVICE)) {
		w->unplaced += !part;
		return;
	}
	if (!v->bytes && !part) {
		w->empty++;
		return;
	}
	sequential = !part && is_sequential(w, v);
	workload_model_add(&w->all, v, sequential);
	behaviours_add(&w->behaviours, v, sequential);
}

void job_workload_settle(struct job_workload *w, u64 before_ns)
{
	workload_model_settle(&w->all, before_ns);
}

void job_workload_finish(struct job_workload *w)
{
	workload_model_finish(&w->all);
	behaviours_finish(&w->behaviours);
}

void job_workload_release(struct job_workload *w)
{
	workload_model_release(&w->all);
	behaviours_release(&w->behaviours);
	keys_release(&w->walks);
	free(w->ends);
}

char *job_workload_reason(const struct job_workload *w, u64 losses)
{
	if (losses > LOST_MAX * w->all.n)
		return need_text("the trace lacks more than 5 %% of the accesses, see the losses");
	if (w->unplaced > UNPLACED_MAX * (w->all.n + w->empty + w->unplaced))
		return need_text("%llu access%s without a known file and offset",
				 (unsigned long long)w->unplaced, num_word(w->unplaced, "", "es"));
	if (!w->all.n)
		return need_text("no access moved bytes");
	if (w->all.extents.full)
		return need_text("more than %u separate ranges of bytes were accessed",
				 EXTENTS_MAX / 2);
	if (isnan(issuers_depth(&w->all.issuers)))
		return need_text("no access has a start and an end");
	return NULL;
}
