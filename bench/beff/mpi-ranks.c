// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs a benchmark on the processes (ranks) that mpirun started. Rank 0 gives orders: to work, to
 * enter the cgroups that iospan measures, to leave them, or to end. */
#include "bench/beff/mpi-ranks.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "user/base/clock.h"
#include "user/base/err.h"
#include "user/base/library.h"
#include "user/session/session.h"
#include "user/base/signals.h"

/* An order from rank 0 to all ranks. After ORDER_WORK, rank 0 sends a second message with the work
 * to do, for mpi_work.obey(). */
struct order {
	enum what { ORDER_WORK, ORDER_ENTER, ORDER_LEAVE, ORDER_END } what;
	struct session_groups places; /* cgroups that the ranks enter, for ORDER_ENTER */
};

static struct {
	const struct mpi *mpi;
	const struct mpi_work *work;
	unsigned rank, ranks;
	/* the work that rank 0 sent last; work->obey() gets it */
	void *order;
	/* cgroups of this rank before ORDER_ENTER; ORDER_LEAVE moves the rank back to them */
	struct session_groups home;
	bool entered;
	int signals;
	sigset_t before;
} own;

/* Receives work, does it, and sends the result to rank 0. On rank 0, @all gets the results of all
 * ranks; the other ranks pass NULL. */
static void do_work(void *all)
{
	void *part = need(calloc(1, own.work->part_bytes));

	own.mpi->broadcast(own.order, own.work->order_bytes);
	own.work->obey(own.order, part);
	own.mpi->gather(part, all, own.work->part_bytes);
	free(part);
}

static void change_groups(const struct order *o, int *all)
{
	int ret = o->what == ORDER_ENTER ? session_move(&o->places, &own.home) :
					   session_move(&own.home, NULL);

	own.mpi->gather(&ret, all, sizeof(ret));
}

static void follow_orders(void)
{
	struct order o;

	for (;;) {
		own.mpi->broadcast(&o, sizeof(o));
		if (o.what == ORDER_END)
			return;
		if (o.what == ORDER_WORK)
			do_work(NULL);
		else
			change_groups(&o, NULL);
	}
}

void *mpi_ask(const void *order)
{
	void *all = need(calloc(own.ranks, own.work->part_bytes));

	own.mpi->broadcast(&(struct order){ .what = ORDER_WORK }, sizeof(struct order));
	memcpy(own.order, order, own.work->order_bytes);
	do_work(all);
	return all;
}

int mpi_enter_groups(const struct session *session)
{
	struct order o = { .what = ORDER_ENTER };
	int *all = need(calloc(own.ranks, sizeof(*all))), ret = 0;

	session_groups(session, &o.places);
	own.entered = true;
	own.mpi->broadcast(&o, sizeof(o));
	change_groups(&o, all);
	for (unsigned i = 0; i < own.ranks && !ret; i++) {
		ret = all[i];
		if (ret)
			error(ret, "cannot move process %u into the cgroup '%s': %s", i,
			      session->target.path, strerror(-ret));
	}
	free(all);
	return ret;
}

void mpi_leave_groups(void)
{
	struct order o = { .what = ORDER_LEAVE };
	int *all;

	if (!own.entered)
		return;
	own.entered = false;
	all = need(calloc(own.ranks, sizeof(*all)));
	own.mpi->broadcast(&o, sizeof(o));
	change_groups(&o, all);
	free(all);
}

struct watch {
	int (*poll)(void *);
	void *arg;
	int *stop;
	pthread_t thread;
	sem_t over;
};

static void *watch_thread(void *of)
{
	struct watch *w = of;
	int ret, waits;

	do {
		u64 next = now_ns() + BEFF_POLL_NS;
		struct timespec at = { next / 1000000000, next % 1000000000 };

		ret = w->poll(w->arg);
		waits = ret ? 0 : sem_clockwait(&w->over, CLOCK_MONOTONIC, &at);
	} while (waits);
	__atomic_store_n(w->stop, ret, __ATOMIC_RELAXED);
	return NULL;
}

void *mpi_ask_watched(const void *order, int (*poll)(void *), void *arg, int *stop)
{
	struct watch w = { .poll = poll, .arg = arg, .stop = stop };
	void *all;
	int ret;

	sem_init(&w.over, 0, 0);
	ret = -pthread_create(&w.thread, NULL, watch_thread, &w);
	if (ret) {
		*stop = error(ret, "cannot start a thread: %s", strerror(-ret));
		return NULL;
	}
	all = mpi_ask(order);
	sem_post(&w.over);
	pthread_join(w.thread, NULL);
	sem_destroy(&w.over);
	return all;
}

static int load_library(void)
{
	char path[PATH_MAX];
	void *library;

	if (!library_find(MPI_LIBRARY, path))
		return error(-ENOENT,
			     "this iospan was built without MPI: cannot find '%s'; install "
			     "mpicc (Debian: libmpich-dev) and run make",
			     MPI_LIBRARY);
	library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
	own.mpi = library ? dlsym(library, MPI_SYMBOL) : NULL;
	/* cppcheck-suppress resourceLeak ; the library stays loaded */
	return own.mpi ? 0 : error(-ELIBACC, "cannot use '%s': %s", path, dlerror());
}

static int start_rank(const struct mpi_work *work, struct mpi_place *place)
{
	int ret = load_library();

	if (ret)
		return ret;
	/* Blocks the signals before MPI starts threads. The threads inherit the blocked signals, so
	 * no thread receives them. Only rank 0 reads the signals. */
	own.signals = signals_catch(0, &own.before);
	if (own.mpi->begin(&own.rank, &own.ranks))
		return error(-EIO, "cannot initialise MPI");
	own.work = work;
	own.order = need(calloc(1, work->order_bytes));
	*place = (struct mpi_place){ own.mpi, own.rank, own.ranks,
				     own.mpi->share(work->shared_bytes) };
	return 0;
}

static void end_rank(void)
{
	/* .end() waits for the other ranks. If they never come, a signal must end this process. */
	signals_release(own.signals, &own.before);
	own.mpi->end();
	free(own.order);
}

int mpi_run(const struct mpi_work *work, struct mpi_place *place,
	    int (*lead)(void *arg, unsigned ranks), void *arg)
{
	int ret = start_rank(work, place);

	if (ret)
		return ret;
	if (own.rank) {
		follow_orders();
	} else {
		ret = lead(arg, own.ranks);
		own.mpi->broadcast(&(struct order){ .what = ORDER_END }, sizeof(struct order));
	}
	end_rank();
	return ret;
}
