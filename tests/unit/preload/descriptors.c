// SPDX-License-Identifier: GPL-2.0-or-later
/* Opens files, pipes and others under the same descriptor number, one after the other. The
 * preloaded library (libiospan.so) remembers what kind of file each number refers to. preload.c
 * checks that the library counts only calls on files. */
#include <dirent.h>
#include <pty.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include "tests/unit/preload/preloaded.h"

static char buf[4096];

/* Opens a file by a bare system call, which the library does not see, and writes @n bytes to it. */
static void write_unwatched(int fd, size_t n)
{
	CHECK(bare_call(SYS_memfd_create, (long)"file", 0, 0) == fd &&
	      write(fd, buf, n) == (ssize_t)n);
}

/* Uses the same descriptor number for a file, a pipe, a file ... in turn. The library must count
 * the writes to files (1, 2, 4 ... 128 bytes), but not the writes to pipes (1024 bytes). */
static void reuse(void)
{
	int fd = file_of("file", 4096), pair[2], saved;
	FILE *fp;
	DIR *dir;

	CHECK(write(fd, buf, 1) == 1);
	CHECK(close(fd) == 0 && pipe(pair) == 0 && (pair[0] == fd || pair[1] == fd));
	CHECK(write(pair[1], buf, 1024) == 1024);
	CHECK(close(pair[0]) == 0 && close(pair[1]) == 0);
	CHECK(file_of("file", 4096) == fd && write(fd, buf, 2) == 2);

	CHECK(pipe(pair) == 0 && (saved = dup(fd)) >= 0);
	CHECK(dup2(pair[1], fd) == fd && write(fd, buf, 1024) == 1024);
	CHECK(dup2(saved, fd) == fd && write(fd, buf, 4) == 4);

	CHECK(close_range(fd, ~0u, 0) == 0);
	CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
	CHECK(pair[0] == fd && write(fd, buf, 1024) == 1024);
	closefrom(fd);
	fp = fopen("file", "w");
	CHECK(fp && fileno(fp) == fd && fwrite(buf, 8, 1, fp) == 1);

	CHECK(fclose(fp) == 0 && (dir = opendir(".")) && dirfd(dir) == fd);
	CHECK(fsync(fd) == 0 && closedir(dir) == 0);
	write_unwatched(fd, 16);

	CHECK(close(fd) == 0 && pipe(pair) == 0 && write(pair[1], buf, 1024) == 1024);
	CHECK(read(pair[0], buf, 1024) == 1024 && close(pair[0]) == 0);
	closefrom(pair[1]);
	write_unwatched(pair[0], 32);
	write_unwatched(pair[1], 64);
	closefrom(fd);
	CHECK(pipe(pair) == 0 && (fp = fdopen(pair[1], "w")) && fputs("x", fp) >= 0);
	CHECK(fclose(fp) == 0);
	write_unwatched(pair[1], 128);
}

struct renumbering {
	int from, to;
};

/* Runs in a child. Lets a descriptor number refer to another file, and writes 10 bytes to it. */
static int renumber_and_write(void *arg)
{
	const struct renumbering *r = arg;

	dup2(r->from, r->to);
	return write(r->to, buf, 10) != 10;
}

static void vfork_renumbers(int from, int to)
{
	struct renumbering r = { from, to };
	int status;
	pid_t child = vfork();

	if (child == 0)
		_exit(renumber_and_write(&r));
	CHECK(waitpid(child, &status, 0) == child && status == 0);
}

static void clone_renumbers(int from, int to)
{
	static char stack[65536] __attribute__((aligned(16)));
	struct renumbering r = { from, to };
	int status;
	pid_t child = clone(renumber_and_write, stack + sizeof(stack),
			    CLONE_VM | CLONE_VFORK | SIGCHLD, &r);

	CHECK(waitpid(child, &status, 0) == child && status == 0);
}

/* A child of vfork() shares the memory of its parent, but not the descriptors. Each of 4 children
 * makes a descriptor refer to another file, and writes 10 bytes to it. Only 2 of these files are
 * regular, so the library must count only 2 of these 4 writes. It must also count 5 writes of the
 * parent. */
static void vforks_that_write(void)
{
	int fd = file_of("file", 4096), pair[2];

	CHECK(pipe(pair) == 0);
	vfork_renumbers(pair[1], fd);
	CHECK(write(fd, buf, 10) == 10 && write(pair[1], buf, 10) == 10);
	vfork_renumbers(fd, pair[1]);
	CHECK(write(fd, buf, 10) == 10 && write(pair[1], buf, 10) == 10);
	clone_renumbers(pair[1], fd);
	CHECK(write(fd, buf, 10) == 10 && write(pair[1], buf, 10) == 10);
	clone_renumbers(fd, pair[1]);
	CHECK(write(fd, buf, 10) == 10 && write(pair[1], buf, 10) == 10);
	CHECK(write(fd, buf, 10) == 10);
}

/* The child changes only its own descriptors. So the library must count the parent's 2 writes of 10
 * bytes to the file, but not its 2 writes to the pipe. */
