// SPDX-License-Identifier: GPL-2.0-or-later
/* Contains tests that end in every possible way; some fail on purpose. harness.sh runs this
 * program, and compares its output with tests/data/harness.expected. A harness that missed a
 * failure would make all tests worthless. `make check` does not run this program by itself. */
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/lib/harness.h"

TEST(passes)
{
	unsigned char byte = 255;
	const char *none = NULL;

	printf("what a test prints is shown only if it fails\n");
	EXPECT_EQ(byte, 255);
	EXPECT_EQ(UINT64_MAX, UINT64_MAX);
	EXPECT_NE(UINT64_MAX, UINT64_MAX - 1);
	EXPECT_NE(-1, UINT64_MAX);
	EXPECT_LT(-1, 0u);
	EXPECT_LT(INT64_MIN, UINT64_MAX);
	EXPECT_GT(0.5, 0);
	EXPECT_LE(1, 1.0);
	EXPECT_GE('b', 'a');
	EXPECT_NE(NAN, NAN);
	EXPECT_NEAR(0.1 + 0.2, 0.3, 1e-12);
	EXPECT_NEAR(INFINITY, INFINITY, 0);
	EXPECT_EQ(none, NULL);
	EXPECT_STR(none, NULL);
	EXPECT_STR("", "");
	EXPECT_TRUE(stdin);
}

TEST(expectations_fail_and_go_on)
{
	uint64_t most = UINT64_MAX;
	const char *none = NULL;
	int two = 2;

	printf("printed before\n");
	EXPECT_EQ(two, 3);
	EXPECT_EQ(most, most - 1);
	EXPECT_NE(two, 2);
	EXPECT_LT(two, -2);
	EXPECT_LT(two, 2);
	EXPECT_LE(two, 1.5);
	EXPECT_GT(two, 2);
	EXPECT_GT(two, 3);
	EXPECT_GE(two, 2.5f);
	EXPECT_EQ((void *)32, (void *)16);
	EXPECT_NEAR(two, 2.5, 0.25);
	EXPECT_NEAR(NAN, 2, 100);
	EXPECT_STR("seen", "expected");
	EXPECT_STR(none, "");
	EXPECT_TRUE(two == 3);
	fprintf(stderr, "and after, without a newline");
}

TEST(assertion_ends_the_test)
{
	ASSERT_STR("a", "a");
	ASSERT_EQ(1, 1);
	ASSERT_EQ(1, 2);
	EXPECT_TRUE(!"not reached");
}

TEST(skips)
{
	NEEDS(1 + 1 == 2, "not this");
	NEEDS(false, "needs %s", "the moon");
	EXPECT_TRUE(!"not reached");
}

TEST(fails_before_it_skips)
{
	EXPECT_EQ(1, 2);
	NEEDS(false, "too late");
}

TEST(crashes)
{
	abort();
}

TEST(exits)
{
	exit(0);
}

TEST_TIMEOUT(hangs, 1)
{
	pause();
}

/* A failed expectation in a thread or a child process must fail the test. */
static void *thread(void *arg)
{
	EXPECT_EQ(1, 2);
	return arg;
}

TEST(fails_in_a_thread)
{
	pthread_t t;

	ASSERT_EQ(pthread_create(&t, NULL, thread, NULL), 0);
	pthread_join(t, NULL);
}

TEST(fails_in_a_child)
{
	if (fork() == 0)
		ASSERT_EQ(1, 2);
	else
		wait(NULL);
}

/* Leaves two child processes, which the harness must kill. harness.sh reads their pids from a file.
 * The second one leaves the session, and keeps the test's output open. */
TEST(leaks_children)
{
	struct result r = run_command("cd %s && pids=${SELFTEST_PIDS:-pids}\n"
				      "sleep 1000 & echo $! >>$pids\n"
				      "setsid sh -c \"echo \\$\\$ >>$pids; exec sleep 1000\" &\n"
				      "while [ $(wc -l <$pids) -lt 2 ]; do sleep 0.01; done",
				      scratch_dir());

	EXPECT_EQ(r.status, 0);
	run_free(&r);
}

/* Makes files in the scratch directory, which the harness must remove. harness.sh checks that. */
static const char *fill_scratch(void)
{
	const char *path = getenv("SELFTEST_SCRATCH") ?: "/dev/null";
	FILE *f = fopen(path, "a");
	struct result r;

	fprintf(f, "%s\n", scratch_dir());
	fclose(f);
	r = run_command("mkdir -p %s/a/b && : >%s/a/b/c && ln -s / %s/root", scratch_dir(),
			scratch_dir(), scratch_dir());
	EXPECT_EQ(r.status, 0);
	run_free(&r);
	return scratch_dir();
}

TEST(scratch_is_a_directory)
{
	struct stat st;

	EXPECT_EQ(stat(fill_scratch(), &st), 0);
	EXPECT_TRUE(S_ISDIR(st.st_mode));
	EXPECT_STR(scratch_dir(), scratch_dir());
}

TEST(scratch_goes_with_a_crash)
{
	fill_scratch();
	raise(SIGKILL);
}

TEST_TIMEOUT(scratch_goes_with_a_hang, 1)
{
	fill_scratch();
	pause();
}

TEST(commands_give_status_and_output)
{
	struct result r = run_command("echo out; echo err >&2; exit %d", 7);

	EXPECT_EQ(r.status, 7);
	EXPECT_STR(r.out, "out\n");
	EXPECT_STR(r.err, "err\n");
	run_free(&r);
	r = run_command("kill -TERM $$");
	EXPECT_EQ(r.status, 128 + SIGTERM);
	EXPECT_STR(r.out, "");
	run_free(&r);
	r = run_command("no-such-command-%d", 1);
	EXPECT_EQ(r.status, 127);
	run_free(&r);
}

/* The command writes more to both outputs than a pipe holds. The harness must read both at once. */
TEST(commands_may_say_much)
{
	struct result r = run_command("head -c 3000000 /dev/zero >&2 & "
				      "head -c 5000001 /dev/zero; wait");

	EXPECT_EQ(r.status, 0);
	EXPECT_EQ(r.out_size, 5000001);
	EXPECT_EQ(r.err_size, 3000000);
	run_free(&r);
}

TEST(commands_do_not_wait_for_the_background)
{
	struct result r = run_command("while echo more; do :; done & echo done");

	EXPECT_EQ(r.status, 0);
	EXPECT_TRUE(strstr(r.out, "done\n"));
	run_free(&r);
}

TEST(orphans_leave_no_zombies)
{
	struct result r = run_command("sh -c 'sleep 0.1 & echo $!'");
	pid_t pid = atoi(r.out);

	while (kill(pid, 0) == 0)
		usleep(1000);
	run_free(&r);
}

/* A command must get the default action for all signals. Signals 32 and 33 are not checked: the C
 * library uses them, and posix_spawn() or a program with threads may change them. */
TEST(signals_are_as_by_default)
{
	struct result r = run_command("grep -E 'Sig(Blk|Ign)' /proc/self/status | "
				      "sed -E 's/0000000[01]800/00000000000/'");

	EXPECT_STR(r.out, "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
	run_free(&r);
}

TEST(only_the_end_of_much_output_is_kept)
{
	for (int i = 0; i < 100000; i++)
		printf("%0500d\n", i);
	abort();
}

/* harness.sh interrupts this test. It has no short limit, because a busy machine may delay the
 * signal. */
TEST(waits_if_told)
{
	if (!getenv("SELFTEST_WAITS"))
		return;
	fill_scratch();
	pause();
}

TEST_MAIN
