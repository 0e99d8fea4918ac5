// SPDX-License-Identifier: GPL-2.0-or-later
/* run-closes FILE RECORDS [again]: closes all descriptors but 0 to 2, as daemons do, and writes
 * RECORDS times 512 bytes to FILE. With "again", it executes itself after the closing, and the new
 * program does the same. */
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
