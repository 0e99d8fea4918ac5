// SPDX-License-Identifier: GPL-2.0-or-later
/* b_eff_io by ranks that mpirun has started. */
#include "beff-mpi.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "mpi-ranks.h"
#include "../user/err.h"

struct order {
	bool try_pointer;		/* and nothing else */
	struct beff_setup setup;
	struct beff_step step;
	char dir[PATH_MAX];		/* of the setup */
};

static struct {
	struct mpi_place place;
	struct span alone;		/* of a rank that shares none */
	bool pointer_works;
	char *buffer;
	/* rank 0's own: */
	struct order order;
	struct beff_setup *setup;
	int asked;			/* to end: by what @poll said */
} own;

static struct span *span_of_all(void)
{
	return own.place.shared ?: &own.alone;
}

/* ---- what each rank does ---- */

static void do_step(const struct order *o, const struct beff_setup *setup, struct beff_part *p)
{
	struct beff_rank r = {
		.io = own.place.library->beff, .setup = setup, .step = &o->step, .out = &p->out,
		.row = &p->row, .span = span_of_all(), .asked = &own.asked, .number = own.place.rank,
	};

	if (!own.buffer)
		own.buffer = need(malloc(beff_buffer_bytes(setup)));
	r.buffer = own.buffer;
	if (own.place.rank < o->step.shape.ranks)
		beff_rank_step(&r);
}

static void obey(const void *order, void *part)
{
	const struct order *o = order;
	struct beff_setup setup = o->setup;
	char dir[PATH_MAX];

	setup.dir = strcpy(dir, o->dir);
	if (o->try_pointer)
		own.pointer_works = own.place.library->pointer_works(o->dir);
	else
		do_step(o, &setup, part);
}

/* ---- what rank 0 does ---- */

static void make_order(void)
{
	own.order.setup = *own.setup;
	snprintf(own.order.dir, sizeof(own.order.dir), "%s", own.setup->dir);
}

static const char *mpi_version(void)
{
	return own.place.library->version();
}

static void try_pointer(struct beff_setup *setup)
{
	make_order();
	own.order.try_pointer = true;
	free(mpi_ask(&own.order));
	own.order.try_pointer = false;
	setup->shared_pointer = own.pointer_works;
	if (!setup->shared_pointer)
		warn("shared file pointers do not work here, with %s: type 1 goes without",
		     mpi_version());
}

static void *mpi_begin(struct beff_setup *setup, const struct session *session)
{
	own.setup = setup;
	own.asked = 0;
	if (setup->ranks > own.place.ranks) {
		error(-EINVAL, "a partition has %u processes, and mpirun started %u",
		      setup->ranks, own.place.ranks);
		return NULL;
	}
	if (setup->shared_pointer)
		try_pointer(setup);
	return session && mpi_enter_groups(session) ? NULL : &own;
}

static int mpi_step(void *ranks, const struct beff_step *step, int (*poll)(void *), void *arg,
		    struct beff_outcome *out, struct sum *app)
{
	struct beff_part *all;
	int ret;

	if (own.asked)
		return own.asked;
	*span_of_all() = (struct span){};
	make_order();
	own.order.step = *step;
	all = mpi_ask_watched(&own.order, poll, arg, &own.asked);
	if (!all)
		return own.asked;
	/* what time does not end is whole; clocks of several machines are not one */
	ret = step->time_ns && own.asked ? own.asked :
	      beff_gather(own.setup, all, step->shape.ranks,
			  own.place.shared, out, app);
	free(all);
	return ret;
}

static const char *mpi_untraced(void)
{
	return own.place.shared ? NULL : "its processes are on several machines";
}

static int mpi_check(const char *dir, const struct beff_hints *hints)
{
	return 0;
}

static void mpi_end(void *ranks)
{
	mpi_leave_groups();
}

const struct beff_engine beff_mpiio = {
	.name = "mpiio",
	.untraced = mpi_untraced, .check = mpi_check, .version = mpi_version,
	.begin = mpi_begin, .step = mpi_step, .end = mpi_end,
};

int beff_mpi_run(int (*lead)(void *arg, unsigned ranks), void *arg)
{
	static const struct mpi_work work = {
		.obey = obey, .order_bytes = sizeof(struct order),
		.part_bytes = sizeof(struct beff_part), .shared_bytes = sizeof(struct span),
	};
	int ret = mpi_run(&work, &own.place, lead, arg);

	free(own.buffer);
	return ret;
}
