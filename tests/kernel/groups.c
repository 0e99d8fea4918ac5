// SPDX-License-Identifier: GPL-2.0-or-later
/* Creates and removes cgroups and reads from them, in the steps that the arguments name:
 *
 *	groups TREE KEY DISK STEP...
 *
 * TREE is the mount point of a cgroup hierarchy. KEY is the text before the path in the line of
 * this hierarchy in /proc/self/cgroup, such as "0::" or ":blkio:". A cgroup G is a path relative to
 * the cgroup of this process; "." is the cgroup of this process. The steps are:
 *
 *	mkdir=G rmdir=G enter=G
 *	io=G		enables the io controller for the cgroups below G
 *	size=N		sets the largest size of the following reads, in KiB; 32 by default
 *	read=N		starts N reads
 *	flying		prints the number of reads in flight
 *	wait		waits until no read is in flight
 *	job=G:N:DEPTH	N reads by another process in G, with a pause after each DEPTH of them
 *	join		waits for the jobs
 *	many=N		2 reads from each of N new cgroups
 *	stat=G		prints G and its io.stat in one line
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define READ_MAX (1 << 20)
#define FLYING_MAX 512
#define REGION (32 << 20) /* size of the part of the disk that one process reads, in bytes */
#define PAUSE_US 300

struct reader {
	const char *disk;
	aio_context_t ring;
	int fd, size, flying, jobs;
	long long first, /* offset of this process's part of the disk, in bytes */
		done;	 /* the next read is at the offset first + done % REGION */
	void *buffer;
};

static void start(struct reader *r, const char *disk, int job)
{
	*r = (struct reader){ .disk = disk, .first = (long long)job * REGION, .size = 32 << 10 };
	r->fd = open(disk, O_RDONLY | O_DIRECT);
	r->buffer =
		mmap(NULL, READ_MAX, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (r->fd < 0 || syscall(SYS_io_setup, FLYING_MAX, &r->ring))
		err(1, "%s", disk);
}

static void submit(struct reader *r, int n)
{
	for (int i = 0; i < n; i++) {
		struct iocb cb = { .aio_lio_opcode = IOCB_CMD_PREAD, .aio_fildes = r->fd };
		struct iocb *list[] = { &cb };

		cb.aio_buf = (unsigned long)r->buffer;
		cb.aio_nbytes = r->size >> i % 4;
		cb.aio_offset = r->first + r->done % REGION;
		/* a gap keeps the kernel from merging this read with the next one */
		r->done += 2 * r->size;
		if (syscall(SYS_io_submit, r->ring, 1, list) != 1)
			err(1, "io_submit");
	}
	r->flying += n;
}

static void reap(struct reader *r, int at_least)
{
	static struct io_event events[FLYING_MAX];
	int n = syscall(SYS_io_getevents, r->ring, at_least, FLYING_MAX, events, NULL);

	if (n < 0)
		err(1, "io_getevents");
	for (int i = 0; i < n; i++)
		if (events[i].res <= 0)
			errx(1, "a read failed");
	r->flying -= n;
}

static void reap_all(struct reader *r)
{
	reap(r, r->flying);
}

static void put(const char *group, const char *file, const char *text)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", group, file);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		err(1, "%s to %s", text, path);
	close(fd);
}

static void enter(const char *group)
{
	put(group, "cgroup.procs", "0");
}

static void make(const char *group)
{
	if (mkdir(group, 0755))
		err(1, "mkdir %s", group);
}

/* Raises the priority of this process. Otherwise, on a single CPU, other tasks could run and
 * complete the reads before the next step starts. */
static void go_first(void)
{
	struct sched_param first = { .sched_priority = 1 };

	sched_setscheduler(0, SCHED_FIFO, &first);
}

/* Starts another process, which reads in a cgroup. @spec: "G:N:DEPTH", as in the step job=. */
static void job(struct reader *parent, char *spec)
{
	char *group = strsep(&spec, ":");
	int n = atoi(strsep(&spec, ":")), depth = atoi(spec);
	struct reader r;

	parent->jobs++;
	if (fork())
		return;
	enter(group);
	start(&r, parent->disk, parent->jobs);
	for (int i = 0; i < n; i += depth) {
		submit(&r, depth);
		reap_all(&r);
		usleep(PAUSE_US);
	}
	_exit(0);
}

static void join(struct reader *r)
{
	int status;

	while (wait(&status) > 0)
		if (status)
			errx(1, "a job failed");
}

static void many(struct reader *r, int n)
{
	char group[32];

	for (int i = 0; i < n; i++) {
		snprintf(group, sizeof(group), "g%d", i);
		make(group);
		enter(group);
		submit(r, 2);
		reap_all(r);
	}
}

static void print_stat(const char *group)
{
	char path[4096], line[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/io.stat", group);
	f = fopen(path, "r");
	if (!f)
		err(1, "%s", path);
	while (fgets(line, sizeof(line), f))
		printf("%s %s", group, line);
	fclose(f);
}

static void step(struct reader *r, char *name)
{
	char *value = strchr(name, '=');

	if (value)
		*value++ = '\0';
	if (!strcmp(name, "mkdir"))
		make(value);
	else if (!strcmp(name, "rmdir") && rmdir(value))
		err(1, "rmdir %s", value);
	else if (!strcmp(name, "enter"))
		enter(value);
	else if (!strcmp(name, "io"))
		put(value, "cgroup.subtree_control", "+io");
	else if (!strcmp(name, "size"))
		r->size = atoi(value) << 10;
	else if (!strcmp(name, "read"))
		submit(r, atoi(value));
	else if (!strcmp(name, "wait"))
		reap_all(r);
	else if (!strcmp(name, "job"))
		job(r, value);
	else if (!strcmp(name, "join"))
		join(r);
	else if (!strcmp(name, "many"))
		many(r, atoi(value));
	else if (!strcmp(name, "stat"))
		print_stat(value);
	else if (!strcmp(name, "flying")) {
		reap(r, 0);
		printf("flying %d\n", r->flying);
	}
}

static void enter_own(const char *tree, const char *key)
{
	char line[4096], path[8192], *own = NULL;
	FILE *f = fopen("/proc/self/cgroup", "r");

	while (!own && fgets(line, sizeof(line), f))
		own = strstr(line, key);
	if (!own)
		errx(1, "no group like %s", key);
	own[strcspn(own, "\n")] = '\0';
	snprintf(path, sizeof(path), "%s%s", tree, own + strlen(key));
	if (chdir(path))
		err(1, "%s", path);
}

int main(int argc, char **argv)
{
	struct reader r;

	if (argc < 4)
		errx(2, "usage: groups TREE KEY DISK STEP...");
	enter_own(argv[1], argv[2]);
	go_first();
	start(&r, argv[3], 0);
	for (int i = 4; i < argc; i++)
		step(&r, argv[i]);
	return 0;
}
