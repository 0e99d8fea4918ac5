// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests signals_catch() and signals_release(), also with a second pair of these calls nested in the
 * first. */
#include <signal.h>
#include <unistd.h>

#include "user/base/signals.h"
#include "tests/lib/harness.h"

static bool is_blocked(const sigset_t *set)
{
	return sigismember(set, SIGTERM);
}

TEST(what_nobody_has_read_is_the_first_ones)
{
	sigset_t outer_before, inner_before, after;
	int outer = signals_catch(0, &outer_before), inner;
	uint64_t last = 0;

	inner = signals_catch(SIGCHLD, &inner_before);
	EXPECT_TRUE(!is_blocked(&inner_before));
	EXPECT_TRUE(!signals_pending());
	kill(getpid(), SIGTERM);
	signals_release(inner, &inner_before);
	EXPECT_TRUE(signals_pending());
	EXPECT_TRUE(signals_came(outer, &last));
	EXPECT_TRUE(!signals_came(outer, &last));
	kill(getpid(), SIGTERM);
	signals_release(outer, &outer_before);
	sigprocmask(SIG_BLOCK, NULL, &after);
	EXPECT_TRUE(!is_blocked(&after));
}

TEST(what_was_read_is_over)
{
	sigset_t before;
	int fd = signals_catch(0, &before);
	uint64_t last = 0;

	kill(getpid(), SIGTERM);
	EXPECT_TRUE(signals_came(fd, &last));
	EXPECT_TRUE(!signals_pending());
	signals_release(fd, &before);
}

TEST_MAIN
