// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs harness-selftest.sh, in which some tests fail on purpose. Its exit status must be 1, and its
 * output must equal tests/data/harness-sh.expected. */
#include "tests/lib/harness.h"

TEST(shell_twin_fails_when_it_must)
{
	struct result r = run_command("tests/unit/harness-selftest.sh >%s/seen", scratch_dir());

	EXPECT_EQ(r.status, 1);
	run_free(&r);
	r = run_command("diff -u tests/data/harness-sh.expected %s/seen", scratch_dir());
	EXPECT_STR(r.out, "");
	EXPECT_EQ(r.status, 0);
	run_free(&r);
}

TEST_MAIN
