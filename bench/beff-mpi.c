// SPDX-License-Identifier: GPL-2.0-or-later
/* Ranks of b_eff_io that mpirun has started, on as many machines as it likes. Each of them is
 * this command: rank 0 leads, the others do what it says. */
#include "beff-mpi.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mpi.h"
#include "../user/clock.h"
#include "../user/err.h"
#include "../user/library.h"
#include "../user/session.h"
#include "../user/signals.h"

/* What rank 0 says. */
struct order {
	enum what { ORDER_TRY_POINTER, ORDER_ENTER, ORDER_STEP, ORDER_LEAVE, ORDER_END } what;
	struct beff_setup setup;
	struct beff_step step;
	struct session_places places;	/* to enter */
	char dir[PATH_MAX];		/* of the setup */
};

static struct {
	const struct beff_mpi *mpi;
	unsigned rank, ranks;
	struct span *span;		/* that all ranks share; or a rank's own */
	bool shared;
	bool pointer_works;
	char *buffer;
	struct order order;
	struct session_places home;	/* where it was before it entered others */
	/* rank 0's own: */
	struct beff_setup *setup;
	bool entered;
	int asked;			/* to end: by what @poll said */
	int signals;
	sigset_t before;
} own;

/* ---- what each rank does ---- */

static void do_step(struct beff_part *p)
{
	struct order *o = &own.order;
	struct beff_rank r = {
		.io = &own.mpi->io, .setup = &o->setup, .step = &o->step, .out = &p->out,
		.row = &p->row, .span = own.span, .asked = &own.asked, .number = own.rank,
	};

	if (!own.buffer)
		own.buffer = need(malloc(beff_buffer_bytes(&o->setup)));
	r.buffer = own.buffer;
	if (own.rank < o->step.shape.ranks)
		beff_rank_step(&r);
}

/* Rank 0 has the parts of @all then. */
static void obey(struct beff_part *all)
{
	struct order *o = &own.order;
	struct beff_part p = {};

	o->setup.dir = o->dir;
	if (o->what == ORDER_STEP)
		do_step(&p);
	else if (o->what == ORDER_TRY_POINTER)
		own.pointer_works = own.mpi->pointer_works(o->dir);
	else if (o->what == ORDER_ENTER)
		p.out.error = session_move(&o->places, &own.home);
	else
		session_move(&own.home, NULL);
	own.mpi->gather(&p, all, sizeof(p));
}

void beff_mpi_serve(void)
{
	for (;;) {
		own.mpi->tell(&own.order, sizeof(own.order));
		if (own.order.what == ORDER_END)
			return;
		obey(NULL);
	}
}

/* ---- what rank 0 does ---- */

static struct beff_part *ask(enum what what)
{
	struct beff_part *all = need(calloc(own.ranks, sizeof(*all)));

	own.order.what = what;
	own.order.setup = *own.setup;
	snprintf(own.order.dir, sizeof(own.order.dir), "%s", own.setup->dir);
	own.mpi->tell(&own.order, sizeof(own.order));
	obey(all);
	return all;
}

static void try_pointer(struct beff_setup *setup)
{
	free(ask(ORDER_TRY_POINTER));
	setup->shared_pointer = own.pointer_works;
	if (!setup->shared_pointer)
		warn("shared file pointers do not work here, with %s: type 1 goes without",
		     own.mpi->version());
}

static int enter(const struct session *session)
{
	struct beff_part *all;
	int ret = 0;

	session_places(session, &own.order.places);
	own.entered = true;
	all = ask(ORDER_ENTER);
	for (unsigned i = 0; i < own.ranks && !ret; i++) {
		ret = all[i].out.error;
		if (ret)
			error(ret, "cannot move process %u into the cgroup '%s': %s", i,
			      session->target.path, strerror(-ret));
	}
	free(all);
	return ret;
}

static void *mpi_begin(struct beff_setup *setup, const struct session *session)
{
	own.setup = setup;
	own.asked = 0;
	if (setup->ranks > own.ranks) {
		error(-EINVAL, "a partition has %u processes, and mpirun started %u",
		      setup->ranks, own.ranks);
		return NULL;
	}
	if (setup->shared_pointer)
		try_pointer(setup);
	return session && enter(session) ? NULL : &own;
}

