// SPDX-License-Identifier: GPL-2.0-or-later
/* A load for sets.py, which builds it with mpicc and WITH_MPI: each rank reads its regions of a
 * file, COUNT of SIZE bytes with SPACING bytes between two, in one call, as HPIO does. Further
 * arguments are hints, KEY=VALUE. */
#ifdef WITH_MPI
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static MPI_Info hints(char **words)
{
	MPI_Info info;

	MPI_Info_create(&info);
	for (; *words; words++) {
		char *value = strchr(*words, '=');

		*value = '\0';
		MPI_Info_set(info, *words, value + 1);
	}
	return info;
}

int main(int argc, char **argv)
{
	int rank, ranks, count = atoi(argv[2]), size = atoi(argv[3]), spacing = atoi(argv[4]);
	char *data = malloc((size_t)count * size);
	MPI_Datatype regions;
	MPI_Status status;
	MPI_File f;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	MPI_Type_create_hvector(count, size, (MPI_Aint)(size + spacing) * ranks, MPI_BYTE,
				&regions);
	MPI_Type_commit(&regions);
	if (MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_RDONLY, hints(argv + 5), &f))
		MPI_Abort(MPI_COMM_WORLD, 1);
	MPI_File_set_view(f, (MPI_Offset)(size + spacing) * rank, MPI_BYTE, regions, "native",
			  MPI_INFO_NULL);
	if (MPI_File_read(f, data, count * size, MPI_BYTE, &status))
		MPI_Abort(MPI_COMM_WORLD, 1);
	MPI_File_close(&f);
	MPI_Finalize();
	return 0;
}
#else
int main(void)
{
	return 0;
}
#endif
