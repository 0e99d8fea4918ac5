// SPDX-License-Identifier: GPL-2.0-or-later
/* b_eff_io by ranks that mpirun has started. */
#include "bench/beff/beff-mpi.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/beff/mpi-ranks.h"
#include "user/base/err.h"
#include "bench/beff/rank.h"

struct order {
	enum { DO_STEP, FIND_FILES, TRY_POINTER } what;
	struct beff_setup setup;
	struct beff_step step;
	char way[PATH_MAX]; /* of the setup */
	u64 dev, ino;	    /* of the directory that it leads to */
};

static struct {
	struct mpi_place place;
	struct span alone; /* of a rank that shares none */
	bool pointer_works;
	char *buffer;
	/* rank 0's own: */
	struct order order;
	struct beff_setup *setup;
	int asked; /* to end: by what @poll said */
} own;

static struct span *span_of_all(void)
{
	return own.place.shared ?: &own.alone;
}

/* ---- what each rank does ---- */

static void do_step(const struct order *o, const struct beff_setup *setup, struct beff_part *p)
{
	struct beff_rank r = {
		.io = own.place.library->beff,
		.setup = setup,
		.step = &o->step,
		.out = &p->out,
		.row = &p->row,
		.span = span_of_all(),
		.asked = &own.asked,
		.number = own.place.rank,
	};

	if (!own.buffer)
		own.buffer = need(malloc(beff_buffer_bytes(setup)));
	r.buffer = own.buffer;
	if (own.place.rank < o->step.shape.ranks)
		beff_rank_step(&r);
}

/* Does the path lead this rank to the directory that rank 0 made? A number of a device is one
 * machine's own. */
static int find_files(const struct order *o)
{
	int nofollow = own.place.shared ? 0 : O_NOFOLLOW;
	int fd = open(o->way, O_PATH | O_DIRECTORY | O_CLOEXEC | nofollow);
	int ret = fd < 0 ? -errno : 0;
	struct stat st;

	if (!ret && fstat(fd, &st))
		ret = -errno;
	if (!ret &&
	    (st.st_ino != o->ino || (own.place.shared && st.st_dev != o->dev) ||
	     st.st_uid != geteuid()))
		ret = -ESTALE;
	if (fd >= 0)
		close(fd);
	return ret;
}

static void obey(const void *order, void *part)
{
	const struct order *o = order;
	struct beff_setup setup = o->setup;
	struct beff_part *p = part;
	char way[PATH_MAX];

	setup.way = strcpy(way, o->way);
	if (o->what == FIND_FILES)
		p->out.error = find_files(o);
	else if (o->what == TRY_POINTER)
		own.pointer_works = own.place.library->pointer_works(o->way);
	else
		do_step(o, &setup, p);
}

/* ---- what rank 0 does ---- */

/* MPI opens files by their paths. On this machine, they go through the descriptor of rank 0. */
static void make_order(void)
{
	struct order *o = &own.order;
	struct stat st = {};

	fstat(own.setup->fd, &st);
	o->setup = *own.setup;
	o->dev = st.st_dev;
	o->ino = st.st_ino;
	if (own.place.shared)
		snprintf(o->way, sizeof(o->way), "/proc/%d/fd/%d", (int)getpid(), own.setup->fd);
	else
		snprintf(o->way, sizeof(o->way), "%s", own.setup->dir);
}

static int find_files_of_all(void)
{
	struct beff_part *all;
	int ret = 0;

	make_order();
	own.order.what = FIND_FILES;
	all = mpi_ask(&own.order);
	own.order.what = DO_STEP;
	for (unsigned i = 0; i < own.setup->ranks && !ret; i++)
		if (all[i].out.error)
			ret = error(all[i].out.error, "process %u does not reach '%s': %s", i,
				    own.setup->dir, strerror(-all[i].out.error));
	free(all);
	return ret;
}

static const char *mpi_version(void)
{
	return own.place.library->version();
}

static void try_pointer(struct beff_setup *setup)
{
	own.order.what = TRY_POINTER;
	free(mpi_ask(&own.order));
	own.order.what = DO_STEP;
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
		error(-EINVAL, "a partition has %u processes, and mpirun started %u", setup->ranks,
		      own.place.ranks);
		return NULL;
	}
	if (find_files_of_all())
		return NULL;
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
	ret = step->time_ns && own.asked ?
		own.asked :
		beff_gather(own.setup, all, step->shape.ranks, own.place.shared, out, app);
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
	.untraced = mpi_untraced,
	.check = mpi_check,
	.version = mpi_version,
	.begin = mpi_begin,
	.step = mpi_step,
	.end = mpi_end,
};

int beff_mpi_run(int (*lead)(void *arg, unsigned ranks), void *arg)
{
	static const struct mpi_work work = {
		.obey = obey,
		.order_bytes = sizeof(struct order),
		.part_bytes = sizeof(struct beff_part),
		.shared_bytes = sizeof(struct span),
	};
	int ret = mpi_run(&work, &own.place, lead, arg);

	free(own.buffer);
	return ret;
}
