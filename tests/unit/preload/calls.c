// SPDX-License-Identifier: GPL-2.0-or-later
/* A program that makes I/O calls of known number and size. The preloaded library (libiospan.so)
 * counts these calls. The argument selects the calls. The test preload.c runs this program, and
 * compares its calls with the library's counters. */
#include <aio.h>
#include <dlfcn.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include "tests/unit/preload/preloaded.h"

static char buf[4096];

static void posix(void)
{
	int fd = file_of("file", 4096);
	struct iovec iov[2] = { { buf, 60 }, { buf + 60, 40 } };
	struct iovec out[2] = { { buf, 3 }, { buf + 60, 7 } };

	CHECK(read(fd, buf, 100) == 100);
	CHECK(pread(fd, buf, 100, 0) == 100);
	CHECK(pread64(fd, buf, 100, 0) == 100);
	CHECK(readv(fd, iov, 2) == 100);
	CHECK(preadv(fd, iov, 2, 0) == 100);
	CHECK(preadv64(fd, iov, 2, 0) == 100);
	CHECK(preadv2(fd, iov, 2, 0, 0) == 100);
	CHECK(preadv64v2(fd, iov, 2, 0, 0) == 100);
	CHECK(write(fd, buf, 10) == 10);
	CHECK(pwrite(fd, buf, 10, 0) == 10);
	CHECK(pwrite64(fd, buf, 10, 0) == 10);
	CHECK(writev(fd, out, 2) == 10);
	CHECK(pwritev(fd, out, 2, 0) == 10);
	CHECK(pwritev64(fd, out, 2, 0) == 10);
	CHECK(pwritev2(fd, out, 2, 0, 0) == 10);
	CHECK(pwritev64v2(fd, out, 2, 0, 0) == 10);
}

ssize_t __read_chk(int fd, void *buf, size_t n, size_t size);
ssize_t __pread_chk(int fd, void *buf, size_t n, off_t at, size_t size);
ssize_t __pread64_chk(int fd, void *buf, size_t n, off64_t at, size_t size);
size_t __fread_chk(void *buf, size_t room, size_t size, size_t n, FILE *fp);
char *__fgets_chk(char *buf, size_t room, int n, FILE *fp);
int __fprintf_chk(FILE *fp, int flag, const char *fmt, ...);

/* Makes calls as a program with _FORTIFY_SOURCE does, such as __read_chk(): 3 reads of 100 bytes,
 * one of 20 and one of 5, and a write of 5 bytes. */
static void fortified(void)
{
	int fd = file_of("file", 200);
	FILE *fp = fopen("text", "w+");

	CHECK(__read_chk(fd, buf, 100, sizeof(buf)) == 100);
	CHECK(__pread_chk(fd, buf, 100, 0, sizeof(buf)) == 100);
	CHECK(__pread64_chk(fd, buf, 100, 0, sizeof(buf)) == 100);
	CHECK(fp && __fprintf_chk(fp, 1, "%s\n", "four") == 5);
	rewind(fp);
	CHECK(__fgets_chk(buf, sizeof(buf), 100, fp) == buf);
	fclose(fp);
	fp = fdopen(fd, "r");
	CHECK(fp && fseek(fp, 0, SEEK_SET) == 0);
	CHECK(__fread_chk(buf, sizeof(buf), 4, 5, fp) == 5);
}

/* Writes and reads small records through a stdio stream: 1000 + 6 writes and 1000 + 6 reads. */
static void stdio(void)
{
	FILE *fp = fopen("records", "w+");
	/* calls the function fputc_unlocked(), because the library does not see the macro of this
	 * name */
	int (*volatile put)(int, FILE *) = fputc_unlocked;
	char *line = NULL;
	size_t room = 0;
	int a, b;

	CHECK(fp != NULL);
	for (int i = 0; i < 1000; i++)
		CHECK(fwrite(buf, 7, 3, fp) == 3);
	CHECK(fputs("line\n", fp) >= 0);
	CHECK(fputc('x', fp) == 'x' && putc('y', fp) == 'y');
	CHECK(put('\n', fp) == '\n');
	CHECK(fprintf(fp, "%d %d\n", 12, 34) == 6);
	CHECK(dprintf(fileno(fp), "%s", "") == 0);
	rewind(fp);
	for (int i = 0; i < 1000; i++)
		CHECK(fread(buf, 7, 3, fp) == 3);
	CHECK(fgets(buf, sizeof(buf), fp) && !strcmp(buf, "line\n"));
	CHECK(fgetc(fp) == 'x');
	CHECK(ungetc('x', fp) == 'x' && getc(fp) == 'x');
	CHECK(getline(&line, &room, fp) == 2);
	CHECK(fscanf(fp, "%d %d\n", &a, &b) == 2 && a == 12 && b == 34);
	CHECK(fgetc(fp) == EOF && feof(fp));
	free(line);
	CHECK(fclose(fp) == 0);
}

