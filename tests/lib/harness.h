/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The harness of test programs in C. A file has includes, tests and TEST_MAIN:
 *
 *	#include "tests/lib/harness.h"
 *	#include "user/base/num.h"
 *
 *	// strtoull() accepts a sign.
 *	TEST(negative_number_is_refused)
 *	{
 *		uint64_t v;
 *
 *		EXPECT_EQ(num_uint("-1", &v), -EINVAL);
 *	}
 *
 *	TEST_TIMEOUT(every_disk_is_found, 300)
 *	{
 *		struct result r;
 *
 *		NEEDS(geteuid() == 0, "needs root");
 *		r = run_command("%s run -- true", iospan_path());
 *		ASSERT_EQ(r.status, 0);
 *		EXPECT_STR(r.out, "");
 *		run_free(&r);
 *	}
 *
 *	TEST_MAIN
 *
 * `make check` finds tests/<folder>/<name>.c by its TEST_MAIN. A C file without it is a workload
 * that tests run. It is built too, but without this harness and the sanitisers.
 *
 * Each test runs in a child that leads a process group and has a time limit. When the test ends,
 * the processes that it left are killed. A test fails if it exits, dies by a signal or exceeds its
 * limit. Its stdout and stderr are shown only if it fails. Its stdin is /dev/null.
 *
 * The program prints KTAP version 1 and exits with 0 (all passed), 1 (some failed) or 4 (all
 * skipped). -l lists the tests. -t NAME selects tests by a shell pattern, and may be repeated. */
#ifndef IOSPAN_TESTS_HARNESS_H
#define IOSPAN_TESTS_HARNESS_H

#include <stdbool.h>
#include <stddef.h>

#define TEST_SECONDS 180

