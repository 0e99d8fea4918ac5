// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "load.h"
#include "../user/clock.h"
#include "../user/err.h"

static const struct engine *const engines[] = {
	&engine_uring, &engine_psync, &engine_mmap, &engine_null, NULL,
};

const struct engine *engine_named(const char *name)
{
	for (const struct engine *const *e = engines; *e; e++)
		if (!strcmp((*e)->name, name))
			return *e;
	error(-EUSAGE, "unknown engine '%s'; one of uring, psync, mmap, null", name);
	return NULL;
}

static size_t load_bytes(const struct load_spec *spec)
{
	return sizeof(struct load) + spec->procs * sizeof(struct worker);
}

static void wait_a_little(void)
{
	const struct timespec moment = { .tv_nsec = 200000 };

	nanosleep(&moment, NULL);
}

static u32 order(const struct load *l)
{
	return __atomic_load_n(&l->order, __ATOMIC_ACQUIRE);
}

static void *work(void *arg)
{
	struct worker *w = arg;

	w->error = worker_open(w);
	__atomic_fetch_add(&w->load->ready, 1, __ATOMIC_RELEASE);
	while (order(w->load) == LOAD_WAIT)
		wait_a_little();
	if (!w->error)
		worker_run(w);
	worker_close(w);
	__atomic_store_n(&w->done, true, __ATOMIC_RELEASE);
	return NULL;
}

static int begin(struct worker *w)
{
	int ret;

	if (!w->spec->processes) {
		ret = -pthread_create(&w->thread, NULL, work, w);
	} else {
		w->pid = fork();
		if (!w->pid) {
			work(w);
			_exit(0);
		}
		ret = w->pid < 0 ? -errno : 0;
	}
	w->begun = !ret;
	return ret ? error(ret, "cannot start process %llu of the load: %s",
			   (unsigned long long)w->number + 1, strerror(-ret)) : 0;
}

struct load *load_new(const struct load_spec *spec, const int *fds, unsigned n)
{
	struct load *l = mmap(NULL, load_bytes(spec), PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (l == MAP_FAILED) {
		error(-ENOMEM, "out of memory for %llu processes",
		      (unsigned long long)spec->procs);
		return NULL;
	}
	l->spec = *spec;
	for (u64 i = 0; i < spec->procs; i++) {
		struct worker *w = &l->workers[i];

		w->spec = &l->spec;
		w->load = l;
		w->number = i;
		w->fd = fds[i % n];
		w->place = i / n;
		w->error = begin(w);
		if (w->error)
			break;
	}
	return l;
}

/* A process that somebody killed leaves the span as it was; what it had in flight is
 * over for us. */
static bool is_gone(struct worker *w)
{
	if (!w->begun || __atomic_load_n(&w->done, __ATOMIC_ACQUIRE))
		return true;
	if (!w->spec->processes || waitpid(w->pid, NULL, WNOHANG) != w->pid)
		return false;
	w->begun = false;
	if (w->done)
		return true;
	w->error = error(-ECHILD, "process %llu of the load was killed",
			 (unsigned long long)w->number + 1);
	if (w->in_flight)
		span_leave(&w->load->span, now_ns());
	return true;
}

int load_start(struct load *l)
{
	u32 begun = 0, gone = 0;
	int ret = 0;

	for (u64 i = 0; i < l->spec.procs; i++)
		begun += l->workers[i].begun;
	while (__atomic_load_n(&l->ready, __ATOMIC_ACQUIRE) + gone < begun) {
		wait_a_little();
		for (u64 i = 0; i < l->spec.procs; i++)
			gone += l->workers[i].begun && is_gone(&l->workers[i]);
	}
	for (u64 i = 0; i < l->spec.procs && !ret; i++)
		ret = l->workers[i].error;
	__atomic_store_n(&l->order, ret ? LOAD_STOP : LOAD_RUN, __ATOMIC_RELEASE);
	return ret;
}

bool load_is_done(struct load *l)
{
	bool all = true;

	for (u64 i = 0; i < l->spec.procs; i++)
		all &= is_gone(&l->workers[i]);
	return all;
}

void load_stop(struct load *l)
{
	__atomic_store_n(&l->order, LOAD_STOP, __ATOMIC_RELEASE);
	while (!load_is_done(l))
		wait_a_little();
}

void load_free(struct load *l)
{
	if (!l)
		return;
	load_stop(l);
	for (u64 i = 0; i < l->spec.procs; i++) {
		struct worker *w = &l->workers[i];

		if (w->begun && w->spec->processes)
			waitpid(w->pid, NULL, 0);
		else if (w->begun)
			pthread_join(w->thread, NULL);
	}
	munmap(l, load_bytes(&l->spec));
}

void load_forget(struct load *l)
{
	__atomic_fetch_add(&l->epoch, 1, __ATOMIC_RELEASE);
}

/* A worker that waits for a slow request has not heard yet that the warm-up is over. */
static bool counts(const struct load *l, const struct worker *w)
{
	return __atomic_load_n(&w->epoch, __ATOMIC_ACQUIRE) == l->epoch;
}

u64 load_short_results(const struct load *l)
{
	u64 n = 0;

	for (u64 i = 0; i < l->spec.procs; i++)
		n += counts(l, &l->workers[i]) ? l->workers[i].short_results : 0;
	return n;
}

int load_first_errno(const struct load *l)
{
	for (u64 i = 0; i < l->spec.procs; i++)
		if (counts(l, &l->workers[i]) && l->workers[i].first_errno)
			return l->workers[i].first_errno;
	return 0;
}

u64 load_read(const struct load *l, struct sum ops[2], u64 now)
{
	for (u64 i = 0; i < l->spec.procs; i++)
		for (int op = 0; op < 2 && counts(l, &l->workers[i]); op++)
			sum_add_row(&ops[op], &l->workers[i].rows[op]);
	return span_time_ns(__atomic_load_n(&l->span.word, __ATOMIC_RELAXED), now);
}
