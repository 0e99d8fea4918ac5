// SPDX-License-Identifier: GPL-2.0-or-later
/* maps FILE: maps FILE, which has no pages in memory, and touches every other page. Prints the
 * number of major faults, which read a page, as getrusage() counts them:
 *
 *   {"read": [faults, bytes, 0], "write": [0, 0, 0], "sync": [0, 0, 0]} */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	long page = sysconf(_SC_PAGESIZE), faults;
	struct rusage before, after;
	volatile char *map;
	struct stat st;
	int fd;

	if (argc != 2)
		errx(2, "usage: maps FILE");
	fd = open(argv[1], O_RDONLY);
	if (fd < 0 || fstat(fd, &st))
		err(1, "%s", argv[1]);
	map = mmap(NULL, st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED || madvise((void *)map, st.st_size, MADV_RANDOM))
		err(1, "mmap");
	getrusage(RUSAGE_SELF, &before);
	for (off_t at = 0; at < st.st_size; at += 2 * page)
		(void)map[at];
	getrusage(RUSAGE_SELF, &after);
	faults = after.ru_majflt - before.ru_majflt;
	if (!faults)
		errx(1, "nothing was read");
	printf("{\"read\": [%ld, %ld, 0], \"write\": [0, 0, 0], \"sync\": [0, 0, 0]}\n", faults,
	       faults * page);
	return 0;
}
