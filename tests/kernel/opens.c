// SPDX-License-Identifier: GPL-2.0-or-later
/* opens DIRECTORY: makes every system call that opens or closes a file, also failing ones. In
 * DIRECTORY, the file "old" exists and "new" does not. Prints the events that iospan must record:
 *
 *   {"open": calls, "create": calls, "close": calls} */
#include <err.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { OPEN, CREATE, CLOSE, OPS };
static long seen[OPS];

static void add(int op, int fd)
{
	if (fd < 0)
		err(1, "open");
	seen[op]++;
	if (close(fd))
		err(1, "close");
	seen[CLOSE]++;
}

static void each_call(void)
{
	struct open_how how = { .flags = O_RDONLY };
	const int make = O_CREAT | O_WRONLY;

	for (int i = 0; i < 7; i++)
		add(OPEN, syscall(SYS_openat, AT_FDCWD, "old", O_RDONLY));
	add(OPEN, syscall(SYS_openat2, AT_FDCWD, "old", &how, sizeof(how)));
	add(OPEN, syscall(SYS_openat, AT_FDCWD, "old", make, 0600));
	add(CREATE, syscall(SYS_openat, AT_FDCWD, "new", make | O_EXCL, 0600));
	add(OPEN, syscall(SYS_openat, AT_FDCWD, "new", make | O_TRUNC, 0600));
	how = (struct open_how){ .flags = make | O_EXCL, .mode = 0600 };
	add(CREATE, syscall(SYS_openat2, AT_FDCWD, "new2", &how, sizeof(how)));
#ifdef SYS_open
	add(OPEN, syscall(SYS_open, "old", O_RDWR));
	add(CREATE, syscall(SYS_creat, "new3", 0600));
	add(OPEN, syscall(SYS_creat, "new3", 0600));
#endif
}

/* Makes calls that must not count, for instance on missing paths. Also opens two files, and these
 * opens must count. Later, dup2() closes one of the files, and the end of the process the other. */
static void none(void)
{
	int pipes[2], fd;

	if (mkfifo("fifo", 0600) || pipe(pipes))
		err(1, "fifo");
	for (int i = 0; i < 5; i++)
		if (open("nowhere", O_RDONLY) >= 0 || open("old", O_CREAT | O_EXCL, 0600) >= 0)
			err(1, "it opens");
	close(open(".", O_RDONLY | O_DIRECTORY));
	close(open("fifo", O_RDWR));
	close(open("/dev/null", O_RDWR));
	close(pipes[0]);
	close(-1);
	fd = open("old", O_RDONLY);
	seen[OPEN]++;
	if (dup2(pipes[1], fd) != fd)
		err(1, "dup2");
	/* stays open until the process ends */
	if (open("old", O_RDONLY) < 0)
		err(1, "open");
	seen[OPEN]++;
}

int main(int argc, char **argv)
{
	if (argc != 2 || chdir(argv[1]))
		errx(1, "usage: opens DIRECTORY");
	each_call();
	none();
	printf("{\"open\": %ld, \"create\": %ld, \"close\": %ld}\n", seen[OPEN], seen[CREATE],
	       seen[CLOSE]);
	return 0;
}