/* ---- what goes on while it works itself ---- */

struct watch {
	int (*poll)(void *);
	void *arg;
	pthread_t thread;
	sem_t over;
};

static void *look(void *of)
{
	struct watch *w = of;
	int ret, waits;

	do {
		u64 next = now_ns() + BEFF_LOOK_NS;
		struct timespec at = { next / 1000000000, next % 1000000000 };

		ret = w->poll(w->arg);
		waits = ret ? 0 : sem_clockwait(&w->over, CLOCK_MONOTONIC, &at);
	} while (waits);
	__atomic_store_n(&own.asked, ret, __ATOMIC_RELAXED);
	return NULL;
}

static int watch_begin(struct watch *w)
{
	int ret;

	sem_init(&w->over, 0, 0);
	ret = -pthread_create(&w->thread, NULL, look, w);
	return ret ? error(ret, "cannot start a thread: %s", strerror(-ret)) : 0;
}

static void watch_end(struct watch *w)
{
	sem_post(&w->over);
	pthread_join(w->thread, NULL);
	sem_destroy(&w->over);
}

static int mpi_step(void *ranks, const struct beff_step *step, int (*poll)(void *), void *arg,
		    struct beff_outcome *out, struct sum *app)
{
	struct watch w = { .poll = poll, .arg = arg };
	struct beff_part *all;
	int ret = own.asked ?: watch_begin(&w);

	if (ret)
		return ret;
	*own.span = (struct span){};
	own.order.step = *step;
	all = ask(ORDER_STEP);
	watch_end(&w);
	/* what time does not end is whole; clocks of several machines are not one */
	ret = step->time_ns && own.asked ? own.asked :
	      beff_gather(own.setup, all, step->shape.ranks, own.shared ? own.span : NULL, out,
			  app);
	free(all);
	return ret;
}

static const char *mpi_untraced(void)
{
	return own.shared ? NULL : "its processes are on several machines";
}

static int mpi_check(const char *dir, const struct beff_hints *hints)
{
	return 0;
}

static const char *mpi_version(void)
{
	return own.mpi->version();
}

static void mpi_end(void *ranks)
{
	if (own.entered)
		free(ask(ORDER_LEAVE));
	own.entered = false;
}

const struct beff_engine beff_mpiio = {
	.name = "mpiio",
	.untraced = mpi_untraced, .check = mpi_check, .version = mpi_version,
	.begin = mpi_begin, .step = mpi_step, .end = mpi_end,
};

/* ---- all of them ---- */

static int load(void)
{
	char path[PATH_MAX];
	void *library;

	if (!library_find(BEFF_MPI_LIBRARY, path))
		return error(-ENOENT, "this iospan was built without MPI: there is no '%s'; with "
			     "mpicc (Debian: libmpich-dev) make builds it", BEFF_MPI_LIBRARY);
	library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
	own.mpi = library ? dlsym(library, BEFF_MPI_SYMBOL) : NULL;
	return own.mpi ? 0 : error(-ELIBACC, "cannot use '%s': %s", path, dlerror());
}

int beff_mpi_enter(unsigned *rank, unsigned *ranks)
{
	static struct span alone;
	int ret = load();

	if (ret)
		return ret;
	/* before MPI has threads that take them; only rank 0 will look */
	own.signals = signals_catch(0, &own.before);
	if (own.mpi->begin(&own.rank, &own.ranks))
		return error(-EIO, "MPI cannot begin");
	own.span = own.mpi->share(sizeof(*own.span));
	own.shared = own.span;
	if (!own.shared)
		own.span = &alone;
	*rank = own.rank;
	*ranks = own.ranks;
	return 0;
}

void beff_mpi_leave(void)
{
	if (!own.rank) {
		own.order.what = ORDER_END;
		own.mpi->tell(&own.order, sizeof(own.order));
	}
	own.mpi->end();
	signals_release(own.signals, &own.before);
	free(own.buffer);
}
