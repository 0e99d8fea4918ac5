// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the conversion between text and numbers. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "user/base/num.h"
#include "tests/lib/harness.h"

#define UNTOUCHED 4711

static uint64_t v;

#define EXPECT_PARSED(parse, text, value) \
	do { \
		v = UNTOUCHED; \
		EXPECT_EQ(parse(text, &v), 0); \
		EXPECT_EQ(v, value); \
	} while (0)

#define EXPECT_REFUSED(parse, text, err) \
	do { \
		v = UNTOUCHED; \
		EXPECT_EQ(parse(text, &v), err); \
		EXPECT_EQ(v, UNTOUCHED); \
	} while (0)

TEST(uint_takes_all_of_64_bits)
{
	EXPECT_PARSED(num_uint, "0", 0);
	EXPECT_PARSED(num_uint, "18446744073709551615", UINT64_MAX);
	EXPECT_REFUSED(num_uint, "18446744073709551616", -ERANGE);
	EXPECT_REFUSED(num_uint, "99999999999999999999999", -ERANGE);
	EXPECT_REFUSED(num_uint, "184467440737095516160", -ERANGE);
}

/* Only decimal digits without a sign must be accepted. strtoull() with base 0 would take "010" for
 * 8, "0x10" for 16, and "-1" for 2^64 - 1. */
TEST(uint_is_decimal_and_has_no_sign)
{
	EXPECT_PARSED(num_uint, "010", 10);
	EXPECT_REFUSED(num_uint, "0x10", -EINVAL);
	EXPECT_REFUSED(num_uint, "-1", -EINVAL);
	EXPECT_REFUSED(num_uint, "+1", -EINVAL);
}

TEST(uint_takes_the_whole_text)
{
	EXPECT_REFUSED(num_uint, "", -EINVAL);
	EXPECT_REFUSED(num_uint, " 1", -EINVAL);
	EXPECT_REFUSED(num_uint, "1 ", -EINVAL);
	EXPECT_REFUSED(num_uint, "1x", -EINVAL);
	EXPECT_REFUSED(num_uint, "1.5", -EINVAL);
	EXPECT_REFUSED(num_uint, "1k", -EINVAL);
}

/* A number that is too large gives -ERANGE. If other text follows this number, the result must be
 * -EINVAL. */
TEST(trailing_text_goes_before_overflow)
{
	EXPECT_REFUSED(num_uint, "99999999999999999999999x", -EINVAL);
	EXPECT_REFUSED(num_size, "99999999999999999999999x", -EINVAL);
}

TEST(size_has_units_of_1024)
{
	EXPECT_PARSED(num_size, "4096", 4096);
	EXPECT_PARSED(num_size, "4k", 4096);
	EXPECT_PARSED(num_size, "4K", 4096);
	EXPECT_PARSED(num_size, "1M", 1 << 20);
	EXPECT_PARSED(num_size, "1m", 1 << 20);
	EXPECT_PARSED(num_size, "2GiB", 2ULL << 30);
	EXPECT_PARSED(num_size, "3T", 3ULL << 40);
	EXPECT_PARSED(num_size, "5p", 5ULL << 50);
	EXPECT_PARSED(num_size, "15E", 15ULL << 60);
	EXPECT_PARSED(num_size, "1.5G", 3ULL << 29);
	EXPECT_PARSED(num_size, "0.3k", 307);
	EXPECT_PARSED(num_size, "16KB", 16000);
	EXPECT_PARSED(num_size, "64MB", 64000000);
	EXPECT_PARSED(num_size, "1.5kb", 1500);
}

TEST(size_overflows_by_its_unit)
{
	EXPECT_REFUSED(num_size, "16E", -ERANGE);
	EXPECT_REFUSED(num_size, "18014398509481984k", -ERANGE);
	EXPECT_PARSED(num_size, "18014398509481983k", UINT64_MAX - 1023);
}

TEST(size_refuses_what_is_not_a_unit)
{
	EXPECT_REFUSED(num_size, "1.", -EINVAL);
	EXPECT_REFUSED(num_size, "1.5", -EINVAL);
	EXPECT_REFUSED(num_size, ".5k", -EINVAL);
	EXPECT_REFUSED(num_size, "1B", -EINVAL);
	EXPECT_REFUSED(num_size, "1ki", -EINVAL);
	EXPECT_REFUSED(num_size, "k", -EINVAL);
	EXPECT_REFUSED(num_size, "1 k", -EINVAL);
	EXPECT_REFUSED(num_size, "1kk", -EINVAL);
	EXPECT_REFUSED(num_size, "-1k", -EINVAL);
}

TEST(time_is_in_seconds_unless_it_says_otherwise)
{
	EXPECT_PARSED(num_time, "10", 10000000000);
	EXPECT_PARSED(num_time, "10s", 10000000000);
	EXPECT_PARSED(num_time, "5ms", 5000000);
	EXPECT_PARSED(num_time, "3us", 3000);
	EXPECT_PARSED(num_time, "7ns", 7);
	EXPECT_PARSED(num_time, "2m", 120000000000);
	EXPECT_PARSED(num_time, "1h", 3600000000000);
	EXPECT_PARSED(num_time, "0", 0);
}

