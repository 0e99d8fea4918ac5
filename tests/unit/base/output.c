// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests how output files are opened. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>
#include "user/base/output.h"
#include "tests/lib/harness.h"

static char text[256];

static const char *get(const char *path)
{
	FILE *f = fopen(path, "r");

	text[f ? fread(text, 1, sizeof(text) - 1, f) : 0] = '\0';
	if (f)
		fclose(f);
	return text;
}

static int print(FILE *f, const void *what)
{
	fputs(what, f);
	return 0;
}

static unsigned files_in(const char *path)
{
	struct result r = run_command("ls -A '%s' | wc -l", path);
	unsigned n = atoi(r.out);

	run_free(&r);
	return n;
}

static void expect_refused(const char *path)
{
	struct output o = OUTPUT_NONE;

	EXPECT_LT(output_open(&o, path), 0);
	output_drop(&o);
}

/* Makes open() with O_TMPFILE fail from now on, as many file systems do. */
static void lose_unnamed_files(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_TMPFILE & ~O_DIRECTORY, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOPNOTSUPP),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { sizeof(code) / sizeof(*code), code };

	ASSERT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	ASSERT_EQ(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog), 0);
	ASSERT_LT(open(".", O_TMPFILE | O_WRONLY, 0600), 0);
}

static void replace_once(void)
{
	struct output o = OUTPUT_NONE;
	struct stat st;
	FILE *f;

	scratch_put("old", "old");
	ASSERT_EQ(chmod("old", 0640), 0);
	ASSERT_EQ(symlink("old", "link"), 0);
	ASSERT_EQ(output_open(&o, "link"), 0);
	EXPECT_STR(get("old"), "old");
	f = output_begin(&o);
	fputs("new", f);
	fflush(f);
	EXPECT_STR(get("old"), "old");
	EXPECT_EQ(output_end(&o), 0);
	EXPECT_STR(get("old"), "new");
	EXPECT_EQ(output_write(&o, print, "newer"), 0);
	EXPECT_STR(get("old"), "newer");
	output_drop(&o);
	ASSERT_EQ(lstat("link", &st), 0);
	EXPECT_TRUE(S_ISLNK(st.st_mode));
	ASSERT_EQ(stat("old", &st), 0);
	EXPECT_EQ(st.st_mode & 0777, 0640);
	EXPECT_EQ(files_in("."), 2);
}

TEST(old_file_stays_until_the_end)
{
	scratch_enter();
	replace_once();
}

TEST(old_file_stays_until_the_end_without_unnamed_files)
{
	scratch_enter();
	lose_unnamed_files();
	replace_once();
}

TEST(dropped_output_leaves_nothing)
{
	struct output o = OUTPUT_NONE;

	scratch_enter();
	scratch_put("old", "old");
	for (int i = 0; i < 2; i++) {
		ASSERT_EQ(output_open(&o, i ? "new" : "old"), 0);
		fputs("x", output_begin(&o));
		output_drop(&o);
		ASSERT_EQ(output_open(&o, i ? "new" : "old"), 0);
		fputs("x", output_stream(&o));
		output_drop(&o);
	}
	EXPECT_STR(get("old"), "old");
	EXPECT_EQ(files_in("."), 1);
}

/* While a command runs, another process creates a file with the output's name. That file and the
 * report must both be kept. */
static void lose_the_name(const char *before)
{
	struct output o = OUTPUT_NONE;

	scratch_put("precious", "precious");
	if (before)
		scratch_put("rr", before);
	ASSERT_EQ(output_open(&o, "rr"), 0);
	unlink("rr");
	ASSERT_EQ(link("precious", "rr"), 0);
	EXPECT_EQ(output_write(&o, print, "report"), -EEXIST);
	output_drop(&o);
	EXPECT_STR(get("precious"), "precious");
	EXPECT_STR(get("rr"), "precious");
	/* the name of the report was taken, so the report must be in a file "iospan-..." */
	EXPECT_EQ(files_in("."), 3);
	EXPECT_EQ(system("test \"$(cat iospan-*)\" = report"), 0);
}

