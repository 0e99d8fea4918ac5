// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs the workers of a load. The supervisor is the process that starts them. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "bench/load/load.h"
#include "bench/load/worker.h"
#include "user/base/clock.h"
#include "user/base/err.h"
#include "user/base/num.h"
#include "user/host/host.h"

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

/* Sequential consistency ensures that no order is lost. A worker first stores its stage, and then
 * reads the order. The caller first stores the order, and then reads the stages. So if the worker
 * misses a new order, the caller sees that the worker runs. */
static void worker_set_stage(struct worker *w, enum worker_stage stage)
{
	__atomic_store_n(&w->stage, stage, __ATOMIC_SEQ_CST);
}

static enum load_order order_after_waiting(struct worker *w)
{
	enum load_order order;

	worker_set_stage(w, WORKER_WAITS);
	while ((order = __atomic_load_n(&w->load->order, __ATOMIC_ACQUIRE)) == LOAD_WAIT)
		load_sleep(w->load, LOAD_WAIT, 0);
	return order;
}

bool load_fails_first(struct load *l)
{
	return !__atomic_exchange_n(&l->failed, 1, __ATOMIC_RELAXED);
}

static void wait_a_moment(void)
{
	const struct timespec moment = { .tv_nsec = 200000 };

	nanosleep(&moment, NULL);
}

/* Opens the engine of @w after the first worker has opened its engine. If the first worker failed,
 * the other workers return the same error without printing it again. */
static int open_after_first(struct worker *w)
{
	const struct worker *first = w->load->workers;

	while (w != first && __atomic_load_n(&first->stage, __ATOMIC_SEQ_CST) == WORKER_NEW)
		wait_a_moment();
	return w != first && first->error ? first->error : worker_open(w);
}

static void *worker_main(void *arg)
{
	struct worker *w = arg;

	w->error = open_after_first(w);
	while (!w->error && w->left && order_after_waiting(w) == LOAD_RUN) {
		worker_set_stage(w, WORKER_RUNS);
		(w->spec->run ?: worker_run)(w);
	}
	worker_close(w);
	worker_set_stage(w, WORKER_ENDED);
	return NULL;
}

/* Makes the kernel kill this process when its parent ends. Otherwise, nobody could stop the
 * load. */
static void die_with(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
}

static int start_worker(struct worker *w)
{
	/* The child must not store its result of fork(), which is 0, in w->pid: parent and child
	 * share that memory. So the result is first stored in the local variable @pid. */
	pid_t supervisor = getpid(), pid;
	int ret;

	if (!w->spec->processes) {
		ret = -pthread_create(&w->thread, NULL, worker_main, w);
	} else {
		pid = fork();
		if (!pid) {
			die_with(supervisor);
			worker_main(w);
			_exit(0);
		}
		w->pid = pid;
		ret = pid < 0 ? -errno : 0;
	}
	return ret ? error(ret, "cannot start process %llu of the load: %s",
			   (unsigned long long)w->number + 1, strerror(-ret)) :
		     0;
}

/* Completes the counters of a worker that was killed. If the worker had requests in flight, removes
 * the worker from the span of the load. The span measures the time in which at least one worker has
 * a request in flight. */
static void end_dead_worker(struct worker *w)
{
	w->error = -ECHILD;
	w->counts.ended_ns = now_ns();
	if (w->in_flight)
		span_leave(&w->load->span, w->counts.ended_ns);
	worker_set_stage(w, WORKER_ENDED);
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
		end_dead_worker(w);
	}
}

/* Runs in the supervisor process: starts the workers and waits until they end. */
static void supervise(struct load *l, const struct session *s)
{
	int ret = s ? session_enter(s) : 0;
	u64 started = 0;

	if (ret)
		error(ret, "cannot move the load into the cgroup '%s': %s", s->target.path,
		      strerror(-ret));
	while (!ret && started < l->spec.procs) {
		ret = start_worker(&l->workers[started]);
		started += !ret;
	}
	for (u64 i = started; i < l->spec.procs; i++) {
		l->workers[i].error = ret;
		worker_set_stage(&l->workers[i], WORKER_ENDED);
	}
	if (l->spec.processes)
		wait_for_processes(l);
	else
		for (u64 i = 0; i < started; i++)
			pthread_join(l->workers[i].thread, NULL);
}