/* A unit "M" must be refused: it could mean minutes or a million. */
TEST(time_is_strict)
{
	EXPECT_REFUSED(num_time, "1M", -EINVAL);
	EXPECT_REFUSED(num_time, "1S", -EINVAL);
	EXPECT_REFUSED(num_time, "1d", -EINVAL);
	EXPECT_REFUSED(num_time, "1.5ns", -EINVAL);
	EXPECT_PARSED(num_time, "1.5s", 1500000000);
	EXPECT_PARSED(num_time, "0.1", 100000000);
	EXPECT_PARSED(num_time, "0.0000000019s", 1);
	EXPECT_REFUSED(num_time, "18446744073.8", -ERANGE);
	EXPECT_REFUSED(num_time, "", -EINVAL);
	EXPECT_REFUSED(num_time, "18446744074", -ERANGE);
	EXPECT_REFUSED(num_time, "5124096h", -ERANGE);
	EXPECT_PARSED(num_time, "18446744073709551615ns", UINT64_MAX);
}

TEST(real_is_a_plain_decimal_or_a_percentage)
{
	double d = -1;

	EXPECT_EQ(num_real("0.67", &d), 0);
	EXPECT_TRUE(d == 0.67);
	EXPECT_EQ(num_real("67%", &d), 0);
	EXPECT_TRUE(d == 67.0 / 100);
	EXPECT_EQ(num_real("3", &d), 0);
	EXPECT_TRUE(d == 3);
	for (const char *const *s =
		     (const char *const[]){ "", "-1", "+1", ".5", "1.", "1e3", "0x1p3", "nan",
					    "inf", " 1", "1 ", "1%%", "%", "1.2.3", NULL };
	     *s; s++)
		EXPECT_EQ(num_real(*s, &d), -EINVAL);
	EXPECT_TRUE(d == 3);
}

/* --help shows defaults. A user who copies a default as an argument must get the same value. */
TEST(argument_text_reads_back)
{
	static const uint64_t values[] = {
		0,	     1,		  999,		 1000,	     1024,	 4096,	     5000,
		60000000000, 90000000000, 3600000000000, 1ULL << 40, 3ULL << 60, UINT64_MAX,
	};
	char buf[NUM_TEXT];

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		EXPECT_PARSED(num_size, num_size_arg(buf, values[i]), values[i]);
		EXPECT_PARSED(num_time, num_time_arg(buf, values[i]), values[i]);
	}
	EXPECT_STR(num_size_arg(buf, 0), "0");
	EXPECT_STR(num_size_arg(buf, 4096), "4k");
	EXPECT_STR(num_size_arg(buf, 4097), "4097");
	EXPECT_STR(num_time_arg(buf, 5000000), "5ms");
	EXPECT_STR(num_time_arg(buf, 10000000000), "10s");
	EXPECT_STR(num_time_arg(buf, 120000000000), "2m");
}

TEST(bytes_have_three_digits_and_a_unit)
{
	char buf[NUM_TEXT];

	EXPECT_STR(num_bytes_text(buf, 0), "0 B");
	EXPECT_STR(num_bytes_text(buf, 512), "512 B");
	EXPECT_STR(num_bytes_text(buf, 1023), "1023 B");
	EXPECT_STR(num_bytes_text(buf, 1024), "1.00 KiB");
	EXPECT_STR(num_bytes_text(buf, 1.5 * (1 << 20)), "1.50 MiB");
	EXPECT_STR(num_bytes_text(buf, 15.04 * (1 << 20)), "15.0 MiB");
	EXPECT_STR(num_bytes_text(buf, 1023 * 1024), "1023 KiB");
	EXPECT_STR(num_bytes_text(buf, 16.0 * (1ULL << 60)), "16.0 EiB");
	EXPECT_STR(num_bytes_text(buf, 0.5), "0.50 B");
	EXPECT_STR(num_bytes_text(buf, -2048), "-2.00 KiB");
	EXPECT_STR(num_byte_rate_text(buf, 1536), "1.50 KiB/s");
	EXPECT_STR(num_byte_rate_text(buf, NAN), "-");
}

/* Rounding may add a digit (9.996 becomes 10.0), or change the unit (1023.7 KiB becomes 1.00
 * MiB). */
TEST(rounding_carries_over)
{
	char buf[NUM_TEXT];

	EXPECT_STR(num_bytes_text(buf, 9.996 * 1024), "10.0 KiB");
	EXPECT_STR(num_bytes_text(buf, 99.96 * 1024), "100 KiB");
	EXPECT_STR(num_bytes_text(buf, 1023.7 * 1024), "1.00 MiB");
	EXPECT_STR(num_time_text(buf, 999.6), "1.00 us");
	EXPECT_STR(num_time_text(buf, 999600), "1.00 ms");
	EXPECT_STR(num_count_text(buf, 999960), "1.000M");
	EXPECT_STR(num_count_text(buf, 99999.7), "100.0k");
	EXPECT_STR(num_ratio_text(buf, 9.9996), "10.00");
}