TEST(new_file_of_that_name_is_not_overwritten)
{
	scratch_enter();
	lose_the_name(NULL);
}

TEST(new_file_of_that_name_is_not_overwritten_without_unnamed_files)
{
	scratch_enter();
	lose_unnamed_files();
	lose_the_name(NULL);
}

TEST(other_file_of_that_name_is_not_overwritten)
{
	scratch_enter();
	lose_the_name("before");
}

/* Makes system call @nr fail with the error @code from now on. */
static void lose_call(int nr, int code)
{
	struct sock_filter lines[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | code),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { sizeof(lines) / sizeof(*lines), lines };

	ASSERT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	ASSERT_EQ(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog), 0);
}

/* iospan names a new file by linkat() or by renameat2() with RENAME_NOREPLACE. Many network file
 * systems support neither, so iospan must then name the file in another way. */
TEST(new_file_without_links_and_noreplace)
{
	struct output o = OUTPUT_NONE;

	scratch_enter();
	lose_unnamed_files();
	lose_call(SYS_linkat, EPERM);
	lose_call(SYS_renameat2, EINVAL);
	ASSERT_EQ(output_open(&o, "new"), 0);
	EXPECT_EQ(output_write(&o, print, "report"), 0);
	EXPECT_EQ(output_write(&o, print, "again"), 0);
	output_drop(&o);
	EXPECT_STR(get("new"), "again");
	EXPECT_EQ(files_in("."), 1);
	ASSERT_EQ(output_open(&o, "other"), 0);
	scratch_put("other", "precious");
	EXPECT_EQ(output_write(&o, print, "report"), -EEXIST);
	output_drop(&o);
	EXPECT_STR(get("other"), "precious");
}

static void fill_disk(bool stream)
{
	static char much[1 << 20];
	struct output o = OUTPUT_NONE;
	struct result r;
	FILE *f;

	memset(much, 'x', sizeof(much) - 1);
	scratch_put("small/old", "old");
	ASSERT_EQ(output_open(&o, "small/old"), 0);
	f = stream ? output_stream(&o) : output_begin(&o);
	fputs(much, f);
	EXPECT_EQ(output_end(&o), -ENOSPC);
	output_drop(&o);
	EXPECT_STR(get("small/old"), "old");
	EXPECT_EQ(files_in("small"), 1);
	r = run_command("cat iospan-* | wc -c");
	EXPECT_EQ(atoi(r.out), stream ? 0 : (int)sizeof(much) - 1);
	run_free(&r);
}

TEST(full_disk_loses_nothing)
{
	scratch_enter();
	NEEDS(geteuid() == 0, "needs root, to mount a small tmpfs");
	ASSERT_EQ(mkdir("small", 0700), 0);
	NEEDS(!mount("none", "small", "tmpfs", 0, "size=64k"), "cannot mount: %s", strerror(errno));
	fill_disk(true);
	fill_disk(false);
	EXPECT_EQ(umount2("small", MNT_DETACH), 0);
}

TEST(file_that_is_not_stored_replaces_nothing)
{
	struct output o = OUTPUT_NONE;

	scratch_enter();
	scratch_put("old", "old");
	lose_call(SYS_fsync, EIO);
	ASSERT_EQ(output_open(&o, "old"), 0);
	EXPECT_EQ(output_write(&o, print, "report"), -EIO);
	output_drop(&o);
	EXPECT_STR(get("old"), "old");
}

TEST(only_what_holds_a_result)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX, .sun_path = "socket" };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	scratch_enter();
	ASSERT_EQ(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	ASSERT_EQ(symlink("none", "dangling"), 0);
	expect_refused("socket");
	expect_refused("dangling");
	expect_refused("");
	expect_refused(".");
	expect_refused("none/");
	expect_refused("none/x");
	expect_refused("/dev/fd/999");
	expect_refused("/dev/fd/x");
	NEEDS(geteuid() == 0, "needs root, to make devices");
	ASSERT_EQ(mknod("block", S_IFBLK | 0600, makedev(7, 0)), 0);
	ASSERT_EQ(symlink("block", "to-block"), 0);
	ASSERT_EQ(mknod("kmsg", S_IFCHR | 0600, makedev(1, 11)), 0);
	expect_refused("block");
	expect_refused("to-block");
	expect_refused("kmsg");
	expect_refused("/dev/ptmx");
	scratch_put("mounted", "old");
	ASSERT_EQ(mount("mounted", "mounted", NULL, MS_BIND, NULL), 0);
	expect_refused("mounted");
	EXPECT_EQ(umount("mounted"), 0);
}

