// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests temporary directories in a directory that belongs to another user, who may attack. A
 * cleanup process removes the directory if iospan is killed. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "user/session/workdir.h"
#include "tests/lib/harness.h"

/* If not NULL, an attack by another user. mkdirat() below runs it right after iospan made a
 * directory. */
static void (*attack)(int above, const char *name);

int mkdirat(int at, const char *name, mode_t mode)
{
	int ret = syscall(SYS_mkdirat, at, name, mode);

	if (attack)
		attack(at, name);
	return ret;
}

/* If not NULL, an attack that unlinkat() below runs right after iospan removed a file. */
static void (*later_attack)(int above, const char *name);
static int attacked;

int unlinkat(int at, const char *name, int flags)
{
	int ret = syscall(SYS_unlinkat, at, name, flags);

	if (later_attack && !flags)
		later_attack(attacked, "work");
	return ret;
}

static void make_file(int at, const char *name)
{
	int fd = openat(at, name, O_WRONLY | O_CREAT, 0600);

	ASSERT_GE(fd, 0);
	close(fd);
}

static bool is_there(int at, const char *name)
{
	return !faccessat(at, name, F_OK, AT_SYMLINK_NOFOLLOW);
}

/* Makes the temporary directory, and a directory "victim" with a file that must survive. */
static int make(struct workdir *w)
{
	ASSERT_EQ(workdir_open(w, scratch_dir()), 0);
	ASSERT_EQ(syscall(SYS_mkdirat, w->above, "victim", 0700), 0);
	make_file(w->above, "victim/precious");
	return workdir_make(w, scratch_dir(), "work", false);
}

static void link_instead(int above, const char *name)
{
	renameat(above, name, above, "stolen");
	symlinkat("victim", above, name);
}

static void link_to_empty_instead(int above, const char *name)
{
	renameat(above, name, above, "stolen");
	syscall(SYS_mkdirat, above, "empty", 0700);
	symlinkat("empty", above, name);
}

static void files_instead(int above, const char *name)
{
	renameat(above, name, above, "stolen");
	renameat(above, "victim", above, name);
}

static void own_instead(int above, const char *name)
{
	renameat(above, name, above, "stolen");
	syscall(SYS_mkdirat, above, name, 0700);
	fchownat(above, name, 65534, 65534, 0);
}

static void empty_instead(int above, const char *name)
{
	renameat(above, name, above, "stolen");
	syscall(SYS_mkdirat, above, name, 0700);
}

static void mount_instead(int above, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d/%s", above, name);
	mount("none", path, "tmpfs", 0, "mode=0700");
}

static void open_to_others(int above, const char *name)
{
	fchmodat(above, name, 0777, 0);
}

static void expect_refused(void (*by)(int above, const char *name), const char *precious)
{
	int above = open(scratch_dir(), O_PATH | O_DIRECTORY);
	struct workdir w;

	attack = by;
	EXPECT_LT(make(&w), 0);
	workdir_close(&w);
	EXPECT_TRUE(is_there(above, precious));
	close(above);
}

TEST(replaced_at_once_by_a_link)
{
	expect_refused(link_instead, "victim/precious");
}

TEST(replaced_at_once_by_a_link_to_an_empty_directory)
{
	expect_refused(link_to_empty_instead, "empty");
}

TEST(replaced_at_once_by_a_directory_with_files)
{
	expect_refused(files_instead, "work/precious");
}

TEST(replaced_at_once_by_a_directory_of_another_user)
{
	NEEDS(geteuid() == 0, "needs root, to be another user");
	expect_refused(own_instead, "victim/precious");
}

/* A directory on another file system must be refused, because FUSE can pretend that its files
 * belong to anybody. */
TEST(replaced_at_once_by_another_file_system)
{
	NEEDS(geteuid() == 0, "needs root, to mount");
	ASSERT_EQ(unshare(CLONE_NEWNS), 0);
	ASSERT_EQ(mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL), 0);
	expect_refused(mount_instead, "work");
}

TEST(writable_by_others)
{
	expect_refused(open_to_others, "victim/precious");
}

TEST(removed_with_its_files)
{
	int above = open(scratch_dir(), O_PATH | O_DIRECTORY);
	struct workdir w;

	ASSERT_EQ(make(&w), 0);
	make_file(w.fd, "data");
	make_file(w.fd, ".hidden");
	EXPECT_EQ(workdir_close(&w), 0);
	EXPECT_TRUE(!is_there(above, "work"));
}

/* Moves the temporary directory by the function @by. iospan must still remove the directory. If
 * @killed, kills the cleanup process, so that this process must remove it. */
static void expect_removed_elsewhere(void (*by)(int above, const char *name), bool killed)
{
	int above = open(scratch_dir(), O_PATH | O_DIRECTORY);
	struct workdir w;

	ASSERT_EQ(make(&w), 0);
	make_file(w.fd, "data");
	by(above, "work");
	if (killed)
		kill(w.cleanup.pid, SIGKILL);
	EXPECT_EQ(workdir_close(&w), 0);
	EXPECT_TRUE(!is_there(above, "stolen"));
	EXPECT_TRUE(is_there(above, by == files_instead ? "work/precious" : "victim/precious"));
}

TEST(renamed_later_with_a_link_in_its_place)
{
	expect_removed_elsewhere(link_instead, false);
}

TEST(renamed_later_without_the_cleanup_process)
{
	expect_removed_elsewhere(link_instead, true);
}

TEST(renamed_later_with_files_in_its_place)
{
	expect_removed_elsewhere(files_instead, false);
}

/* While iospan removes the directory, another user renames it, and makes an empty directory with
 * the old name. iospan must not remove that empty directory. */
TEST(replaced_while_it_is_removed)
{
	struct workdir w;

	attacked = open(scratch_dir(), O_PATH | O_DIRECTORY);
	later_attack = empty_instead;
	ASSERT_EQ(make(&w), 0);
	make_file(w.fd, "data");
	EXPECT_EQ(workdir_close(&w), 0);
	EXPECT_TRUE(is_there(attacked, "work"));
	EXPECT_TRUE(!is_there(attacked, "stolen"));
}

/* The attacker has moved the directory away. It cannot be removed, but the files in it must be. */
TEST(moved_elsewhere)
{
	int above = open(scratch_dir(), O_PATH | O_DIRECTORY);
	struct workdir w;

	ASSERT_EQ(make(&w), 0);
	make_file(w.fd, "data");
	ASSERT_EQ(renameat(above, "work", above, "victim/work"), 0);
	EXPECT_LT(workdir_close(&w), 0);
	EXPECT_TRUE(is_there(above, "victim/work"));
	EXPECT_TRUE(!is_there(above, "victim/work/data"));
}

TEST(kept)
{
	int above = open(scratch_dir(), O_PATH | O_DIRECTORY);
	struct workdir w;

	ASSERT_EQ(workdir_open(&w, scratch_dir()), 0);
	ASSERT_EQ(workdir_make(&w, scratch_dir(), "work", true), 0);
	make_file(w.fd, "data");
	EXPECT_EQ(workdir_close(&w), 0);
	EXPECT_TRUE(is_there(above, "work/data"));
}

TEST_MAIN
