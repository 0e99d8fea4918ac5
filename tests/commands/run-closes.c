// SPDX-License-Identifier: GPL-2.0-or-later
/* Closes all descriptors but three, as daemons do, and writes RECORDS of 512 bytes to FILE. A third
 * argument: executes itself again and writes in the new program. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	static const char record[512];
	int fd;

	if (argc < 3)
		return 2;
	closefrom(3);
	if (argc > 3) {
		argv[3] = NULL;
		execv("/proc/self/exe", argv);
		return 1;
	}
	fd = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd != 3)
		return 3;
	for (int i = atoi(argv[2]); i > 0; i--)
		if (write(fd, record, sizeof(record)) != sizeof(record))
			return 1;
	return close(fd) != 0;
}