TEST(times_have_three_digits_and_a_unit)
{
	char buf[NUM_TEXT];

	EXPECT_STR(num_time_text(buf, 0), "0 ns");
	EXPECT_STR(num_time_text(buf, 7), "7 ns");
	EXPECT_STR(num_time_text(buf, 7.25), "7.25 ns");
	EXPECT_STR(num_time_text(buf, 83210), "83.2 us");
	EXPECT_STR(num_time_text(buf, 1e9), "1.00 s");
	EXPECT_STR(num_time_text(buf, 86400e9), "86400 s");
}

TEST(counts_are_exact_below_100000)
{
	char buf[NUM_TEXT];

	EXPECT_STR(num_count_text(buf, 0), "0");
	EXPECT_STR(num_count_text(buf, 99999), "99999");
	EXPECT_STR(num_count_text(buf, 100000), "100.0k");
	EXPECT_STR(num_count_text(buf, 182345), "182.3k");
	EXPECT_STR(num_count_text(buf, 1213000), "1.213M");
	EXPECT_STR(num_count_text(buf, 1.5e10), "15.00G");
	EXPECT_STR(num_count_text(buf, 1.234), "1.23");
	EXPECT_STR(num_count_text(buf, 12345.6), "12346");
	EXPECT_STR(num_count_text(buf, -182345), "-182.3k");
}

/* A small ratio must not be printed as 0.000, because 0 means that nothing was counted. */
TEST(small_ratio_is_not_none)
{
	char buf[NUM_TEXT];

	EXPECT_STR(num_ratio_text(buf, 0), "0.000");
	EXPECT_STR(num_ratio_text(buf, 0.972), "0.972");
	EXPECT_STR(num_ratio_text(buf, 0.00042), "0.00042");
	EXPECT_STR(num_ratio_text(buf, 0.0000042), "4.2e-06");
	EXPECT_STR(num_ratio_text(buf, 31.9), "31.90");
	EXPECT_STR(num_ratio_text(buf, 123456), "123456");
}

TEST(undefined_is_a_dash)
{
	char buf[NUM_TEXT];

	EXPECT_STR(num_bytes_text(buf, NAN), "-");
	EXPECT_STR(num_time_text(buf, NAN), "-");
	EXPECT_STR(num_count_text(buf, NAN), "-");
	EXPECT_STR(num_ratio_text(buf, NAN), "-");
	EXPECT_STR(num_ratio_text(buf, INFINITY), "-");
	EXPECT_STR(num_exact_text(buf, NAN), "");
}

TEST(huge_numbers_stay_in_the_buffer)
{
	static const struct {
		const char *(*text)(char *buf, double v);
		double v;
		const char *expected;
	} cases[] = {
		{ num_bytes_text, -1e300, "-8.67e+281 EiB" },
		{ num_byte_rate_text, -1e300, "-8.67e+281 EiB/s" },
		{ num_byte_rate_text, 1e33, "867361737988404 EiB/s" },
		{ num_byte_rate_text, 1e60, "8.67e+41 EiB/s" },
		{ num_time_text, 1e300, "1.00e+291 s" },
		{ num_count_text, -1e300, "-1.000e+282E" },
		{ num_ratio_text, 1e300, "1.000e+300" },
		{ num_exact_text, -1.7976931348623157e308, "-1.7976931348623157e+308" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct {
			char text[NUM_TEXT], guard[8];
		} b;

		memset(&b, '#', sizeof(b));
		EXPECT_STR(cases[i].text(b.text, cases[i].v), cases[i].expected);
		EXPECT_TRUE(memcmp(b.guard, "########", 8) == 0);
	}
}

TEST(exact_text_reads_back_and_is_short)
{
	static const double values[] = {
		0.1, 1.0 / 3, 1e-300, 123456.789, 9007199254740993.0, 5e-324, 1e22, 2.5e-8,
	};
	char buf[NUM_TEXT];

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		EXPECT_EQ(strtod(num_exact_text(buf, values[i]), NULL), values[i]);
	EXPECT_STR(num_exact_text(buf, 0.1), "0.1");
	EXPECT_STR(num_exact_text(buf, 1.0 / 3), "0.3333333333333333");
	EXPECT_STR(num_exact_text(buf, 1e15), "1000000000000000");
	EXPECT_STR(num_exact_text(buf, 9007199254740991.0), "9007199254740991");
	EXPECT_STR(num_exact_text(buf, -3), "-3");
}

TEST(a_small_fraction_has_no_exponent)
{
	char buf[NUM_TEXT];

	EXPECT_STR(num_fraction_text(buf, 3.9e-06), "<0.001");
	EXPECT_STR(num_fraction_text(buf, 0), "0.000");
	EXPECT_STR(num_fraction_text(buf, 0.001), "0.001");
	EXPECT_STR(num_fraction_text(buf, 0.859), "0.859");
	EXPECT_STR(num_fraction_text(buf, NAN), "-");
}

TEST_MAIN
