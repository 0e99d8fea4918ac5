// SPDX-License-Identifier: GPL-2.0-or-later
/* Passes one target through the guard, which checks that a benchmark may use the target:
 *
 *   guard-driver [OPTION...] TARGET [SECONDS]
 *
 * Prints the opened target as JSON, or the error. With -w, the driver first writes 'X' over the
 * first 4 KiB of the target. With SECONDS, it keeps the target open for this time. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "bench/guard/guard.h"
#include "user/base/num.h"

static void plant(int at, const char *path)
{
	const char *file = getenv("PLANT");

	if (file && linkat(at, file, at, path, 0))
		abort();
	unsetenv("PLANT");
}

/* Replaces openat() of libc. Environment variables make it behave differently:
 * NO_TMPFILE: O_TMPFILE is not supported.
 * STEAL=FILE: after the guard has created a file, another user renames the new file, and makes a
 * hard link to FILE under its name.
 * PLANT=FILE: before the guard creates a file, another user makes a hard link to FILE there. */
int openat(int at, const char *path, int flags, ...)
{
	va_list ap;
	int mode, fd;

	va_start(ap, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, int) : 0;
	va_end(ap);
	if ((flags & O_TMPFILE) == O_TMPFILE && getenv("NO_TMPFILE")) {
		errno = EOPNOTSUPP;
		return -1;
	}
	if (flags & O_CREAT)
		plant(at, path);
	fd = syscall(SYS_openat, at, path, flags, mode);
	if (fd >= 0 && flags & O_CREAT && getenv("STEAL") &&
	    (renameat(at, path, at, "stolen") || linkat(at, getenv("STEAL"), at, path, 0)))
		abort();
	return fd;
}

/* Replaces fstat() of libc. If the environment has RENAME=FROM:TO, the first call of fstat()
 * renames FROM to TO. */
int fstat(int fd, struct stat *st)
{
	char *from = getenv("RENAME"), *to = from ? strchr(from, ':') : NULL;

	if (to) {
		*to++ = '\0';
		if (rename(from, to))
			abort();
		unsetenv("RENAME");
	}
	return syscall(SYS_newfstatat, fd, "", st, AT_EMPTY_PATH);
}

static void print(const struct guard *g)
{
	static const char *const kinds[] = { "directory", "file", "device" };
	int flags = fcntl(g->fd, F_GETFL);
	struct stat st;

	fstat(g->fd, &st);
	printf("{\"kind\": \"%s\", \"bytes\": %llu, \"writable\": %s, \"direct\": %s, "
	       "\"links\": %u}\n",
	       kinds[g->kind], (unsigned long long)g->bytes,
	       (flags & O_ACCMODE) == O_RDWR ? "true" : "false",
	       flags & O_DIRECT ? "true" : "false", (unsigned)st.st_nlink);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	static char block[4096] __attribute__((aligned(4096)));
	struct guard_options o = { .write = false };
	struct host host = this_host;
	struct guard g;
	int c;

	while ((c = getopt(argc, argv, "wdon:s:S:P:")) != -1) {
		switch (c) {
		case 'w':
			o.write = true;
			break;
		case 'd':
			o.destroy = true;
			break;
		case 'o':
			o.direct = true;
			break;
		case 'n':
			if (num_size(optarg, &o.bytes))
				return 2;
			break;
		case 's':
			o.signature = optarg;
			break;
		case 'S':
			host.sys = optarg;
			break;
		case 'P':
			host.proc = optarg;
			break;
		default:
			return 2;
		}
	}
	o.host = &host;
	if (optind == argc || guard_open(argv[optind], &o, &g))
		return 1;
	memset(block, 'X', sizeof(block));
	if (o.write && pwrite(g.fd, block, sizeof(block), 0) != sizeof(block))
		perror("guard-driver");
	print(&g);
	if (optind + 1 < argc)
		sleep(atoi(argv[optind + 1]));
	guard_close(&g);
	return 0;
}