TEST(descriptor_must_be_for_writing_a_file)
{
	char path[32];
	int fd;

	scratch_enter();
	scratch_put("file", "");
	fd = open("file", O_RDONLY);
	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	expect_refused(path);
	NEEDS(geteuid() == 0, "needs root, to make devices");
	ASSERT_EQ(mknod("block", S_IFBLK | 0600, makedev(7, 0)), 0);
	fd = open("block", O_WRONLY);
	NEEDS(fd >= 0, "cannot open a loop device: %s", strerror(errno));
	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	expect_refused(path);
}

TEST(an_input_is_no_output)
{
	static const char *const names[] = { "in", "./in", "hard", "soft" };
	struct output o = OUTPUT_NONE;

	scratch_enter();
	scratch_put("in", "data");
	scratch_put("other", "data");
	ASSERT_TRUE(!link("in", "hard") && !symlink("in", "soft"));
	for (int i = 0; i < 4; i++)
		for (int k = 0; k < 4; k++) {
			ASSERT_EQ(output_open(&o, names[i]), 0);
			EXPECT_EQ(output_spares(&o, names[k]), -EINVAL);
			EXPECT_EQ(output_spares(&o, "other"), 0);
			EXPECT_EQ(output_spares(&o, "none"), 0);
			output_drop(&o);
		}
	ASSERT_TRUE(freopen("in", "r", stdin) != NULL);
	ASSERT_EQ(output_open(&o, "in"), 0);
	EXPECT_EQ(output_spares(&o, "-"), -EINVAL);
	output_drop(&o);
	ASSERT_EQ(output_open(&o, "other"), 0);
	EXPECT_EQ(output_spares(&o, "-"), 0);
	output_drop(&o);
}

TEST(two_outputs_are_two_files)
{
	struct output a = OUTPUT_NONE, b = OUTPUT_NONE;

	scratch_enter();
	ASSERT_EQ(mkdir("sub", 0700), 0);
	ASSERT_EQ(output_open(&a, "out"), 0);
	EXPECT_EQ(output_open(&b, "sub/../out"), -EINVAL);
	EXPECT_EQ(output_open(&b, "sub/out"), 0);
	output_drop(&b);
	output_drop(&a);
	EXPECT_EQ(output_open(&b, "out"), 0);
	output_drop(&b);
}

TEST(live_file_is_new_or_empty)
{
	struct output o = OUTPUT_NONE;

	scratch_enter();
	scratch_put("full", "data");
	scratch_put("empty", "");
	for (int i = 0; i < 2; i++) {
		const char *path = i ? "new" : "empty";
		FILE *f;

		ASSERT_EQ(output_open(&o, path), 0);
		f = output_live(&o);
		ASSERT_TRUE(f != NULL);
		fputs("line\n", f);
		fflush(f);
		EXPECT_STR(get(path), "line\n");
		output_drop(&o);
		EXPECT_STR(get(path), "line\n");
	}
	ASSERT_EQ(output_open(&o, "full"), 0);
	EXPECT_TRUE(output_live(&o) == NULL);
	output_drop(&o);
	EXPECT_STR(get("full"), "data");
}

TEST(live_file_is_the_one_that_was_opened)
{
	struct output o = OUTPUT_NONE;

	scratch_enter();
	scratch_put("live", "");
	scratch_put("other", "");
	ASSERT_EQ(output_open(&o, "live"), 0);
	ASSERT_EQ(rename("other", "live"), 0);
	EXPECT_TRUE(output_live(&o) == NULL);
	output_drop(&o);
	EXPECT_EQ(files_in("."), 1);
}

TEST_MAIN
