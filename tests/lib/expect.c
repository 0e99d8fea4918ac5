// SPDX-License-Identifier: GPL-2.0-or-later
/* Implements the checks EXPECT_* and ASSERT_* of harness.h. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "tests/lib/harness.h"

struct test_value test_signed(long long v)
{
	return (struct test_value){ TEST_SIGNED, v };
}

struct test_value test_unsigned(unsigned long long v)
{
	return (struct test_value){ TEST_UNSIGNED, v };
}

struct test_value test_real(long double v)
{
	return (struct test_value){ TEST_REAL, v };
}

struct test_value test_pointer(const volatile void *v)
{
	return (struct test_value){ TEST_POINTER, (uintptr_t)v };
}

#define VALUE_TEXT 64
static const char *value_text(char *buf, struct test_value v)
{
	if (v.kind == TEST_POINTER)
		snprintf(buf, VALUE_TEXT, "%#llx", (unsigned long long)v.number);
	else if (v.kind == TEST_REAL)
		snprintf(buf, VALUE_TEXT, "%.17Lg", v.number);
	else
		snprintf(buf, VALUE_TEXT, "%.0Lf", v.number);
	return buf;
}

static bool holds(long double a, const char *op, long double b)
{
	switch (op[0]) {
	case '=':
		return a == b;
	case '!':
		return a != b;
	case '<':
		return op[1] ? a <= b : a < b;
	default:
		return op[1] ? a >= b : a > b;
	}
}

bool test_compare(struct test_here here, struct test_value seen, const char *seen_text,
		  const char *op, struct test_value expected, const char *expected_text)
{
	char a[VALUE_TEXT], b[VALUE_TEXT];

	if (holds(seen.number, op, expected.number))
		return true;
	return test_fail(here, "%s %s %s: seen %s, expected %s%s%s", seen_text, op, expected_text,
			 value_text(a, seen), op[0] == '=' ? "" : op, op[0] == '=' ? "" : " ",
			 value_text(b, expected));
}

bool test_near(struct test_here here, double seen, const char *seen_text, double expected,
	       const char *expected_text, double tolerance)
{
	double distance = seen > expected ? seen - expected : expected - seen;

	/* the distance of equal infinities is NaN, so == compares them */
	if (seen == expected || distance <= tolerance)
		return true;
	return test_fail(here, "%s near %s: seen %.17g, expected %.17g within %g", seen_text,
			 expected_text, seen, expected, tolerance);
}

bool test_str(struct test_here here, const char *seen, const char *seen_text, const char *expected,
	      const char *expected_text)
{
	const char *q = seen ? "\"" : "", *p = expected ? "\"" : "";

	if (seen == expected || (seen && expected && !strcmp(seen, expected)))
		return true;
	return test_fail(here, "%s is %s:\n    seen %s%s%s\nexpected %s%s%s", seen_text,
			 expected_text, q, seen ?: "NULL", q, p, expected ?: "NULL", p);
}

bool test_true(struct test_here here, bool cond, const char *cond_text)
{
	return cond || test_fail(here, "not true: %s", cond_text);
}
