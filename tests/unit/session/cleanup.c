// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests iospan's cleanup process, which removes iospan's cgroups and files if iospan is killed.
 * Signals to iospan's process group must not end the cleanup process. */
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "user/session/cleanup.h"
#include "tests/lib/harness.h"

/* The signal that the cleanup process gets just before it has a session of its own; 0: none. */
static int early;

pid_t setsid(void)
{
	if (early)
		raise(early);
	usleep(100000); /* so that the test fails if the caller does not wait for the session */
	return syscall(SYS_setsid);
}

static int clean(const void *of)
{
	pid_t *cleaner = *(pid_t *const *)of;

	*cleaner = *cleaner ? -1 : getpid();
	return 7;
}

/* Returns memory shared with the cleanup process. It has the pid of the process that called
 * clean(). 0: no process did. -1: clean() was called twice. */
static pid_t *shared(void)
{
	pid_t *cleaner = mmap(NULL, sizeof(*cleaner), PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	ASSERT_NE(cleaner, MAP_FAILED);
	return cleaner;
}

static void expect_its_own_cleaning(int later)
{
	pid_t *cleaner = shared(), pid;
	struct cleanup c;

	ASSERT_EQ(cleanup_start(&c, clean, &cleaner), 0);
	pid = c.pid;
	EXPECT_EQ(getsid(pid), pid);
	kill(pid, later);
	EXPECT_EQ(*cleaner, 0);
	EXPECT_EQ(cleanup_finish(&c), 7);
	EXPECT_EQ(*cleaner, pid);
}

TEST(is_in_its_own_session_at_once)
{
	expect_its_own_cleaning(0);
}

TEST(signals_at_its_start)
{
	static const int signals[] = { SIGHUP, SIGINT, SIGTERM, SIGQUIT };

	for (unsigned i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		early = signals[i];
		expect_its_own_cleaning(early);
	}
}

TEST(the_callers_signals_are_as_before)
{
	pid_t *cleaner = shared();
	struct cleanup c;
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR1);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	ASSERT_EQ(cleanup_start(&c, clean, &cleaner), 0);
	sigprocmask(SIG_BLOCK, NULL, &mask);
	EXPECT_TRUE(sigismember(&mask, SIGUSR1));
	EXPECT_TRUE(!sigismember(&mask, SIGINT));
	cleanup_finish(&c);
}

TEST(killed_at_its_start)
{
	pid_t *cleaner = shared();
	struct cleanup c;

	early = SIGKILL;
	EXPECT_LT(cleanup_start(&c, clean, &cleaner), 0);
	EXPECT_EQ(cleanup_finish(&c), 7);
	EXPECT_EQ(*cleaner, getpid());
}

TEST_MAIN
