// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the removal of cgroups, and the search for cgroups with processes. If these tests fail,
 * iospan may hang when it removes its cgroups, or print a wrong note about the machine's
 * cgroups. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/lib/harness.h"
#include "user/base/clock.h"
#include "user/host/cgroup-tree.h"

#define SLEEPERS 16
#define MOVERS 4
#define ROUNDS 30
/* longer than a busy machine delays the removal of a cgroup */
#define LONG_NS 100000000000ULL

/* Makes a cgroup below the cgroup of this process. */
static void make(struct cgroup *top, const char *name)
{
	struct cgroup self = { .path = "" };
	char full[64];

	NEEDS(!geteuid() && !cgroup_self(CGROUP_V2, &self), "needs root and cgroups of version 2");
	snprintf(full, sizeof(full), "test-%s-%d", name, getpid());
	ASSERT_EQ(cgroup_child(&self, full, top), 0);
	NEEDS(!cgroup_make(top), "needs a writable cgroup of version 2");
}

static int remove_group(const struct cgroup *cg, u64 until_ns)
{
	struct cgroup_place p;
	int ret;

	cgroup_place_open(&p, cg);
	ret = cgroup_remove(&p, until_ns);
	cgroup_place_close(&p);
	return ret;
}

static void kill_all(const pid_t *pids, int n)
{
	for (int i = 0; i < n; i++)
		kill(pids[i], SIGKILL);
	for (int i = 0; i < n; i++)
		waitpid(pids[i], NULL, 0);
}

static pid_t sleeper(const struct cgroup *cg)
{
	pid_t pid = fork();

	while (!pid)
		pause();
	EXPECT_EQ(cgroup_enter(cg, pid), 0);
	return pid;
}

/* Starts a process that moves the @pids into @cg again and again. Returns after the first round of
 * moves. */
static pid_t mover(const struct cgroup *cg, const pid_t *pids)
{
	int started[2];
	char byte = 0;
	pid_t pid;

	ASSERT_EQ(pipe(started), 0);
	pid = fork();
	while (!pid) {
		for (int i = 0; i < SLEEPERS; i++)
			cgroup_enter(cg, pids[i]);
		if (!byte)
			byte = write(started[1], &byte, 1);
	}
	EXPECT_EQ(read(started[0], &byte, 1), 1);
	close(started[0]);
	close(started[1]);
	return pid;
}

/* cgroup_remove() moves the processes out of the cgroup, and faster processes move them in again.
 * The deadline has already passed, so cgroup_remove() must move each process at most once. */
TEST(removal_ends_although_processes_come_back)
{
	pid_t pids[SLEEPERS], movers[MOVERS];
	struct cgroup cg;
	int ret;

	make(&cg, "busy");
	for (int i = 0; i < SLEEPERS; i++)
		pids[i] = sleeper(&cg);
	for (int i = 0; i < MOVERS; i++)
		movers[i] = mover(&cg, pids);
	EXPECT_EQ(setpriority(PRIO_PROCESS, 0, 19), 0);
	for (int round = 0; round < ROUNDS; round++) {
		ret = remove_group(&cg, now_ns());
		EXPECT_TRUE(ret == -EBUSY || ret <= SLEEPERS);
		if (ret >= 0)
			EXPECT_EQ(cgroup_make(&cg), 0);
	}
	kill_all(movers, MOVERS);
	kill_all(pids, SLEEPERS);
	EXPECT_GE(remove_group(&cg, now_ns() + LONG_NS), 0);
}

/* A hierarchy is flat if no cgroup below its top has processes. Cgroups that iospan makes for a
 * command ("iospan-...") make no difference. */
TEST(a_hierarchy_without_processes_is_flat)
{
	struct cgroup top, inner, deep;
	pid_t pid;

	make(&top, "flat");
	EXPECT_TRUE(cgroup_is_flat(&top));
	ASSERT_EQ(cgroup_child(&top, "iospan-1-1", &inner), 0);
	ASSERT_EQ(cgroup_make(&inner), 0);
	ASSERT_EQ(cgroup_child(&inner, "deep", &deep), 0);
	ASSERT_EQ(cgroup_make(&deep), 0);
	EXPECT_TRUE(cgroup_is_flat(&top));
	pid = sleeper(&deep);
	EXPECT_TRUE(!cgroup_is_flat(&top));
	kill_all(&pid, 1);
	EXPECT_GE(remove_group(&top, now_ns() + LONG_NS), 0);
}

TEST_MAIN
