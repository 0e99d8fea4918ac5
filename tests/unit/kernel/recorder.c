// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests how a recording reads accesses in flight from shared memory. The kernel or a measured
 * program may change these accesses meanwhile, so each word must be read only once. A measured
 * program may also write invalid records to its buffer (lane). The filter of a recording admits
 * only chosen accesses. */
#include <bpf/bpf.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/param.h>
#include <ucontext.h>
#include <unistd.h>

#include "user/base/clock.h"
#include "user/kernel/recorder.h"
#include "user/trace/write.h"
#include "tests/lib/harness.h"

#define PAGE 4096
#define TRAP_FLAG 0x100
#define SECOND_NS 1000000000ULL

/* A page of shared memory. .loads has the number of times that the recorder has read each of its
 * 8-byte words. */
static struct {
	u8 *page;
	unsigned loads[PAGE / sizeof(u64)];
} watched;

static void protect(int how)
{
	if (mprotect(watched.page, PAGE, how))
		abort();
}

#ifdef __x86_64__
/* Counts the reads of the protected page. A read raises SIGSEGV. This handler counts it, unprotects
 * the page, and sets the trap flag of the CPU. So SIGTRAP follows the read, and its handler,
 * after_load(), protects the page again. */
static void on_load(int sig, siginfo_t *info, void *context)
{
	size_t at = (u8 *)info->si_addr - watched.page;

	if (at >= PAGE) {
		signal(sig, SIG_DFL);
		return;
	}
	watched.loads[at / sizeof(u64)]++;
	protect(PROT_READ | PROT_WRITE);
	((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

static void after_load(int sig, siginfo_t *info, void *context)
{
	protect(PROT_NONE);
	((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}

static void watch(void *page)
{
	struct sigaction on = { .sa_sigaction = on_load, .sa_flags = SA_SIGINFO },
			 after = { .sa_sigaction = after_load, .sa_flags = SA_SIGINFO };

	watched.page = page;
	memset(watched.loads, 0, sizeof(watched.loads));
	sigaction(SIGSEGV, &on, NULL);
	sigaction(SIGTRAP, &after, NULL);
	protect(PROT_NONE);
}
#else
static void watch(void *page)
{
	test_skip("needs x86_64, to stop after one instruction");
}
#endif

static void *pages(size_t size)
{
	return mmap(NULL, roundup(size, PAGE), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		    -1, 0);
}

/* Fills @m with accesses in flight, @n of each kind. The kinds are requests to a disk, libaio
 * requests, and calls to the preloaded library. */
static void make_maps(struct maps *m, u32 n, u64 start_ns)
{
	static struct losses losses;
	static u64 names_begun;
	static u32 slots_n;

	slots_n = n;
	*m = (struct maps){
		.losses = &losses,
		.names_begun = &names_begun,
		.slots_n = &slots_n,
		.max_slots = n,
		.max_cells = 2,
		.cells = calloc(2, sizeof(struct cell)),
		.disks = calloc(1, sizeof(struct seen_disk)),
		.slots = pages(n * sizeof(struct slot)),
		.pending = pages(PENDING_BUCKETS * PENDING_WAYS * sizeof(struct pending)),
		.buckets = calloc(PENDING_BUCKETS, sizeof(struct pending_bucket)),
		.app = pages(sizeof(struct app_area)),
		.names_ring = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "names", 0, 0, PAGE, NULL),
		.record_rings = { bpf_map_create(BPF_MAP_TYPE_RINGBUF, "ring", 0, 0, PAGE, NULL) },
		.record_rings_n = 1,
	};
	for (u32 i = 0; i < n; i++) {
		m->slots[i] = (struct slot){ .cell = 1, .tgid = 1, .start_ns = start_ns };
		m->buckets[i / PENDING_WAYS].key[i % PENDING_WAYS] = 1;
		m->pending[i] = (struct pending){ .kind = PENDING_AIO,
						  .span = 1,
						  .tgid = 1,
						  .start_ns = start_ns };
		if (i < APP_THREADS)
			m->app->threads[i] = (struct app_thread){ .tid = 1,
								  .stage = APP_INSIDE,
								  .start_ns = start_ns };
	}
}

/* Ends a recording, and checks that it reads each word of @page at most once. The filter rejects
 * all accesses. */
static void end_recording(struct maps *m, void *page)
{
	const struct trace_filter none = {};
	struct trace_writer *w = NULL;
	struct recorder *r = NULL;
	u64 now = now_ns() + 200 * SECOND_NS;
	unsigned most = 0, words = 0;

	ASSERT_EQ(trace_create(&w, "trace", NULL, NULL), 0);
	ASSERT_EQ(recorder_new(&r, m, w, &none), 0);
	watch(page);
	recorder_end(r, now);
	protect(PROT_READ | PROT_WRITE);
	recorder_free(r);
	trace_abandon(w);
	for (unsigned i = 0; i < PAGE / sizeof(u64); i++) {
		most = MAX(most, watched.loads[i]);
		words += watched.loads[i] > 0;
	}
	EXPECT_EQ(most, 1);
	EXPECT_GT(words, 0);
}

TEST(each_word_of_an_access_in_flight_is_read_once)
{
	struct maps m;

	scratch_enter();
	make_maps(&m, 2 * PAGE / sizeof(struct slot), now_ns() + 100 * SECOND_NS);
	NEEDS(m.names_ring >= 0, "cannot make BPF rings: %s", strerror(errno));
	end_recording(&m, m.slots);
	end_recording(&m, m.pending);
	end_recording(&m, (void *)roundup((unsigned long)m.app->threads, PAGE));
	free(m.cells);
	free(m.disks);
	free(m.buckets);
}

TEST(a_descriptor_above_the_largest_is_refused)
{
	static const u32 groups[] = { 0, 1, INT_MAX, 1U << 31, UINT_MAX };
	const struct trace_filter none = {};
	struct trace_writer *w = NULL;
	struct recorder *r = NULL;
	struct record_lane *lane = pages(sizeof(*lane));
	struct maps m;

	scratch_enter();
	make_maps(&m, PENDING_BUCKETS, now_ns());
	NEEDS(m.names_ring >= 0, "cannot make BPF rings: %s", strerror(errno));
	m.lanes = lane;
	m.lanes_n = 1;
	ASSERT_EQ(trace_create(&w, "trace", NULL, NULL), 0);
	ASSERT_EQ(recorder_new(&r, &m, w, &none), 0);
	for (u64 i = 0; i < sizeof(groups) / sizeof(*groups); i++)
		lane->entries[i] = (struct recorded){ .start_ns = now_ns(),
						      .end_ns = now_ns(),
						      .held_ns = (i + 1) << 32,
						      .group = groups[i],
						      .op = OP_READ,
						      .source = SRC_SYSCALL };
	lane->head = sizeof(groups) / sizeof(*groups);
	recorder_poll(r);
	EXPECT_EQ(lane->tail, lane->head);
	EXPECT_EQ(m.refused, 2);
	recorder_free(r);
	trace_abandon(w);
	free(m.cells);
	free(m.disks);
	free(m.buckets);
}

TEST_MAIN
