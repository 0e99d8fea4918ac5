// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs the tests of a program (harness.h), each in a child. The child reports through shared
 * memory, which survives the child's death. Kills the processes that a test leaves. */
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <ftw.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/lib/child.h"
#include "tests/lib/harness.h"

/* number of bytes at the end of a failed test's output that are shown */
#define OUTPUT_KEPT (64 << 10)

enum verdict { PASSED, FAILED, SKIPPED, VERDICTS };

/* The result of a test, written by its process and read by this program. */
static struct shared {
	unsigned failures;
	bool ended; /* the test returned or ended by test_end(); false: it called exit() */
	bool skipped;
	char reason[256];
	char scratch[4096];
} * shared;

static struct test *first, **last = &first;
/* The pid of the process that runs the test. The children of this process inherit this value. In
 * the program that starts the tests, the value is 0. */
static pid_t test_pid;
/* Failures are printed to this copy of stderr, because the test may redirect stderr. */
static int report_fd = STDERR_FILENO;
static char *iospan, *build;

bool test_fail(struct test_here here, const char *fmt, ...)
{
	va_list ap;

	__sync_fetch_and_add(&shared->failures, 1);
	dprintf(report_fd, "%s:%d: ", here.file, here.line);
	va_start(ap, fmt);
	vdprintf(report_fd, fmt, ap);
	va_end(ap);
	dprintf(report_fd, "\n");
	return false;
}

static bool on_disk(const char *dir)
{
	struct statfs fs;

	return dir && !statfs(dir, &fs) && fs.f_type != TMPFS_MAGIC && fs.f_type != RAMFS_MAGIC;
}

const char *scratch_dir(void)
{
	const char *base = getenv("TMPDIR");

	if (shared->scratch[0])
		return shared->scratch;
	if (!on_disk(base))
		base = on_disk("/var/tmp") ? "/var/tmp" : build;
	snprintf(shared->scratch, sizeof(shared->scratch), "%s/iospan-test-XXXXXX", base);
	if (!mkdtemp(shared->scratch))
		test_die(shared->scratch);
	return shared->scratch;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	if (remove(path))
		printf("# cannot remove %s: %s\n", path, strerror(errno));
	return 0;
}

/* Removes the test's directory. Follows no links, and does not enter mounted file systems. */
static bool remove_scratch(void)
{
	const char *dir = shared->scratch;

	if (dir[0])
		nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
	return !dir[0] || access(dir, F_OK);
}

static char *from_env(const char *name, const char *otherwise)
{
	const char *path = getenv(name) ?: otherwise;
	char *cwd = path[0] == '/' ? NULL : getcwd(NULL, 0), *text;

	if (asprintf(&text, "%s%s%s", cwd ?: "", cwd ? "/" : "", path) < 0)
		test_die("asprintf");
	free(cwd);
	return text;
}

const char *iospan_path(void)
{
	return iospan;
}

const char *build_dir(void)
{
	return build;
}

void scratch_enter(void)
{
	ASSERT_EQ(chdir(scratch_dir()), 0);
	ASSERT_EQ(setenv("TMPDIR", scratch_dir(), 1), 0);
}

void scratch_put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	ASSERT_TRUE(f && fputs(text, f) >= 0 && !fclose(f));
}

unsigned test_rounds(unsigned all)
{
	return getenv("IOSPAN_QUICK") ? all / 10 : all;
}

void test_add(struct test *t)
{
	*last = t;
	last = &t->next;
}

void test_end(void)
{
	if (getpid() != test_pid)
		_exit(shared->failures > 0); /* this process is a child that the test has forked */
	shared->ended = true;
	if (shared->failures || shared->skipped) {
		fflush(NULL);
		_exit(0);
	}
	exit(0); /* not _exit(), because exit() runs the leak checker of AddressSanitizer */
}

void test_skip(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(shared->reason, sizeof(shared->reason), fmt, ap);
	va_end(ap);
	shared->skipped = true;
	test_end();
}

/* Restores the default of all signals, because the caller of the test may ignore or block signals,
 * as nohup does. */