static void standard_output(void)
{
	CHECK(freopen("stdout", "w", stdout) == stdout);
	CHECK(putchar('x') == 'x');
	CHECK(puts("line") >= 0);
	CHECK(printf("%d", 123) == 3);
}

static void errors(void)
{
	int fd = file_of("file", 10), only = open("file", O_WRONLY);
	struct rlimit small = { 1000, 1000 };
	struct iovec iov[2] = { { buf, 70 }, { buf, 30 } }, *volatile nowhere = (void *)8;
	FILE *fp;

	/* for a short read, the library counts the 10 bytes returned */
	CHECK(read(fd, buf, 100) == 10);
	/* for a read at the end of the file, the library counts 0 bytes */
	CHECK(read(fd, buf, 100) == 0);
	/* for a failed read, the library counts the 100 bytes requested */
	CHECK(read(only, buf, 100) < 0);
	/* this read fails before the kernel reads the array of sizes, so the library counts 0
	 * bytes */
	CHECK(readv(only, iov, 2) < 0);
	/* for a failed read, the library counts the 100 bytes requested */
	CHECK(preadv2(fd, iov, 2, 0, ~0) < 0);
	/* the kernel cannot read the array of sizes, so the library counts 0 bytes */
	CHECK(readv(fd, nowhere, 2) < 0 && errno == EFAULT);
	fp = fdopen(only, "w");
	CHECK(fp && fgetc(fp) == EOF && ferror(fp)); /* the library counts 1 byte */
	CHECK(read(-1, buf, 100) < 0 && read(1000, buf, 100) < 0);
	CHECK(fsync(1000) < 0);
	signal(SIGXFSZ, SIG_IGN);
	CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
	/* the library counts 200 bytes for the failed write, and 100 bytes for the short write */
	CHECK(pwrite(fd, buf, 200, 1000) < 0 && errno == EFBIG);
	CHECK(pwrite(fd, buf, 200, 900) == 100);
}

/* The failed write sets the error flag of the stream, so later calls find it set. The library must
 * not count the 4 reads (10 bytes, and then the end of the file) as failed. */
static void flag_stays(void)
{
	FILE *fp;
	int n;

	file_of("ten", 10);
	fp = fopen("ten", "r");
	CHECK(fp && fputc('x', fp) == EOF && ferror(fp));
	CHECK(fread(buf, 1, 100, fp) == 10 && fgetc(fp) == EOF);
	CHECK(!fgets(buf, 100, fp) && fscanf(fp, "%d", &n) == EOF);
}

/* Makes a read of 2 bytes by a function that only the newest C libraries have. */
static void newest_scanf(void)
{
	int (*scan)(FILE *, const char *, ...) = dlsym(RTLD_DEFAULT, "__isoc23_fscanf");
	int fd = file_of("number", 0), n = 0;

	CHECK(syscall(SYS_write, fd, "42", 2) == 2);
	CHECK(scan && scan(fopen("number", "r"), "%d", &n) == 1 && n == 42);
}

/* The library makes system calls of its own: to register the thread at its first call, and to ask
 * what kind of file a descriptor refers to. These system calls must not change errno. */
static void errno_stays(void)
{
	int fd;
	FILE *memory = fmemopen(buf, sizeof(buf), "r+");

	fd = file_of("file", 4096);
	errno = 4711;
	CHECK(read(fd, buf, 1) == 1 && errno == 4711);
	CHECK(fgetc(memory) == 0 && errno == 4711);
	CHECK(close(fd) == 0 && errno == 4711);
	CHECK(read(fd, buf, 1) < 0 && errno == EBADF);
}

static void not_files(void)
{
	int pair[2], null = open("/dev/null", O_RDWR), dir = open(".", O_RDONLY);
	FILE *proc = fopen("/proc/self/stat", "r");

	CHECK(pipe(pair) == 0);
	CHECK(write(pair[1], buf, 10) == 10 && read(pair[0], buf, 10) == 10);
	CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
	CHECK(write(pair[1], buf, 10) == 10 && read(pair[0], buf, 10) == 10);
	CHECK(write(null, buf, 10) == 10 && read(null, buf, 10) == 0);
	CHECK(read(dir, buf, 10) < 0 && errno == EISDIR);
	CHECK(fsync(null) < 0 && fsync(open("/proc", O_RDONLY)) < 0);
	CHECK(proc && fgetc(proc) != EOF && read(fileno(proc), buf, 10) >= 0);
	CHECK(memfd_create("counts", 0) >= 0);
}

