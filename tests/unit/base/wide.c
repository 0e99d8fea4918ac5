// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the width of text on a terminal. */
#include <locale.h>

#include "user/base/wide.h"
#include "tests/lib/harness.h"

static bool fits(const char *text, int columns, enum wide_end stays, int taken,
		 const wchar_t *expected)
{
	wchar_t line[80];

	wmemset(line, L'!', 80);
	return wide_fit(line, text, columns, stays) == taken && !wcscmp(line, expected) &&
		line[columns + 1] == L'!';
}

TEST(what_fits_stays)
{
	EXPECT_TRUE(fits("abc", 3, WIDE_BEGIN, 3, L"abc"));
	EXPECT_TRUE(fits("", 0, WIDE_END, 0, L""));
	EXPECT_TRUE(fits("abc", 0, WIDE_END, 0, L""));
}

TEST(one_end_stays_of_what_is_too_long)
{
	EXPECT_TRUE(fits("abcdef", 4, WIDE_BEGIN, 4, L"abc>"));
	EXPECT_TRUE(fits("abcdef", 4, WIDE_END, 4, L"<def"));
	EXPECT_TRUE(fits("abcdef", 1, WIDE_BEGIN, 1, L">"));
	EXPECT_TRUE(fits("abcdef", 1, WIDE_END, 1, L"<"));
}

TEST(both_ends_stay_of_what_is_too_long)
{
	EXPECT_TRUE(fits("abcdefgh", 8, WIDE_BOTH, 8, L"abcdefgh"));
	EXPECT_TRUE(fits("abcdefghi", 8, WIDE_BOTH, 8, L"ab~efghi"));
	EXPECT_TRUE(fits("abcdef", 2, WIDE_BOTH, 2, L"~f"));
	EXPECT_TRUE(fits("abcdef", 1, WIDE_BOTH, 1, L"~"));
	EXPECT_TRUE(fits("abcdef", 0, WIDE_BOTH, 0, L""));
}

/* With one column left, a character of two columns, such as a Chinese one, must be cut off. */
TEST(characters_may_take_two_columns)
{
	NEEDS(setlocale(LC_CTYPE, "C.UTF-8"), "needs a locale with UTF-8");
	EXPECT_EQ(wide_columns("a\u6f22\u5b57"), 5);
	EXPECT_TRUE(fits("\u6f22\u5b57", 4, WIDE_BEGIN, 4, L"\u6f22\u5b57"));
	EXPECT_TRUE(fits("\u6f22\u5b57", 3, WIDE_BEGIN, 3, L"\u6f22>"));
	EXPECT_TRUE(fits("\u6f22\u5b57", 2, WIDE_BEGIN, 1, L">"));
	EXPECT_TRUE(fits("\u6f22\u5b57", 3, WIDE_END, 3, L"<\u5b57"));
	EXPECT_TRUE(fits("\u6f22\u5b57", 2, WIDE_END, 1, L"<"));
	EXPECT_TRUE(fits("\u6f22\u5b57\u6f22\u5b57", 5, WIDE_BOTH, 5, L"~\u6f22\u5b57"));
	EXPECT_TRUE(fits("\u6f22\u5b57\u6f22\u5b57", 7, WIDE_BOTH, 7, L"\u6f22~\u6f22\u5b57"));
}

TEST(what_is_no_text_is_a_question_mark)
{
	NEEDS(setlocale(LC_CTYPE, "C.UTF-8"), "needs a locale with UTF-8");
	EXPECT_TRUE(fits("a\033[2J\x7f\xc2\x9b", 20, WIDE_BEGIN, 7, L"a?[2J??"));
	EXPECT_TRUE(fits("\xff\xe6\xbc", 20, WIDE_BEGIN, 3, L"???"));
	EXPECT_TRUE(fits("e\u0301\u202e", 20, WIDE_BEGIN, 3, L"e??"));
	EXPECT_TRUE(setlocale(LC_CTYPE, "C") != NULL);
	EXPECT_TRUE(fits("\u6f22", 20, WIDE_BEGIN, 3, L"???"));
}

TEST_MAIN
