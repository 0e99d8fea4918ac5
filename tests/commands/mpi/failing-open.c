// SPDX-License-Identifier: GPL-2.0-or-later
/* For LD_PRELOAD: MPI_File_open() fails only on rank 1, for each path that contains $FAILING_OPEN.
 * The other ranks open the file, as with an MPI library that reports an error only on its rank. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int MPI_File_open(MPI_Comm comm, const char *path, int mode, MPI_Info info, MPI_File *file)
{
	int rank, ret = PMPI_File_open(comm, path, mode, info, file);

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (ret != MPI_SUCCESS || rank != 1 || !strstr(path, getenv("FAILING_OPEN")))
		return ret;
	*file = MPI_FILE_NULL;
	return MPI_ERR_ACCESS;
}
