// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests that iospan moves processes into the cgroups of a session and back, and removes these
 * cgroups. A session has the cgroups that iospan makes to measure a command or load. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "user/base/clock.h"
#include "user/session/session.h"
#include "tests/lib/harness.h"

#define LONG_NS 100000000000ULL
#define SHORT_NS 1000000000ULL

static void read_own(char text[4096])
{
	int fd = open("/proc/self/cgroup", O_RDONLY);
	ssize_t n = read(fd, text, 4095);

	text[n > 0 ? n : 0] = '\0';
	close(fd);
}

TEST(another_process_enters_and_leaves)
{
	char before[4096], inside[4096], after[4096];
	struct session_groups groups, home;
	struct cgroup own;
	struct session s;

	NEEDS(geteuid() == 0, "needs root");
	NEEDS(cgroup_self(CGROUP_V2, &own) == 0, "needs cgroups of version 2");
	read_own(before);
	ASSERT_EQ(session_begin(&s, NULL, CHARGE_AUTO, 0), 0);
	session_groups(&s, &groups);
	EXPECT_EQ(session_move(&groups, &home), 0);
	read_own(inside);
	EXPECT_TRUE(strstr(inside, strrchr(s.target.path, '/')));
	EXPECT_STR(home.of[0].path, own.path);
	EXPECT_EQ(session_move(&home, NULL), 0);
	read_own(after);
	EXPECT_STR(after, before);
	/* without processes in them, these cgroups must be removed */
	EXPECT_EQ(session_end(&s), 0);
	EXPECT_NE(access(groups.of[0].path, F_OK), 0);
}

static void make_top(struct cgroup *top)
{
	struct cgroup own;
	char name[64];

	NEEDS(geteuid() == 0, "needs root");
	NEEDS(cgroup_self(CGROUP_V2, &own) == 0, "needs cgroups of version 2");
	snprintf(name, sizeof(name), "iospan-test-%d", (int)getpid());
	ASSERT_EQ(cgroup_child(&own, name, top), 0);
	ASSERT_EQ(cgroup_make(top), 0);
}

static void make_below(int at, const char *name)
{
	ASSERT_EQ(mkdirat(at, name, 0755), 0);
}

static int remove_within(const struct cgroup *cg, u64 ns)
{
	struct cgroup_place p;
	int ret;

	cgroup_place_open(&p, cg);
	ret = cgroup_remove(&p, now_ns() + ns);
	cgroup_place_close(&p);
	return ret;
}

TEST(groups_whose_names_begin_with_a_dot)
{
	struct cgroup top;
	int at;

	make_top(&top);
	at = open(top.path, O_PATH);
	make_below(at, ".hidden");
	make_below(at, ".hidden/..x");
	make_below(at, "...");
	EXPECT_EQ(remove_within(&top, LONG_NS), 0);
	EXPECT_NE(access(top.path, F_OK), 0);
}

static void limit(int resource, rlim_t most)
{
	struct rlimit l;

	ASSERT_EQ(getrlimit(resource, &l), 0);
	l.rlim_cur = most;
	ASSERT_EQ(setrlimit(resource, &l), 0);
}

/* The cgroups are nested 400 deep, and their path is longer than PATH_MAX. The test also limits the
 * open files and the stack. So iospan must remove the cgroups without recursion. */
TEST(groups_nested_deeply)
{
	static const char name[] = "a-group-with-a-name-of-some-length";
	const unsigned most = 400;
	struct cgroup top;
	int at, below;

	make_top(&top);
	at = open(top.path, O_PATH);
	for (unsigned i = 0; i < most; i++) {
		make_below(at, name);
		below = openat(at, name, O_PATH);
		close(at);
		at = below;
	}
	close(at);
	limit(RLIMIT_NOFILE, 32);
	limit(RLIMIT_STACK, 512 << 10);
	EXPECT_EQ(cgroup_count_without_io(&top), most);
	EXPECT_EQ(remove_within(&top, LONG_NS), 0);
	EXPECT_NE(access(top.path, F_OK), 0);
}

TEST(removal_ends_at_its_deadline)
{
	struct cgroup top;
	int at;

	make_top(&top);
	at = open(top.path, O_PATH);
	make_below(at, "a");
	make_below(at, "a/b");
	EXPECT_EQ(remove_within(&top, 0), -EBUSY);
	EXPECT_EQ(faccessat(at, "a/b", F_OK, 0), 0);
	EXPECT_EQ(remove_within(&top, LONG_NS), 0);
}

/* A cgroup on which a file system is mounted cannot be removed. The removal must give -EBUSY, and
 * must remove nothing in the file system. */
TEST(a_group_that_stays_busy)
{
	char path[PATH_MAX + 64];
	struct cgroup top;
	int at;

	make_top(&top);
	at = open(top.path, O_PATH);
	make_below(at, "busy");
	make_below(at, "free");
	NEEDS(!unshare(CLONE_NEWNS) && !mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL),
	      "needs a mount namespace");
	snprintf(path, sizeof(path), "%s/busy", top.path);
	ASSERT_EQ(mount("none", path, "tmpfs", 0, NULL), 0);
	close(at);
	at = open(top.path, O_PATH);
	make_below(at, "busy/precious");
	EXPECT_EQ(remove_within(&top, SHORT_NS), -EBUSY);
	EXPECT_EQ(faccessat(at, "busy/precious", F_OK, 0), 0);
	EXPECT_NE(faccessat(at, "free", F_OK, 0), 0);
	ASSERT_EQ(umount(path), 0);
	EXPECT_EQ(remove_within(&top, LONG_NS), 0);
}

/* Starts a process that waits in @cg, which is a cgroup of the session @s. */
static pid_t wait_in(const struct session *s, const struct cgroup *cg)
{
	pid_t pid = fork();

	if (!pid) {
		cleanup_detach(&s->cleanup);
		pause();
		_exit(0);
	}
	ASSERT_EQ(cgroup_enter(cg, pid), 0);
	return pid;
}

/* Cgroups of version 1 can be renamed. A renamed cgroup of the session must be removed too. */
TEST(a_group_that_is_renamed)
{
	struct cgroup own;
	char name[PATH_MAX + 8];
	struct session s;
	pid_t pid;

	NEEDS(geteuid() == 0, "needs root");
	NEEDS(cgroup_self(CGROUP_BLKIO, &own) == 0, "needs cgroups of version 1");
	ASSERT_EQ(session_begin(&s, NULL, CHARGE_AUTO, 0), 0);
	pid = wait_in(&s, &s.charged);
	snprintf(name, sizeof(name), "%s-moved", s.charged.path);
	ASSERT_EQ(rename(s.charged.path, name), 0);
	ASSERT_EQ(mkdir(s.charged.path, 0755), 0); /* a cgroup of somebody else, which must stay */
	EXPECT_EQ(session_end(&s), 0);
	EXPECT_NE(access(name, F_OK), 0);
	EXPECT_EQ(rmdir(s.charged.path), 0);
	kill(pid, SIGKILL);
}

TEST_MAIN
