// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests that the preloaded library (libiospan.so) counts the MPI-IO calls of a program, but not the
 * system calls that MPI makes for them. */
#include <string.h>
#include "tests/unit/preload/app-area.h"

#define RANKS 2

static const char *source(void)
{
	static char path[PATH_MAX];

	if (!realpath(__FILE__, path))
		return NULL;
	strcpy(strrchr(path, '/'), "/mpi-io.c");
	return path;
}

static void build(const char *flags, const char *name)
{
	struct result r;

	NEEDS(system("command -v mpicc && command -v mpirun") == 0,
	      "no mpicc or mpirun (package mpich)");
	NEEDS(source(), "no source of the load: run where the tests were built");
	r = run_command("cd %s && mpicc -DWITH_MPI %s -o %s %s", scratch_dir(), flags, name,
			source());
	ASSERT_EQ(r.status, 0);
	run_free(&r);
}

static void run_ranks(const char *program, const char *argument)
{
	struct result r;

	area_new();
	r = run_command("cd %s && mpirun -n %d -env LD_PRELOAD %s/libiospan.so "
			"-env " APP_ENV_FD " %d -env " APP_ENV_PID " %d %s %s",
			scratch_dir(), RANKS, build_dir(), AREA_FD, getpid(), program, argument);
	EXPECT_STR(r.err, "");
	ASSERT_EQ(r.status, 0);
	run_free(&r);
	area_expect_idle();
}

static void expect_counts(void)
{
	EXPECT_EQ(area->head.programs, RANKS);
	EXPECT_ROW(WRITES, RANKS * 6, RANKS * 6 * 400, 0);
	EXPECT_ROW(READS, RANKS * 7, RANKS * (3 * 400 + 10 + 40 + 400), RANKS * 2);
	EXPECT_ROW(SYNCS, RANKS, 0, 0);
	EXPECT_EQ(area->head.async, RANKS * 3);
	EXPECT_EQ(area->head.killed, 0);
}

TEST(mpi_calls_are_the_accesses)
{
	build("", "mpi-io");
	run_ranks("./mpi-io", "");
	expect_counts();
}

/* The program loads a module that uses MPI, as Python does. The program itself is not linked with
 * MPI, so only the module finds MPI's functions. */
TEST(mpi_that_a_module_brings_along)
{
	char host[PATH_MAX];

	build("-DMODULE -fPIC -shared", "mpi-io.so");
	snprintf(host, sizeof(host), "%s/tests/unit/preload/mpi-io", build_dir());
	run_ranks(host, "./mpi-io.so");
	expect_counts();
}

TEST_MAIN
