// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests error messages and warnings. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/control.h"
#include "tests/lib/harness.h"
#include "tests/unit/capture.h"

TEST(error_returns_its_code)
{
	EXPECT_EQ(error(-ENOENT, "no such disk '%s'", "vdz"), -ENOENT);
	EXPECT_EQ(error(-EUSAGE, "unknown"), -EUSAGE);
}

TEST(error_is_one_line_with_the_program_name)
{
	struct capture c = capture_start(STDERR_FILENO);

	error(-ENOENT, "no such disk '%s'", "vdz");
	EXPECT_STR(capture_end(c), "iospan: no such disk 'vdz'\n");
}

TEST(warning_says_that_it_is_one)
{
	struct capture c = capture_start(STDERR_FILENO);

	warn("lost %d of %d events", 3, 100);
	EXPECT_STR(capture_end(c), "iospan: warning: lost 3 of 100 events\n");
}

/* A file name in a message must not imitate a second message, or send escape sequences. */
TEST(control_characters_are_disarmed)
{
	struct capture c = capture_start(STDERR_FILENO);

	error(-EINVAL, "bad '%s'", "a\nb\x1b[2J\x7f\xc2\x9b\xc3\xa9");
	EXPECT_STR(capture_end(c), "iospan: bad 'a?b?[2J???\xc3\xa9'\n");
}

/* Unicode characters that change the direction of text could make a message look like another. */
TEST(changes_of_direction_are_disarmed)
{
	static const char *const harmful[] = {
		"\u202e", "\u202a", "\u2066",	"\u2069", "\u200f",
		"\u061c", "\u2028", "\xc2\x85", "\x9b",	  "\xe2\x80"
	};
	static const char *const harmless[] = { "\u00e9", "\u2026", "\u2010",	 "\u2060",
						"\u0620", "\u6f22", "\U0001f600" };

	for (size_t i = 0; i < sizeof(harmful) / sizeof(*harmful); i++) {
		char text[16] = "", all[16] = "a????b";

		strcat(strcat(strcat(text, "a"), harmful[i]), "b");
		strcpy(all + 1 + strlen(harmful[i]), "b");
		disarm(text);
		EXPECT_STR(text, all);
	}
	for (size_t i = 0; i < sizeof(harmless) / sizeof(*harmless); i++) {
		char text[16];

		strcpy(text, harmless[i]);
		disarm(text);
		EXPECT_STR(text, harmless[i]);
	}
}

TEST(long_message_is_whole)
{
	static char name[10000];
	struct capture c = capture_start(STDERR_FILENO);

	memset(name, 'x', sizeof(name) - 1);
	error(-EINVAL, "%s", name);
	EXPECT_EQ(strlen(capture_end(c)), strlen("iospan: \n") + sizeof(name) - 1);
}

/* A caller may use errno after a message, so error() must not change it, even if it cannot
 * print. */
TEST(errno_survives)
{
	int full = open("/dev/full", O_WRONLY), stderr_copy = dup(STDERR_FILENO);
	int seen;

	dup2(full, STDERR_FILENO);
	errno = ENOENT;
	error(-EINVAL, "a message");
	warn("a message");
	seen = errno;
	dup2(stderr_copy, STDERR_FILENO);
	EXPECT_EQ(seen, ENOENT);
}

TEST(need_passes_memory_on)
{
	int x = 0;

	EXPECT_EQ(need(&x), &x);
}

TEST(text_is_as_long_as_it_is)
{
	char *text = need_text("%s %0999d", "seven", 7);

	EXPECT_EQ(strlen(text), 5 + 1 + 999);
	EXPECT_EQ(memcmp(text, "seven 0", 7), 0);
	free(text);
}

TEST_MAIN
