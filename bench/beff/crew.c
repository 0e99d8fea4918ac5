// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs the ranks (processes) of b_eff_io on this machine. Gives the ranks each step of the
 * benchmark: open, run, check or close. Notices if a rank dies. */
#include "bench/beff/engine.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/load/barrier.h"
#include "user/base/err.h"
#include "user/session/session.h"

struct beff_shared {
	struct span span;
	u32 steps; /* number of steps that iospan has given to the ranks so far */
	u32 left;  /* number of ranks that still work on the current step */
	struct barrier barrier;
	u32 turn; /* number of the rank that may next advance .pointer, the shared file pointer */
	u32 failed;
	u64 pointer, agreed;
	struct beff_step step;
	struct beff_part parts[];
};

struct beff_crew {
	const struct beff_setup *setup;
	struct beff_shared *shared;
	char *agents;
	pid_t *pids;
};

static u32 load_word(const u32 *word)
{
	return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}

void beff_barrier(struct beff_rank *r)
{
	struct beff_shared *s = r->shared;

	if (r->out->error)
		__atomic_store_n(&s->failed, 1, __ATOMIC_SEQ_CST);
	barrier_wait(&s->barrier, s->step.shape.ranks, NULL, NULL);
}

/* Rank 0 sets s->agreed, and the other ranks read it after a barrier. Call beff_barrier() before
 * the next call of this function. Otherwise rank 0 might overwrite s->agreed before all ranks have
 * read it. */
u64 beff_agree(struct beff_rank *r, u64 n)
{
	struct beff_shared *s = r->shared;

	if (!r->number)
		s->agreed = load_word(&s->failed) ? 0 : n;
	beff_barrier(r);
	return s->agreed;
}

u64 beff_take_pointer(struct beff_rank *r, u64 bytes)
{
	struct beff_shared *s = r->shared;
	u32 turn;
	u64 at;

	while ((turn = load_word(&s->turn)) != r->number)
		futex_sleep_while(&s->turn, turn, NULL);
	at = s->pointer;
	s->pointer += bytes;
	__atomic_store_n(&s->turn, (turn + 1) % s->step.shape.ranks, __ATOMIC_SEQ_CST);
	futex_wake_all(&s->turn);
	return at;
}

/* Allocates zeroed memory. @how: MAP_SHARED or MAP_PRIVATE. Returns NULL if memory is short. */
static void *map_memory(size_t bytes, int how)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, how | MAP_ANONYMOUS | MAP_NORESERVE,
			-1, 0);

	if (at == MAP_FAILED)
		return NULL;
	return at;
}

static void do_steps(struct beff_crew *c, unsigned number)
{
	struct beff_shared *s = c->shared;
	struct beff_part *p = &s->parts[number];
	struct beff_rank r = {
		.io = &beff_uring_io,
		.setup = c->setup,
		.step = &s->step,
		.out = &p->out,
		.row = &p->row,
		.span = &s->span,
		.shared = s,
		.number = number,
		.agents = c->agents,
		.buffer = map_memory(beff_buffer_bytes(c->setup), MAP_PRIVATE),
	};

	for (u32 done = 0;; done++) {
		while (load_word(&s->steps) == done)
			futex_sleep_while(&s->steps, done, NULL);
		if (!r.buffer)
			p->out =
				(struct beff_outcome){ .error = -ENOMEM, .call = BEFF_CALL_MEMORY };
		else if (number < s->step.shape.ranks)
			beff_rank_step(&r);
		if (!__atomic_sub_fetch(&s->left, 1, __ATOMIC_SEQ_CST))
			futex_wake_all(&s->left);
	}
}

static void rank_main(struct beff_crew *c, unsigned number, pid_t parent,
		      const struct session *session)
{
	int ret;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	/* a write beyond RLIMIT_FSIZE then fails with EFBIG, instead of killing the rank */
	signal(SIGXFSZ, SIG_IGN);
	ret = session ? session_enter(session) : 0;
	if (ret) {
		error(ret, "cannot move a process into the cgroup '%s': %s", session->target.path,
		      strerror(-ret));
		_exit(1);
	}
	do_steps(c, number);
}

