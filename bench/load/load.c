// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "bench/load/futex.h"
#include "bench/load/load.h"
#include "bench/load/worker.h"
#include "user/base/clock.h"
#include "user/base/err.h"

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

void load_sleep(const struct load *l, enum load_order order, u64 until_ns)
{
	const struct timespec until = { until_ns / 1000000000, until_ns % 1000000000 };

	syscall(SYS_futex, &l->order, FUTEX_WAIT_BITSET, order, until_ns ? &until : NULL, NULL,
		FUTEX_BITSET_MATCH_ANY);
}

void load_order(struct load *l, enum load_order order)
{
	__atomic_store_n(&l->order, order, __ATOMIC_SEQ_CST);
	futex_wake_all(&l->order);
}

/* ---- the process that the workers belong to ---- */

/* Either it sees the order that it looks at next, or who gave that sees its stage. */
static void set_stage(struct worker *w, enum worker_stage stage)
{
	__atomic_store_n(&w->stage, stage, __ATOMIC_SEQ_CST);
}

static enum load_order order_after_waiting(struct worker *w)
{
	enum load_order order;

	set_stage(w, WORKER_WAITS);
	while ((order = __atomic_load_n(&w->load->order, __ATOMIC_ACQUIRE)) == LOAD_WAIT)
		load_sleep(w->load, LOAD_WAIT, 0);
	return order;
}

static void wait_a_moment(void)
{
	const struct timespec moment = { .tv_nsec = 200000 };

	nanosleep(&moment, NULL);
}

/* What fails for the first fails for all, mostly: it is told once. */
static int open_after_first(struct worker *w)
{
	const struct worker *first = w->load->workers;

	while (w != first && __atomic_load_n(&first->stage, __ATOMIC_SEQ_CST) == WORKER_NEW)
		wait_a_moment();
	return w != first && first->error ? first->error : worker_open(w);
}

static void *work(void *arg)
{
	struct worker *w = arg;

	w->error = open_after_first(w);
	while (!w->error && w->left && order_after_waiting(w) == LOAD_RUN) {
		set_stage(w, WORKER_RUNS);
		worker_run(w);
	}
	worker_close(w);
	set_stage(w, WORKER_ENDED);
	return NULL;
}

/* With its parent a child goes, too: nobody could stop it any more. */
static void end_with(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
}

static int begin(struct worker *w)
{
	pid_t keeper = getpid(), pid; /* not w->pid: the child would clear it */
	int ret;

	if (!w->spec->processes) {
		ret = -pthread_create(&w->thread, NULL, work, w);
	} else {
		pid = fork();
		if (!pid) {
			end_with(keeper);
			work(w);
			_exit(0);
		}
		w->pid = pid;
		ret = pid < 0 ? -errno : 0;
	}
	return ret ? error(ret, "cannot start process %llu of the load: %s",
			   (unsigned long long)w->number + 1, strerror(-ret)) :
		     0;
}

/* It leaves the span as it was; what it had in flight is over for us. */
static void bury(struct worker *w)
{
	w->error = -ECHILD;
	w->counts.ended_ns = now_ns();
	if (w->in_flight)
		span_leave(&w->load->span, w->counts.ended_ns);
	set_stage(w, WORKER_ENDED);
}

static void wait_for_processes(struct load *l)
{
	pid_t pid;

	while ((pid = wait(NULL)) > 0) {
		struct worker *w = l->workers;

		while (w->pid != pid)
			w++;
		if (w->stage == WORKER_ENDED)
			continue;
		error(-ECHILD, "process %llu of the load was killed",
		      (unsigned long long)w->number + 1);
		bury(w);
	}
}

/* Those that cannot begin have ended. */
static void keep(struct load *l, const struct session *s)
{
	int ret = s ? session_enter(s) : 0;
	u64 begun = 0;

	if (ret)
		error(ret, "cannot move the load into the cgroup '%s': %s", s->target.path,
		      strerror(-ret));
	while (!ret && begun < l->spec.procs) {
		ret = begin(&l->workers[begun]);
		begun += !ret;
	}
	for (u64 i = begun; i < l->spec.procs; i++) {
		l->workers[i].error = ret;
		set_stage(&l->workers[i], WORKER_ENDED);
	}
	if (l->spec.processes)
		wait_for_processes(l);
	else
		for (u64 i = 0; i < begun; i++)
			pthread_join(l->workers[i].thread, NULL);
}