#define TEST(name) TEST_TIMEOUT(name, TEST_SECONDS)
#define TEST_TIMEOUT(name, seconds) \
	static void test_body_##name(void); \
	static struct test test_row_##name = { #name, test_body_##name, seconds, NULL }; \
	__attribute__((constructor)) static void test_add_##name(void) \
	{ \
		test_add(&test_row_##name); \
	} \
	static void test_body_##name(void)

#define TEST_MAIN \
	int main(int argc, char **argv) \
	{ \
		return test_main(argc, argv); \
	}

/* Skips the rest of the test unless @cond holds. The arguments after @cond are the reason, as for
 * printf(). If an expectation has already failed, the test counts as failed, not as skipped. */
#define NEEDS(cond, ...) \
	do { \
		if (!(cond)) \
			test_skip(__VA_ARGS__); \
	} while (0)

/* The arguments are the value seen and the value expected. EXPECT_* continues after a failure,
 * ASSERT_* ends the test. Numbers compare by value, so -1 is less than 0u. A bit-field needs a
 * cast. Pointers compare by address. */
#define EXPECT_EQ(seen, expected) TEST_EXPECT(seen, #seen, "==", expected, #expected)
#define EXPECT_NE(seen, expected) TEST_EXPECT(seen, #seen, "!=", expected, #expected)
#define EXPECT_LT(seen, expected) TEST_EXPECT(seen, #seen, "<", expected, #expected)
#define EXPECT_LE(seen, expected) TEST_EXPECT(seen, #seen, "<=", expected, #expected)
#define EXPECT_GT(seen, expected) TEST_EXPECT(seen, #seen, ">", expected, #expected)
#define EXPECT_GE(seen, expected) TEST_EXPECT(seen, #seen, ">=", expected, #expected)
#define EXPECT_NEAR(seen, expected, tolerance) \
	((void)test_near(TEST_HERE, seen, #seen, expected, #expected, tolerance))
#define EXPECT_STR(seen, expected) ((void)test_str(TEST_HERE, seen, #seen, expected, #expected))
#define EXPECT_TRUE(cond) ((void)test_true(TEST_HERE, !!(cond), #cond))

#define ASSERT_EQ(seen, expected) TEST_ASSERT(seen, #seen, "==", expected, #expected)
#define ASSERT_NE(seen, expected) TEST_ASSERT(seen, #seen, "!=", expected, #expected)
#define ASSERT_LT(seen, expected) TEST_ASSERT(seen, #seen, "<", expected, #expected)
#define ASSERT_LE(seen, expected) TEST_ASSERT(seen, #seen, "<=", expected, #expected)
#define ASSERT_GT(seen, expected) TEST_ASSERT(seen, #seen, ">", expected, #expected)
#define ASSERT_GE(seen, expected) TEST_ASSERT(seen, #seen, ">=", expected, #expected)
#define ASSERT_STR(seen, expected) \
	TEST_OR_END(test_str(TEST_HERE, seen, #seen, expected, #expected))
#define ASSERT_TRUE(cond) TEST_OR_END(test_true(TEST_HERE, !!(cond), #cond))

/* The result of run_command(). Each output ends with a NUL, which its size does not include. */
struct result {
	int status; /* exit status, or 128 + n if signal n ended the command, as in a shell */
	char *out, *err;
	size_t out_size, err_size;
};

/* Runs a command by /bin/sh -c until the shell ends, without waiting for background processes.
 * run_free() frees the result. */
struct result run_command(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void run_free(struct result *r);

/* Returns a directory on a real disk, below $TMPDIR or /var/tmp. The harness always removes the
 * directory at the end of the test. */
const char *scratch_dir(void);
void scratch_enter(void);
/* Creates or replaces the file @path with the content @text. */
void scratch_put(const char *path, const char *text);

/* Return absolute paths: $IOSPAN (default build/iospan) and $IOSPAN_BUILD (default build). */
const char *iospan_path(void);
const char *build_dir(void);

/* Returns how many rounds a random test makes: @all, but in `make check-unit` a tenth of @all. */
unsigned test_rounds(unsigned all);

struct test {
	const char *name;
	void (*body)(void);
	unsigned seconds;
	struct test *next;
};

struct test_value {
	enum test_kind { TEST_SIGNED, TEST_UNSIGNED, TEST_REAL, TEST_POINTER } kind;
	long double number; /* holds each 64-bit integer exactly */
};

struct test_here {
	const char *file;
	int line;
};

#define TEST_HERE ((struct test_here){ __FILE__, __LINE__ })
#define TEST_VALUE(x) \
	_Generic((x), _Bool \
		 : test_unsigned, unsigned char \
		 : test_unsigned, unsigned short \
		 : test_unsigned, unsigned int \
		 : test_unsigned, unsigned long \
		 : test_unsigned, unsigned long long \
		 : test_unsigned, unsigned __int128 \
		 : test_real, /* holds all 64-bit integers exactly */ \
		   char \
		 : test_signed, signed char \
		 : test_signed, short \
		 : test_signed, int \
		 : test_signed, long \
		 : test_signed, long long \
		 : test_signed, float \
		 : test_real, double \
		 : test_real, long double \
		 : test_real, default \
		 : test_pointer)(x)
#define TEST_COMPARE(seen, seen_text, op, expected, expected_text) \
	test_compare(TEST_HERE, TEST_VALUE(seen), seen_text, op, TEST_VALUE(expected), \
		     expected_text)
#define TEST_EXPECT(...) ((void)TEST_COMPARE(__VA_ARGS__))
#define TEST_ASSERT(...) TEST_OR_END(TEST_COMPARE(__VA_ARGS__))
#define TEST_OR_END(passed) \
	do { \
		if (!(passed)) \
			test_end(); \
	} while (0)

void test_add(struct test *t);
int test_main(int argc, char **argv);
void test_end(void) __attribute__((noreturn));
void test_skip(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

struct test_value test_signed(long long v);
struct test_value test_unsigned(unsigned long long v);
struct test_value test_real(long double v);
struct test_value test_pointer(const volatile void *v);

/* If the expectation does not hold, these functions report a failure and return false. test_fail()
 * always does so. */
bool test_fail(struct test_here here, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
bool test_compare(struct test_here here, struct test_value seen, const char *seen_text,
		  const char *op, struct test_value expected, const char *expected_text);
bool test_near(struct test_here here, double seen, const char *seen_text, double expected,
	       const char *expected_text, double tolerance);
bool test_str(struct test_here here, const char *seen, const char *seen_text, const char *expected,
	      const char *expected_text);
bool test_true(struct test_here here, bool cond, const char *cond_text);

#endif
