// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes that come into a session's groups and leave them: if these fail, they are measured
 * elsewhere, or do not go back to where they were. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "../../user/session.h"
#include "../harness.h"

/* What the kernel says of our groups. */
static void read_own(char text[4096])
{
	int fd = open("/proc/self/cgroup", O_RDONLY);
	ssize_t n = read(fd, text, 4095);

	text[n > 0 ? n : 0] = '\0';
	close(fd);
}

TEST(a_stranger_comes_and_goes_back)
{
	char before[4096], inside[4096], after[4096];
	struct session_places groups, home;
	struct cgroup own;
	struct session s;

	NEEDS(geteuid() == 0, "needs root");
	NEEDS(cgroup_self(CGROUP_V2, &own) == 0, "needs cgroups of version 2");
	read_own(before);
	ASSERT_EQ(session_begin(&s, NULL, CHARGE_AUTO, 0), 0);
	session_places(&s, &groups);
	EXPECT_EQ(session_move(&groups, &home), 0);
	read_own(inside);
	EXPECT_TRUE(strstr(inside, strrchr(s.target.path, '/')));
	EXPECT_STR(home.of[0].path, own.path);
	EXPECT_EQ(session_move(&home, NULL), 0);
	read_own(after);
	EXPECT_STR(after, before);
	EXPECT_EQ(session_end(&s), 0);	/* nobody was left in them */
	EXPECT_NE(access(groups.of[0].path, F_OK), 0);
}

TEST_MAIN