static int start_ranks(struct beff_crew *c, const struct session *session)
{
	pid_t us = getpid();

	for (unsigned i = 0; i < c->setup->ranks; i++) {
		c->pids[i] = fork();
		if (c->pids[i] < 0)
			return error(-errno, "cannot start process %u: %s", i, strerror(errno));
		if (!c->pids[i])
			rank_main(c, i, us, session);
	}
	return 0;
}

static size_t crew_shared_bytes(const struct beff_setup *s)
{
	return sizeof(struct beff_shared) + s->ranks * sizeof(struct beff_part);
}

u64 beff_agents_bytes(const struct beff_setup *s)
{
	return s->ranks * s->collective_bytes;
}

void *beff_crew_begin(struct beff_setup *setup, const struct session *session)
{
	struct beff_crew *c = need(calloc(1, sizeof(*c)));

	c->setup = setup;
	c->pids = need(calloc(setup->ranks, sizeof(*c->pids)));
	c->shared = map_memory(crew_shared_bytes(setup), MAP_SHARED);
	c->agents = map_memory(beff_agents_bytes(setup), MAP_SHARED);
	/* If iospan has inherited SIG_IGN for SIGCHLD, waitpid() does not report dead ranks. */
	signal(SIGCHLD, SIG_DFL);
	if (!c->shared || !c->agents)
		error(-ENOMEM, "out of memory for %u processes", setup->ranks);
	else if (!start_ranks(c, session))
		return c;
	beff_crew_end(c);
	return NULL;
}

/* Returns -ECHILD if a rank has ended early. If a signal killed the rank, for example SIGKILL from
 * the OOM killer, prints an error. In other cases, the rank has printed an error itself. */
static int check_ranks(struct beff_crew *c)
{
	int status;

	for (unsigned i = 0; i < c->setup->ranks; i++) {
		if (c->pids[i] <= 0 || waitpid(c->pids[i], &status, WNOHANG) != c->pids[i])
			continue;
		c->pids[i] = 0;
		return WIFSIGNALED(status) ?
			error(-ECHILD, "process %u of the benchmark was killed", i) :
			-ECHILD;
	}
	return 0;
}

static int wait_for_all(struct beff_crew *c, int (*poll)(void *), void *arg)
{
	const struct timespec look = { .tv_nsec = BEFF_POLL_NS };
	u32 left;
	int ret = 0;

	while (!ret && (left = load_word(&c->shared->left))) {
		futex_sleep_while(&c->shared->left, left, &look);
		ret = check_ranks(c) ?: poll(arg);
	}
	return ret;
}

int beff_crew_step(void *crew, const struct beff_step *step, int (*poll)(void *), void *arg,
		   struct beff_outcome *out, struct sum *app)
{
	struct beff_crew *c = crew;
	struct beff_shared *s = c->shared;
	int ret;

	s->step = *step;
	s->span = (struct span){};
	for (unsigned i = 0; i < c->setup->ranks; i++)
		s->parts[i].row = (struct row){};
	if (step->what == BEFF_OPEN)
		s->pointer = s->turn = 0;
	s->left = c->setup->ranks;
	__atomic_add_fetch(&s->steps, 1, __ATOMIC_SEQ_CST);
	futex_wake_all(&s->steps);
	ret = wait_for_all(c, poll, arg);
	return ret ?: beff_gather(c->setup, s->parts, step->shape.ranks, &s->span, out, app);
}

void beff_crew_end(void *crew)
{
	struct beff_crew *c = crew;

	if (!c)
		return;
	for (unsigned i = 0; i < c->setup->ranks; i++)
		if (c->pids[i] > 0)
			kill(c->pids[i], SIGKILL);
	for (unsigned i = 0; i < c->setup->ranks; i++)
		if (c->pids[i] > 0)
			waitpid(c->pids[i], NULL, 0);
	if (c->shared)
		munmap(c->shared, crew_shared_bytes(c->setup));
	if (c->agents)
		munmap(c->agents, beff_agents_bytes(c->setup));
	free(c->pids);
	free(c);
}
