// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests output files in directories where other users may create files. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>
#include "bpf/types.h"
#include "user/base/output.h"
#include "tests/lib/harness.h"

/* simulates an attacker who guesses the random name of the temporary file: getrandom() returns 0 */
static bool guessed;

ssize_t getrandom(void *to, size_t size, unsigned flags)
{
	if (!guessed)
		return syscall(SYS_getrandom, to, size, flags);
	guessed = false;
	memset(to, 0, size);
	return size;
}

/* Simulates a file system without O_TMPFILE. Replaces openat() of libc. */
int openat(int at, const char *path, int flags, ...)
{
	va_list ap;
	int mode;

	va_start(ap, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, int) : 0;
	va_end(ap);
	if ((flags & O_TMPFILE) == O_TMPFILE) {
		errno = EOPNOTSUPP;
		return -1;
	}
	return syscall(SYS_openat, at, path, flags, mode);
}

static int print(FILE *f, const void *text)
{
	return fputs(text, f) < 0 ? -EIO : 0;
}

TEST(what_the_command_wrote_there_stays)
{
	struct output o = OUTPUT_NONE;

	scratch_enter();
	scratch_put("out", "old");
	ASSERT_EQ(output_open(&o, "out"), 0);
	scratch_put("out", "written by the command");
	EXPECT_EQ(output_write(&o, print, "report"), -ESTALE);
	output_drop(&o);
	EXPECT_EQ(system("test \"$(cat out)\" = 'written by the command'"), 0);
	EXPECT_EQ(system("test \"$(cat iospan-*)\" = report"), 0);
}

TEST(an_output_and_a_descriptor_are_two_files)
{
	struct output a = OUTPUT_NONE, b = OUTPUT_NONE;
	char path[32];
	int before = dup(STDOUT_FILENO), fd;

	scratch_enter();
	scratch_put("out", "");
	fd = open("out", O_WRONLY);
	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	ASSERT_EQ(output_open(&a, path), 0);
	EXPECT_EQ(output_open(&b, "out"), -EINVAL);
	output_drop(&a);
	ASSERT_EQ(output_open(&b, "out"), 0);
	EXPECT_EQ(output_open(&a, path), -EINVAL);
	output_drop(&b);
	ASSERT_EQ(dup2(fd, STDOUT_FILENO), STDOUT_FILENO);
	EXPECT_EQ(output_open(&a, "out"), -EINVAL);
	EXPECT_EQ(output_open(&a, "/dev/stdout"), 0);
	output_drop(&a);
	ASSERT_EQ(dup2(before, STDOUT_FILENO), STDOUT_FILENO);
	close(before);
	close(fd);
}

#define LIST "system.posix_acl_access"
#define DEFAULT_LIST "system.posix_acl_default"

struct list {
	u32 version;
	struct {
		u16 tag, may;
		u32 id;
	} of[5];
};

/* Makes a POSIX ACL: permissions of the owner, user 65534, the group, the mask, and all others. */
static struct list list_of(const u16 may[5])
{
	struct list l = { .version = 2 };
	static const u16 tags[] = { 1, 2, 4, 16, 32 };

	for (int i = 0; i < 5; i++) {
		l.of[i].tag = tags[i];
		l.of[i].may = may[i];
		l.of[i].id = tags[i] == 2 ? 65534 : ~0u;
	}
	return l;
}

TEST(no_user_gains_permissions)
{
	const struct list old = list_of((u16[]){ 6, 6, 0, 6, 0 }),
			  common = list_of((u16[]){ 7, 7, 5, 7, 0 });
	struct output o = OUTPUT_NONE;
	struct list now = {};
	struct stat st;

	scratch_enter();
	scratch_put("listed", "old");
	scratch_put("plain", "old");
	ASSERT_EQ(chmod("plain", 0640), 0);
	NEEDS(!setxattr("listed", LIST, &old, sizeof(old), 0), "no access control lists here: %s",
	      strerror(errno));
	ASSERT_EQ(setxattr(".", DEFAULT_LIST, &common, sizeof(common), 0), 0);
	ASSERT_EQ(output_open(&o, "listed"), 0);
	EXPECT_EQ(output_write(&o, print, "new"), 0);
	output_drop(&o);
	EXPECT_EQ(system("test \"$(cat listed)\" = new"), 0);
	EXPECT_EQ(getxattr("listed", LIST, &now, sizeof(now)), (ssize_t)sizeof(now));
	EXPECT_TRUE(!memcmp(&now, &old, sizeof(old)));
	ASSERT_EQ(output_open(&o, "plain"), 0);
	EXPECT_EQ(output_write(&o, print, "new"), 0);
	output_drop(&o);
	EXPECT_LT(getxattr("plain", LIST, &now, sizeof(now)), 0);
	ASSERT_EQ(stat("plain", &st), 0);
	EXPECT_EQ(st.st_mode & 0777, 0640);
}

