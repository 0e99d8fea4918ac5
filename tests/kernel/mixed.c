// SPDX-License-Identifier: GPL-2.0-or-later
/* mixed FILE THREADS READS: each thread makes READS reads of the first 4096 bytes of FILE. After
 * each read, the thread writes to its own pipe and reads from the pipe. */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static const char *path;
static long reads;

static void *work(void *unused)
{
	int fd = open(path, O_RDONLY), pipes[2];
	char bytes[4096];

	if (fd < 0 || pipe(pipes))
		err(1, "%s", path);
	for (long i = 0; i < reads; i++)
		if (read(fd, bytes, 4096) != 4096 || lseek(fd, 0, SEEK_SET) ||
		    write(pipes[1], "xyz", 3) != 3 || read(pipes[0], bytes, 100) != 3)
			err(1, "%s", path);
	return NULL;
}

int main(int argc, char **argv)
{
	int n = argc == 4 ? atoi(argv[2]) : 0;
	pthread_t *threads = calloc(n, sizeof(*threads));

	if (!n || !threads)
		errx(1, "usage: mixed FILE THREADS READS");
	path = argv[1];
	reads = atol(argv[3]);
	for (int i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, work, NULL))
			errx(1, "no thread");
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