static void *map_shared(u64 bytes, int how)
{
	void *at =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | how, -1, 0);

	if (at == MAP_FAILED)
		return NULL;
	return at;
}

static u64 load_shared_bytes(const struct load_spec *spec)
{
	return spec->regions.shared * spec->procs;
}

int load_check_memory(u64 bytes, const char *what, const char *advice)
{
	char a[NUM_TEXT], b[NUM_TEXT];
	u64 there;

	if (!host_memory(&this_host, "MemAvailable", &there) || bytes <= there)
		return 0;
	return error(-ENOMEM, "%s need %s of memory, but only %s are available; %s", what,
		     num_bytes_text(a, bytes), num_bytes_text(b, there), advice);
}

struct load *load_new(const struct load_spec *spec, const int *fds, unsigned n)
{
	struct load *l = map_shared(load_bytes(spec), 0);

	if (l && load_shared_bytes(spec))
		l->shared = map_shared(load_shared_bytes(spec), MAP_POPULATE);
	if (!l || (load_shared_bytes(spec) && !l->shared)) {
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
		w->part = i / n;
	}
	return l;
}

/* Returns true if any worker is in one of @stages, a set of bits 1 << enum worker_stage. */
static bool any_worker_is(const struct load *l, unsigned stages)
{
	for (u64 i = 0; i < l->spec.procs; i++)
		if (stages & 1u << __atomic_load_n(&l->workers[i].stage, __ATOMIC_SEQ_CST))
			return true;
	return false;
}

/* If the supervisor process has died, for instance by the OOM killer, its workers have died, too.
 * Then completes their counters, and prints an error. */
static void check_supervisor(struct load *l)
{
	bool cut = false;

	if (!l->supervisor || waitpid(l->supervisor, NULL, WNOHANG) != l->supervisor)
		return;
	l->supervisor = 0;
	for (u64 i = 0; i < l->spec.procs; i++) {
		if (l->workers[i].stage == WORKER_ENDED)
			continue;
		cut = true;
		end_dead_worker(&l->workers[i]);
	}
	if (cut)
		error(-ECHILD, "the load was killed");
}

bool load_waits(struct load *l)
{
	check_supervisor(l);
	return !any_worker_is(l, 1 << WORKER_NEW | 1 << WORKER_RUNS);
}

bool load_is_done(struct load *l)
{
	check_supervisor(l);
	return !any_worker_is(l, 1 << WORKER_NEW | 1 << WORKER_WAITS | 1 << WORKER_RUNS);
}

bool load_has_ended(const void *load)
{
	return any_worker_is(load, 1 << WORKER_ENDED);
}

int load_start(struct load *l, const struct session *s)
{
	pid_t us = getpid(), supervisor;

	/* if SIGCHLD were ignored, waitpid() could not report the end of the supervisor */
	signal(SIGCHLD, SIG_DFL);
	supervisor = fork();
	if (supervisor < 0)
		return error(-errno, "cannot fork: %s", strerror(errno));
	if (!supervisor) {
		die_with(us);
		supervise(l, s);
		_exit(0);
	}
	l->supervisor = supervisor;
	return 0;
}

void load_free(struct load *l)
{
	if (!l)
		return;
	if (l->supervisor > 0 && !load_is_done(l))
		kill(l->supervisor, SIGKILL);
	if (l->supervisor > 0)
		waitpid(l->supervisor, NULL, 0);
	if (l->shared)
		munmap(l->shared, load_shared_bytes(&l->spec));
	munmap(l, load_bytes(&l->spec));
}

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

		all.short_requests += c->short_requests;
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
