// SPDX-License-Identifier: GPL-2.0-or-later
/* stdio FILE: writes and reads small records through stdio. Prints the calls to stdio, and the
 * system calls for its buffer, which the kernel counts in /proc/self/io:
 *
 *   {"calls": [READS, WRITES], "bytes": [READ, WRITTEN], "buffers": [READS, WRITES]} */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RECORD 100
#define RECORDS 4999 /* records of RECORD bytes; a prime number, so no other count is equal */
#define FORMATTED 101

struct count {
	unsigned long reads, writes;
};

/* Returns the reads and writes of this process so far, without those of this function. */
static struct count system_calls(void)
{
	static unsigned long asked;
	char text[512] = {};
	struct count c;
	int fd = open("/proc/self/io", O_RDONLY);
	char *at;

	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
		err(1, "/proc/self/io");
	close(fd);
	at = strstr(text, "syscr: ");
	if (!at || sscanf(at, "syscr: %lu syscw: %lu", &c.reads, &c.writes) != 2)
		errx(1, "/proc/self/io is not as expected");
	c.reads -= asked++;
	return c;
}

static void write_records(const char *path, unsigned long *calls, unsigned long *bytes)
{
	FILE *f = fopen(path, "w");
	char record[RECORD];

	if (!f)
		err(1, "%s", path);
	memset(record, 'x', sizeof(record));
	for (int i = 0; i < RECORDS; i++)
		if (fwrite(record, 1, RECORD, f) == RECORD)
			++*calls, *bytes += RECORD;
	for (int i = 0; i < FORMATTED; i++, ++*calls)
		*bytes += fprintf(f, "%d\n", i);
	if (fclose(f))
		err(1, "%s", path);
}

static void read_records(const char *path, unsigned long *calls, unsigned long *bytes)
{
	FILE *f = fopen(path, "r");
	char record[RECORD];

	if (!f)
		err(1, "%s", path);
	for (int i = 0; i < RECORDS; i++, ++*calls)
		*bytes += fread(record, 1, RECORD, f);
	while (fgets(record, sizeof(record), f))
		++*calls, *bytes += strlen(record);
	++*calls; /* the last fgets(), which found the end of the file */
	fclose(f);
}

int main(int argc, char **argv)
{
	unsigned long calls[2] = {}, bytes[2] = {};
	struct count before, between, after;

	if (argc != 2)
		errx(2, "usage: stdio FILE");
	before = system_calls();
	write_records(argv[1], &calls[1], &bytes[1]);
	between = system_calls();
	read_records(argv[1], &calls[0], &bytes[0]);
	after = system_calls();
	printf("{\"calls\": [%lu, %lu], \"bytes\": [%lu, %lu], \"buffers\": [%lu, %lu]}\n",
	       calls[0], calls[1], bytes[0], bytes[1], after.reads - between.reads,
	       between.writes - before.writes);
	return 0;
}