static void vforks(void)
{
	int fd = file_of("file", 4096), pair[2];
	pid_t child;

	CHECK(pipe(pair) == 0);
	CHECK(write(fd, buf, 10) == 10 && write(pair[1], buf, 10) == 10);
	child = vfork();
	if (child == 0) {
		dup2(pair[1], fd);
		_exit(0);
	}
	CHECK(waitpid(child, NULL, 0) == child && write(fd, buf, 10) == 10);
	child = vfork();
	if (child == 0) {
		dup2(fd, pair[1]);
		_exit(0);
	}
	CHECK(waitpid(child, NULL, 0) == child && write(pair[1], buf, 10) == 10);
}

/* Returns a free descriptor number. The library takes it for an eventfd, because the library did
 * not see the close. */
static int lost_number(void)
{
	int fd = eventfd(0, 0);

	CHECK(fd >= 0 && write(fd, "\1\0\0\0\0\0\0", 8) == 8);
	CHECK(bare_call(SYS_close, fd, 0, 0) == 0);
	return fd;
}

static void write_and_close(int opened, int expected)
{
	CHECK(opened == expected && write(opened, buf, 10) == 10 && close(opened) == 0);
}

static int receive(int sent)
{
	char room[CMSG_SPACE(sizeof(int))] = { 0 }, byte = 0;
	struct iovec iov = { &byte, 1 };
	struct msghdr m = { .msg_iov = &iov,
			    .msg_iovlen = 1,
			    .msg_control = room,
			    .msg_controllen = sizeof(room) };
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);
	int pair[2], expected;

	*c = (struct cmsghdr){ .cmsg_level = SOL_SOCKET,
			       .cmsg_type = SCM_RIGHTS,
			       .cmsg_len = CMSG_LEN(sizeof(int)) };
	*(int *)CMSG_DATA(c) = sent;
	CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 && sendmsg(pair[0], &m, 0) == 1);
	expected = lost_number();
	CHECK(recvmsg(pair[1], &m, 0) == 1 && *(int *)CMSG_DATA(c) == expected);
	close(pair[0]);
	close(pair[1]);
	return expected;
}

/* Makes 12 writes of 10 bytes to files. Each file gets a descriptor number that the library takes
 * for an eventfd. */
static void opened_again(void)
{
	int file = file_of("file", 4096), n = lost_number();
	char path[] = "a-XXXXXX", other[] = "b-XXXXXX", suffixed[] = "XXXXXX.c";
	FILE *fp;

	write_and_close(mkstemp(path), n);
	n = lost_number();
	write_and_close(mkostemp(other, O_CLOEXEC), n);
	n = lost_number();
	write_and_close(mkstemps(suffixed, 2), n);
	n = lost_number();
	write_and_close(memfd_create("memory", 0), n);
	n = lost_number();
	write_and_close(fcntl(file, F_DUPFD, n), n);
	n = lost_number();
	write_and_close(fcntl(file, F_DUPFD_CLOEXEC, n), n);
	n = lost_number();
	write_and_close(syscall(SYS_dup, file), n);
	n = lost_number();
	write_and_close(syscall(SYS_openat, AT_FDCWD, "file", O_WRONLY), n);
	n = receive(file);
	write_and_close(n, n);
	n = lost_number();
	fp = tmpfile();
	CHECK(fp && fileno(fp) == n && fwrite(buf, 10, 1, fp) == 1 && fclose(fp) == 0);

	/* the library sees these two closes, but not the open calls that follow */
	n = eventfd(0, 0);
	CHECK(write(n, "\1\0\0\0\0\0\0", 8) == 8 && syscall(SYS_close, n) == 0);
	write_unwatched(n, 10);
	n = eventfd(0, 0);
	CHECK(write(n, "\1\0\0\0\0\0\0", 8) == 8 && syscall(SYS_close_range, n, n, 0) == 0);
	write_unwatched(n, 10);
}

/* Uses the same descriptor number for a file and an eventfd in turn. The library must count only
 * the 2 writes of 10 bytes to the file. */
static void opened_otherwise(void)
{
	int n = file_of("file", 4096);

	CHECK(write(n, buf, 10) == 10 && bare_call(SYS_close, n, 0, 0) == 0);
	CHECK(eventfd(0, 0) == n && write(n, "\1\0\0\0\0\0\0", 8) == 8 && close(n) == 0);
	CHECK(file_of("file", 4096) == n && write(n, buf, 10) == 10);
	CHECK(bare_call(SYS_close, n, 0, 0) == 0 && syscall(SYS_eventfd2, 0, 0) == n);
	CHECK(write(n, "\1\0\0\0\0\0\0", 8) == 8);
}

/* In the parent, standard output is a file, so the library counts the write of 10 bytes. In the
 * child, forkpty() has made standard output a terminal, so the library does not count the write. */
static void terminal(void)
{
	int master;
	pid_t child;

	CHECK(dup2(file_of("file", 0), STDOUT_FILENO) == STDOUT_FILENO);
	CHECK(write(STDOUT_FILENO, buf, 10) == 10);
	child = forkpty(&master, NULL, NULL, NULL);
	if (child == 0)
		_exit(write(STDOUT_FILENO, buf, 10) != 10);
	CHECK(child > 0 && waitpid(child, NULL, 0) == child);
}

static const struct mode modes[] = { { "reuse", reuse },
				     { "vforks", vforks },
				     { "vforks-that-write", vforks_that_write },
				     { "opened-again", opened_again },
				     { "opened-otherwise", opened_otherwise },
				     { "terminal", terminal },
				     { NULL, NULL } };

int main(int argc, char **argv)
{
	return run_mode(modes, argc, argv);
}
