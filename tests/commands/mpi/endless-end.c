// SPDX-License-Identifier: GPL-2.0-or-later
/* A library for LD_PRELOAD. MPI_Finalize() waits forever, as if another process never called it. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int MPI_Finalize(void)
{
	fputs("waiting in MPI_Finalize\n", stderr);
	for (;;)
		pause();
}
