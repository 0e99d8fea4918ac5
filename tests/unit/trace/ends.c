// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests traces that end early: at a limit of the file size, on a full disk, and with SIGKILL. A
 * trace file consists of chunks: blocks with a head and a checksum. */
#include <errno.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include "tests/unit/made-trace.h"
#include "user/trace/write.h"
#include "user/trace/trace-read.h"

/* number of accesses after which the writer that is to be killed makes no more */
#define FLUSHED_MAX 1000000

static u32 read_file(struct made *m, const char *path, struct trace_state *s)
{
	struct trace_reader *r;
	u32 seen;

	ASSERT_EQ(trace_open(&r, path, ALL_COLUMNS), 0);
	seen = made_compare(m, r, 0);
	*s = *trace_state(r);
	trace_close(r);
	return seen;
}

/* Writes until the error @code, such as that of a full disk. The file must end with a whole
 * chunk. */
static void fill(const char *path, int code)
{
	struct trace_writer *w = made_writer(path, 0, 0);
	struct made m = {};
	struct trace_state s;
	u64 now = 0;
	int ret = 0;

	made_streams(w);
	for (u32 i = 0; !ret && i < 1000000; i++) {
		struct trace_access a = made_access(&now, true);

		ret = made_add(&m, w, &a);
	}
	EXPECT_EQ(ret, code);
	EXPECT_EQ(trace_add(w, m.a), code);
	EXPECT_EQ(trace_flush(w), code);
	EXPECT_EQ(trace_finish(w, NULL), code);
	EXPECT_GT(read_file(&m, path, &s), 0);
	EXPECT_EQ(s.accesses % TRACE_CHUNK, 0);
	EXPECT_EQ(s.ignored_bytes + s.bad_chunks, 0);
	EXPECT_TRUE(!s.whole);
	free(m.a);
}

TEST(limit_of_file_size)
{
	struct rlimit limit = { 1234567, 1234567 };

	signal(SIGXFSZ, SIG_IGN);
	ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
	fill(scratch_path("trace"), -EFBIG);
}

TEST(full_disk)
{
	char *dir = scratch_path("small");

	NEEDS(geteuid() == 0, "needs root, to mount a small tmpfs");
	ASSERT_EQ(mkdir(dir, 0700), 0);
	NEEDS(!mount("none", dir, "tmpfs", 0, "size=2m"), "cannot mount: %s", strerror(errno));
	fill(scratch_path("small/trace"), -ENOSPC);
	EXPECT_EQ(umount2(dir, MNT_DETACH), 0);
}

/* Kills the writer by SIGKILL at random times. Accesses that it had flushed must not be lost. */
TEST(killed)
{
	struct trace_state s;
	u32 *flushed = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	for (u32 round = 0; round < 30; round++) {
		char *path = scratch_path("trace");
		struct made m = {}, all = {};
		u64 now = 0, seed = made_state;
		pid_t child = fork();

		*flushed = 0;
		if (!child) {
			struct trace_writer *w = made_writer(path, 0, 0);

			made_streams(w);
			for (u32 i = 0;; i++) {
				struct trace_access a = made_access(&now, true);

				made_add(&m, w, &a);
				m.n = 0;
				if (i % 1000 == 999 && !trace_flush(w))
					*flushed = i + 1;
				/* if this test is delayed, the file must not fill the disk */
				if (i == FLUSHED_MAX)
					pause();
			}
		}
		while (!*(volatile u32 *)flushed)
			usleep(100);
		usleep(made_below(20000));
		ASSERT_EQ(kill(child, SIGKILL), 0);
		ASSERT_EQ(waitpid(child, NULL, 0), child);
		made_state = seed;
		all.room = all.n = *flushed + 1000;
		all.a = calloc(all.n, sizeof(*all.a));
		for (u32 i = 0; i < all.n; i++)
			all.a[i] = made_access(&now, true);
		EXPECT_GE(read_file(&all, path, &s), *flushed);
		EXPECT_TRUE(!s.whole && !s.bad_chunks);
		free(all.a);
		ASSERT_EQ(unlink(path), 0);
	}
}

TEST_MAIN
