// SPDX-License-Identifier: GPL-2.0-or-later
/* For LD_PRELOAD: a wrong MPI_File_write_ordered(), which should write at the shared file pointer
 * in the order of the ranks. $WRONG_POINTER chooses the fault. "order": the ranks write in reverse
 * order. "alone": each rank writes at its own pointer. Any other text: the call fails. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* Writes the data of the ranks in reverse order: the last rank writes first. */
static int write_backwards(MPI_File f, const void *data, int n, MPI_Datatype type, MPI_Status *s)
{
	int rank, turn, ret = MPI_SUCCESS;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &turn);
	while (turn--) {
		if (turn == rank)
			ret = PMPI_File_write_shared(f, data, n, type, s);
		MPI_Barrier(MPI_COMM_WORLD);
	}
	return ret;
}

int MPI_File_write_ordered(MPI_File f, const void *data, int n, MPI_Datatype type, MPI_Status *s)
{
	const char *how = getenv("WRONG_POINTER");

	if (!strcmp(how, "order"))
		return write_backwards(f, data, n, type, s);
	/* each rank has its own pointer, and all pointers have the same offset */
	if (!strcmp(how, "alone"))
		return PMPI_File_write(f, data, n, type, s);
	return MPI_ERR_UNSUPPORTED_OPERATION;
}
