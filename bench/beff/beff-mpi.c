// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs b_eff_io on the processes (ranks) that mpirun started. Rank 0 runs the benchmark, and sends
 * each step (open, run, check or close) to all ranks as an order. */
#include "bench/beff/engine.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/beff/mpi-ranks.h"
#include "user/base/err.h"

struct order {
	enum { DO_STEP, FIND_FILES, TRY_POINTER } what;
	struct beff_setup setup;
	struct beff_step step;
	/* path of the directory with the files; each rank uses it as setup.path */
	char path[PATH_MAX];
	/* device and inode number of the directory on rank 0; each rank checks that .path leads to
	 * this directory */
	u64 dev, ino;
};

static struct {
	struct mpi_place place;
	/* used if the ranks share no memory: the time in which this rank is in an I/O call */
	struct span alone;
	bool pointer_works;
	char *buffer;
	/* The following fields are used only by rank 0, which gives the orders. */
	struct order order;
	struct beff_setup *setup;
	int stop; /* error of poll(), which ends the run; 0: the run continues */
} own;

static struct span *span_of_all(void)
{
	return own.place.shared ?: &own.alone;
}

static void obey_step(const struct order *o, const struct beff_setup *setup, struct beff_part *p)
{
	struct beff_rank r = {
		.io = own.place.library->beff,
		.setup = setup,
		.step = &o->step,
		.out = &p->out,
		.row = &p->row,
		.span = span_of_all(),
		.stop = &own.stop,
		.number = own.place.rank,
	};

	if (!own.buffer)
		own.buffer = need(malloc(beff_buffer_bytes(setup)));
	r.buffer = own.buffer;
	if (own.place.rank < o->step.shape.ranks)
		beff_rank_step(&r);
}

/* Checks that o->path leads to the directory of rank 0. Compares the device number only if all
 * ranks are on one machine: other machines may have another number for the same file system. */
static int find_files(const struct order *o)
{
	int nofollow = own.place.shared ? 0 : O_NOFOLLOW;
	int fd = open(o->path, O_PATH | O_DIRECTORY | O_CLOEXEC | nofollow);
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

static void obey_order(const void *order, void *part)
{
	const struct order *o = order;
	struct beff_setup setup = o->setup;
	struct beff_part *p = part;
	char path[PATH_MAX];

	setup.path = strcpy(path, o->path);
	if (o->what == FIND_FILES) {
		p->out.error = find_files(o);
		p->node = beff_this_node();
	} else if (o->what == TRY_POINTER) {
		own.pointer_works = own.place.library->pointer_works(o->path);
	} else {
		obey_step(o, &setup, p);
	}
}

/* Prepares the order that rank 0 sends to all ranks. If all ranks are on one machine, o->path leads
 * through /proc to the descriptor of the directory on rank 0. This path stays valid even if a user
 * renames the directory during the run. */
static void prepare_order(void)
{
	struct order *o = &own.order;
	struct stat st = {};

	fstat(own.setup->fd, &st);
	o->setup = *own.setup;
	o->dev = st.st_dev;
	o->ino = st.st_ino;
	if (own.place.shared)
		snprintf(o->path, sizeof(o->path), "/proc/%d/fd/%d", (int)getpid(), own.setup->fd);
	else
		snprintf(o->path, sizeof(o->path), "%s", own.setup->dir);
}

static int find_files_of_all(void)
{
	struct beff_part *all;
	int ret = 0;

	prepare_order();
	own.order.what = FIND_FILES;
	all = mpi_ask(&own.order);
	own.order.what = DO_STEP;
	for (unsigned i = 0; i < own.setup->ranks && !ret; i++) {
		own.setup->nodes[i] = all[i].node;
		if (all[i].out.error)
			ret = error(all[i].out.error, "process %u cannot open '%s': %s", i,
				    own.setup->dir, strerror(-all[i].out.error));
	}
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
		warn("shared file pointers do not work here, with %s: type 1 uses individual ones",
		     mpi_version());
}

static void *mpiio_begin(struct beff_setup *setup, const struct session *session)
{
	own.setup = setup;
	own.stop = 0;
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

static int mpiio_step(void *ranks, const struct beff_step *step, int (*poll)(void *), void *arg,
		      struct beff_outcome *out, struct sum *app)
{
	struct beff_part *all;
	int ret;

	if (own.stop)
		return own.stop;
	*span_of_all() = (struct span){};
	prepare_order();
	own.order.step = *step;
	all = mpi_ask_watched(&own.order, poll, arg, &own.stop);
	if (!all)
		return own.stop;
	/* If poll() returned an error, the result of a step with a time limit is not used, because
	 * the step ended early. A step without a time limit runs to its end, so its result is
	 * used. */
	ret = step->time_ns && own.stop ?
		own.stop :
		beff_gather(own.setup, all, step->shape.ranks, own.place.shared, out, app);
	free(all);
	return ret;
}

static const char *mpiio_untraced(void)
{
	return own.place.shared ? NULL : "its processes are on several machines";
}

static void mpiio_end(void *ranks)
{
	mpi_leave_groups();
}

const struct beff_engine beff_mpiio = {
	.name = "mpiio",
	.mpi_io = true,
	.untraced = mpiio_untraced,
	.version = mpi_version,
	.begin = mpiio_begin,
	.step = mpiio_step,
	.end = mpiio_end,
};

int beff_mpi_run(int (*lead)(void *arg, unsigned ranks), void *arg)
{
	static const struct mpi_work work = {
		.obey = obey_order,
		.order_bytes = sizeof(struct order),
		.part_bytes = sizeof(struct beff_part),
		.shared_bytes = sizeof(struct span),
	};
	int ret = mpi_run(&work, &own.place, lead, arg);

	free(own.buffer);
	return ret;
}