/* ---- and the one that is told of it ---- */

static void *map(u64 bytes, int how)
{
	void *at =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | how, -1, 0);

	if (at == MAP_FAILED)
		return NULL;
	return at;
}

static u64 shared_bytes(const struct load_spec *spec)
{
	return spec->regions.shared * spec->procs;
}

struct load *load_new(const struct load_spec *spec, const int *fds, unsigned n)
{
	struct load *l = map(load_bytes(spec), 0);

	if (l && shared_bytes(spec))
		l->shared = map(shared_bytes(spec), MAP_POPULATE);
	if (!l || (shared_bytes(spec) && !l->shared)) {
		load_free(l);
		error(-ENOMEM, "out of memory for %llu processes", (unsigned long long)spec->procs);
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
	}
	return l;
}

/* Is any worker in one of these stages, bits by enum worker_stage? */
static bool any_is(const struct load *l, unsigned stages)
{
	for (u64 i = 0; i < l->spec.procs; i++)
		if (stages & 1u << __atomic_load_n(&l->workers[i].stage, __ATOMIC_SEQ_CST))
			return true;
	return false;
}

/* Somebody may have killed it, or the kernel for want of memory. */
static void look_after_keeper(struct load *l)
{
	bool cut = false;

	if (!l->keeper || waitpid(l->keeper, NULL, WNOHANG) != l->keeper)
		return;
	l->keeper = 0;
	for (u64 i = 0; i < l->spec.procs; i++) {
		if (l->workers[i].stage == WORKER_ENDED)
			continue;
		cut = true;
		bury(&l->workers[i]);
	}
	if (cut)
		error(-ECHILD, "the load was killed");
}

bool load_waits(struct load *l)
{
	look_after_keeper(l);
	return !any_is(l, 1 << WORKER_NEW | 1 << WORKER_RUNS);
}

bool load_is_done(struct load *l)
{
	look_after_keeper(l);
	return !any_is(l, 1 << WORKER_NEW | 1 << WORKER_WAITS | 1 << WORKER_RUNS);
}

bool load_has_ended(const void *load)
{
	return any_is(load, 1 << WORKER_ENDED);
}

int load_start(struct load *l, const struct session *s)
{
	pid_t us = getpid(), keeper;

	signal(SIGCHLD, SIG_DFL); /* of children whose end is ignored nobody hears */
	keeper = fork();
	if (keeper < 0)
		return error(-errno, "cannot fork: %s", strerror(errno));
	if (!keeper) {
		end_with(us);
		keep(l, s);
		_exit(0);
	}
	l->keeper = keeper;
	return 0;
}

void load_free(struct load *l)
{
	if (!l)
		return;
	if (l->keeper > 0 && !load_is_done(l))
		kill(l->keeper, SIGKILL);
	if (l->keeper > 0)
		waitpid(l->keeper, NULL, 0);
	if (l->shared)
		munmap(l->shared, shared_bytes(&l->spec));
	munmap(l, load_bytes(&l->spec));
}

/* ---- what they count ---- */

void load_forget(struct load *l)
{
	for (u64 i = 0; i < l->spec.procs; i++) {
		struct worker *w = &l->workers[i];

		memset(w->rows, 0, sizeof(w->rows));
		w->counts = (struct load_counts){};
	}
}

static u64 later(u64 a, u64 b)
{
	return a > b ? a : b;
}

struct load_counts load_count(const struct load *l)
{
	struct load_counts all = {};

	for (u64 i = 0; i < l->spec.procs; i++) {
		const struct load_counts *c = &l->workers[i].counts;

		all.short_results += c->short_results;
		all.late += c->late;
		all.good_ns = later(all.good_ns, c->good_ns);
		all.ended_ns = later(all.ended_ns, c->ended_ns);
		all.first_errno = all.first_errno ?: c->first_errno;
	}
	return all;
}

int load_error(const struct load *l)
{
	for (u64 i = 0; i < l->spec.procs; i++)
		if (l->workers[i].error)
			return l->workers[i].error;
	return 0;
}

u64 load_read(const struct load *l, struct sum ops[2], u64 now)
{
	for (u64 i = 0; i < l->spec.procs; i++)
		for (int op = 0; op < 2; op++)
			sum_add_row(&ops[op], &l->workers[i].rows[op]);
	return span_time_ns(__atomic_load_n(&l->span.word, __ATOMIC_RELAXED), now);
}