static void default_signals(void)
{
	struct sigaction now;
	sigset_t none;

	for (int i = 1; i < NSIG; i++)
		if (!sigaction(i, NULL, &now) && now.sa_handler == SIG_IGN)
			signal(i, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

__attribute__((noreturn)) static void run_body(const struct test *t)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setpgid(0, 0);
	test_pid = getpid();
	report_fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	dup2(null, STDIN_FILENO);
	close(null);
	default_signals();
	t->body();
	test_end();
}

/* Kills the test's process group, and the orphans that this program adopted. Returns the wait
 * status of the test. */
static int kill_rest(pid_t test)
{
	int status, pid;
	char path[64];
	bool listed;
	FILE *f;

	kill(-test, SIGKILL);
	waitpid(test, &status, 0);
	snprintf(path, sizeof(path), "/proc/self/task/%d/children", getpid());
	do {
		f = fopen(path, "re");
		listed = f; /* kernels without CONFIG_PROC_CHILDREN have no such file */
		while (listed && fscanf(f, "%d", &pid) == 1)
			kill(pid, SIGKILL);
		if (f)
			fclose(f);
	} while (waitpid(-1, NULL, listed ? 0 : WNOHANG) > 0);
	return status;
}

static void print_output(const struct stream *s)
{
	const char *line = s->text, *end = line + s->size, *next;

	for (; line < end; line = next + 1) {
		next = memchr(line, '\n', end - line) ?: end;
		printf("# %.*s\n", (int)(next - line), line);
	}
}

/* Writes to @why how the test's process ended. Returns false if the process ended normally. */
static bool bad_end(char *why, size_t size, const struct test *t, int ended, int status)
{
	why[0] = 0;
	if (ended == ETIME)
		snprintf(why, size, "out of time after %u s", t->seconds);
	else if (WIFSIGNALED(status))
		snprintf(why, size, "killed by signal %d (%s)", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else if (!shared->ended || WEXITSTATUS(status))
		snprintf(why, size, "exited with status %d", WEXITSTATUS(status));
	return why[0];
}

static enum verdict run_test(const struct test *t, int signals, const sigset_t *mask)
{
	struct child c = { .kept = OUTPUT_KEPT };
	int ended, status;
	bool failed;
	char why[128];

	memset(shared, 0, sizeof(*shared));
	fflush(stdout);
	if (child_fork(&c, true) == 0)
		run_body(t);
	setpgid(c.pid, c.pid);
	ended = child_watch(&c, signals, t->seconds);
	status = kill_rest(c.pid);
	child_finish(&c);
	failed = bad_end(why, sizeof(why), t, ended, status);
	failed |= !remove_scratch();
	if (ended < 0) {
		raise(-ended);
		sigprocmask(SIG_SETMASK, mask, NULL);
	}
	if (shared->failures || failed)
		print_output(&c.out);
	if (why[0])
		printf("# %s\n", why);
	free(c.out.text);
	free(c.err.text);
	if (shared->failures || failed)
		return FAILED;
	return shared->skipped ? SKIPPED : PASSED;
}

static void print_result(unsigned number, const struct test *t, enum verdict v)
{
	printf("%sok %u %s", v == FAILED ? "not " : "", number, t->name);
	if (v == SKIPPED)
		printf(" # SKIP %s", shared->reason);
	printf("\n");
}

/* Prepares this program for its tests. Returns a signalfd for SIGCHLD and the signals that end the
 * program. Stores the previous signal mask in @mask. */
static int prepare(sigset_t *mask)
{
	struct rlimit no_core;
	sigset_t set;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED)
		test_die("mmap");
	iospan = from_env("IOSPAN", "build/iospan");
	build = from_env("IOSPAN_BUILD", "build");
	getrlimit(RLIMIT_CORE, &no_core);
	no_core.rlim_cur = 0;
	setrlimit(RLIMIT_CORE, &no_core);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, mask);
	return signalfd(-1, &set, SFD_CLOEXEC);
}

static bool selected(const struct test *t, char *const *patterns, int n)
{
	for (int i = 0; i < n; i++)
		if (!fnmatch(patterns[i], t->name, 0))
			return true;
	return n == 0;
}

int test_main(int argc, char **argv)
{
	unsigned count[VERDICTS] = { 0 }, planned = 0, number = 0;
	char *patterns[argc];
	int c, n = 0, signals;
	bool list = false;
	sigset_t mask;

	while ((c = getopt(argc, argv, "lt:")) != -1) {
		if (c == 'l')
			list = true;
		else if (c == 't')
			patterns[n++] = optarg;
		else
			return 2;
	}
	for (const struct test *t = first; t; t = t->next) {
		planned += selected(t, patterns, n);
		if (list && selected(t, patterns, n))
			printf("%s\n", t->name);
	}
	if (list)
		return 0;
	if (!planned) {
		fprintf(stderr, "no such test\n");
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	signals = prepare(&mask);
	printf("KTAP version 1\n1..%u\n", planned);
	for (const struct test *t = first; t; t = t->next) {
		enum verdict v;

		if (!selected(t, patterns, n))
			continue;
		v = run_test(t, signals, &mask);
		print_result(++number, t, v);
		count[v]++;
	}
	if (count[FAILED] || ferror(stdout))
		return 1;
	return count[PASSED] ? 0 : 4;
}