/* In a directory where everybody may create files, such as /tmp, the output may be a file of
 * another user. This user could read the result, so iospan must refuse the file. iospan must accept
 * it if the same user also owns the directory. */
TEST(files_of_others_in_a_directory_for_all)
{
	static const struct {
		mode_t folder, file;
		uid_t owner, file_owner;
		int result;
	} cases[] = {
		{ 01777, S_IFREG | 0666, 0, 65534, -EPERM },
		{ 01777, S_IFIFO | 0666, 0, 65534, -EPERM },
		{ 01770, S_IFREG | 0666, 0, 65534, -EPERM },
		{ 01777, S_IFREG | 0666, 1, 65534, -EPERM },
		{ 01777, S_IFREG | 0666, 0, 0, 0 },
		{ 01777, S_IFIFO | 0666, 0, 0, 0 },
		{ 01777, S_IFREG | 0666, 65534, 65534, 0 },
		{ 01755, S_IFREG | 0666, 0, 65534, 0 },
		{ 0777, S_IFREG | 0666, 0, 65534, 0 },
	};

	NEEDS(geteuid() == 0, "needs root, to give files away");
	scratch_enter();
	ASSERT_EQ(mkdir("all", 0700), 0);
	ASSERT_EQ(symlink("all/out", "link"), 0);
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		ASSERT_EQ(mknod("all/out", cases[i].file, 0), 0);
		ASSERT_EQ(chown("all/out", cases[i].file_owner, 0), 0);
		ASSERT_EQ(chown("all", cases[i].owner, 0), 0);
		ASSERT_EQ(chmod("all", cases[i].folder), 0);
		for (int k = 0; k < 2; k++) {
			struct output o = OUTPUT_NONE;

			EXPECT_EQ(output_open(&o, k ? "link" : "all/out"), cases[i].result);
			output_drop(&o);
		}
		ASSERT_EQ(unlink("all/out"), 0);
	}
}

/* In a directory where everybody may create files, such as /tmp, a symbolic link of another user
 * must be refused. iospan must not rely on the sysctl fs.protected_symlinks, which may be off. */
TEST(links_of_others_in_a_directory_for_all)
{
	struct output o = OUTPUT_NONE;

	NEEDS(geteuid() == 0, "needs root, to give links away");
	scratch_enter();
	scratch_put("precious", "precious");
	ASSERT_EQ(mkdir("all", 0700), 0);
	ASSERT_EQ(symlink("../precious", "all/out"), 0);
	ASSERT_EQ(lchown("all/out", 65534, 65534), 0);
	EXPECT_EQ(output_open(&o, "all/out"), 0);
	output_drop(&o);
	ASSERT_EQ(chmod("all", 01777), 0);
	EXPECT_LT(output_open(&o, "all/out"), 0);
	output_drop(&o);
	ASSERT_EQ(lchown("all/out", 0, 0), 0);
	EXPECT_EQ(output_open(&o, "all/out"), 0);
	EXPECT_EQ(output_write(&o, print, "new"), 0);
	output_drop(&o);
	EXPECT_EQ(system("test \"$(cat precious)\" = new"), 0);
}

/* Another user has created a file with the name of iospan's temporary file. iospan must not remove
 * or overwrite that file. */
TEST(file_with_the_temporary_name_stays)
{
	struct output o = OUTPUT_NONE;

	scratch_enter();
	scratch_put("iospan-00000000", "precious");
	guessed = true;
	ASSERT_EQ(output_open(&o, "out"), 0);
	guessed = true;
	EXPECT_EQ(output_write(&o, print, "report"), 0);
	EXPECT_TRUE(!guessed);
	output_drop(&o);
	EXPECT_EQ(system("test \"$(cat iospan-00000000)\" = precious"), 0);
	EXPECT_EQ(system("test \"$(cat out)\" = report"), 0);
}

TEST_MAIN