/* Makes 3 reads and 2 writes that fail before the kernel reads the array of buffers, for instance
 * because the descriptor is only for writing. */
static void arrays_at_no_address(void)
{
	int fd = file_of("file", 4096), in = open("file", O_RDONLY), out = open("file", O_WRONLY);
	struct iovec *volatile nowhere = (void *)8;

	CHECK(readv(out, nowhere, 1) < 0 && preadv(fd, nowhere, 1, -1) < 0);
	CHECK(preadv2(fd, nowhere, 1, -5, 0) < 0 && errno == EINVAL);
	CHECK(writev(in, nowhere, 1) < 0 && pwritev(fd, nowhere, 2, -1) < 0);
}

/* Copies 64 + 32 bytes from file to file. Also copies 16 bytes from a file to a pipe, which the
 * library counts as a read, and 8 bytes from the pipe to a file, which it counts as a write. */
static void copies(void)
{
	int from = file_of("from", 4096), to = file_of("to", 0), pair[2];

	CHECK(copy_file_range(from, NULL, to, NULL, 64, 0) == 64);
	CHECK(sendfile(to, from, NULL, 32) == 32);
	CHECK(pipe(pair) == 0);
	CHECK(splice(from, NULL, pair[1], NULL, 16, 0) == 16);
	CHECK(splice(pair[0], NULL, to, NULL, 8, 0) == 8);
}

/* The library counts 9 syncs: 4 on a file and its mapping, 4 on a directory, and an msync() that
 * fails because its address is not aligned. It does not count the syncs with an invalid
 * descriptor. */
static void syncs(void)
{
	int fd = file_of("file", 4096), dir = open(".", O_RDONLY);
	char *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	CHECK(p != MAP_FAILED);
	CHECK(fsync(fd) == 0 && fdatasync(fd) == 0);
	CHECK(sync_file_range(fd, 0, 4096, SYNC_FILE_RANGE_WRITE) == 0);
	CHECK(msync(p, 4096, MS_SYNC) == 0);
	CHECK(msync(p + 1, 4096, MS_SYNC) < 0);
	CHECK(fsync(dir) == 0 && fdatasync(dir) == 0);
	CHECK(sync_file_range(dir, 0, 0, SYNC_FILE_RANGE_WRITE) == 0);
	CHECK(syncfs(dir) == 0 && syncfs(1000) < 0);
}

static void async(void)
{
	struct aiocb cb = { .aio_buf = buf, .aio_nbytes = 100 }, *list[] = { &cb };

	cb.aio_fildes = file_of("file", 4096);
	CHECK(aio_read(&cb) == 0);
	CHECK(aio_suspend((const struct aiocb **)list, 1, NULL) == 0);
	CHECK(aio_return(&cb) == 100);
}

/* Loads libraries in four ways. dlmopen() and RTLD_DEEPBIND each load a library that bypasses the
 * preloaded library. A plain dlopen() loads a library that the preloaded library sees. The last
 * dlopen() loads nothing, because of RTLD_NOLOAD. */
static void loads(void)
{
	void *own = dlmopen(LM_ID_NEWLM, "libm.so.6", RTLD_NOW);

	CHECK(own && dlopen("libm.so.6", RTLD_NOW));
	CHECK(dlopen("libz.so.1", RTLD_NOW | RTLD_DEEPBIND));
	CHECK(dlopen("libz.so.1", RTLD_NOW | RTLD_DEEPBIND | RTLD_NOLOAD));
	CHECK(write(file_of("file", 10), buf, 10) == 10);
}

static void one(void)
{
	CHECK(read(file_of("file", 4096), buf, 100) == 100);
}

/* Makes a read before any constructor runs. In the mode "early", the variable environ is set before
 * the read. In the mode "earliest", it is not set yet. */
static void too_early(int argc, char **argv, char **envp)
{
	if (argc != 2 || strncmp(argv[1], "earl", 4))
		return;
	if (!strcmp(argv[1], "early"))
		environ = envp;
	one();
}
__attribute__((section(".preinit_array"), used)) static void (*before_all)(int, char **,
									   char **) = too_early;

static void early(void)
{
}

static const struct mode modes[] = { { "posix", posix },
				     { "fortified", fortified },
				     { "stdio", stdio },
				     { "stdout", standard_output },
				     { "errors", errors },
				     { "errno", errno_stays },
				     { "not-files", not_files },
				     { "flag", flag_stays },
				     { "newest-scanf", newest_scanf },
				     { "copies", copies },
				     { "syncs", syncs },
				     { "async", async },
				     { "one", one },
				     { "early", early },
				     { "earliest", one },
				     { "loads", loads },
				     { "no-address", arrays_at_no_address },
				     { NULL, NULL } };

int main(int argc, char **argv)
{
	return run_mode(modes, argc, argv);
}
