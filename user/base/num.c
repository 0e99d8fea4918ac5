// SPDX-License-Identifier: GPL-2.0-or-later
/* Parses and formats numbers. A unit is a name such as "KiB" and the factor for which it stands. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "user/base/num.h"

#define ROUNDED_TEXT 20 /* bytes of a buffer for a rounded number without its unit */

struct unit {
	const char *name;
	uint64_t factor;
};

/* Units that are powers of 1024. If two units have the same factor, num_size_arg() prints the first
 * one, such as "k" and not "KiB". */
static const struct unit size_units[] = {
	{ "", 1 },
	{ "k", 1ULL << 10 },
	{ "KiB", 1ULL << 10 },
	{ "M", 1ULL << 20 },
	{ "MiB", 1ULL << 20 },
	{ "G", 1ULL << 30 },
	{ "GiB", 1ULL << 30 },
	{ "T", 1ULL << 40 },
	{ "TiB", 1ULL << 40 },
	{ "P", 1ULL << 50 },
	{ "PiB", 1ULL << 50 },
	{ "E", 1ULL << 60 },
	{ "EiB", 1ULL << 60 },
	{ NULL, 0 },
};

/* SI units, as on a disk's label. num_size() accepts them; num_size_arg() does not print them. */
static const struct unit decimal_units[] = {
	{ "KB", 1000 },
	{ "MB", 1000000 },
	{ "GB", 1000000000 },
	{ "TB", 1000000000000 },
	{ "PB", 1000000000000000 },
	{ "EB", 1000000000000000000 },
	{ NULL, 0 },
};

static const struct unit time_units[] = {
	{ "ns", 1 },	      { "us", 1000 },	      { "ms", 1000000 },  { "s", 1000000000 },
	{ "m", 60000000000 }, { "h", 3600000000000 }, { "", 1000000000 }, { NULL, 0 },
};

static const struct unit no_units[] = {
	{ "", 1 },
	{ NULL, 0 },
};

/* Parses the digits after a decimal point as the fraction *@fraction / *@scale, such as 25 / 100.
 * The caller sets *@fraction to 0 and *@scale to 1. Ignores digits after the ninth. Returns the end
 * of the digits. */
static const char *parse_fraction(const char *s, uint64_t *fraction, uint64_t *scale)
{
	for (; *s >= '0' && *s <= '9'; s++) {
		if (*scale >= 1000000000)
			continue;
		*fraction = *fraction * 10 + (*s - '0');
		*scale *= 10;
	}
	return s;
}

/* Parses @s: a decimal number, then the name of one of @units. @same() compares two names, and
 * returns 0 if they are equal. Sets *@v to the value, rounded down to an integer. A leading 0 does
 * not make the number octal. The locale has no effect. */
static int parse_number(const char *s, const struct unit *units,
			int (*same)(const char *, const char *), uint64_t *v)
{
	const char *digits = s;
	uint64_t n = 0, fraction = 0, scale = 1;
	int over = 0;

	for (; *s >= '0' && *s <= '9'; s++)
		over |= __builtin_mul_overflow(n, 10, &n) |
			__builtin_add_overflow(n, (uint64_t)(*s - '0'), &n);
	if (s == digits)
		return -EINVAL;
	if (*s == '.') {
		s = parse_fraction(s + 1, &fraction, &scale);
		if (s[-1] == '.')
			return -EINVAL;
	}
	while (units->name && same(units->name, s) != 0)
		units++;
	if (!units->name || (scale > 1 && units->factor == 1))
		return -EINVAL;
	fraction = (unsigned __int128)fraction * units->factor / scale;
	if (over | __builtin_mul_overflow(n, units->factor, &n) |
	    __builtin_add_overflow(n, fraction, &n))
		return -ERANGE;
	*v = n;
	return 0;
}

int num_uint(const char *s, uint64_t *v)
{
	return parse_number(s, no_units, strcmp, v);
}

int num_size(const char *s, uint64_t *bytes)
{
	int ret = parse_number(s, size_units, strcasecmp, bytes);

	return ret == -EINVAL ? parse_number(s, decimal_units, strcasecmp, bytes) : ret;
}

int num_time(const char *s, uint64_t *ns)
{
	return parse_number(s, time_units, strcmp, ns);
}

int num_real(const char *s, double *v)
{
	size_t whole = strspn(s, "0123456789"), rest = whole;
	double n;

	if (whole && s[rest] == '.')
		rest += 1 + strspn(s + rest + 1, "0123456789");
	if (!whole || s[rest - 1] == '.' || (s[rest] && strcmp(s + rest, "%")))
		return -EINVAL;
	/* the decimal point is '.', because iospan never sets LC_NUMERIC */
	n = strtod(s, NULL);
	if (isinf(n))
		return -ERANGE;
	*v = s[rest] ? n / 100 : n;
	return 0;
}

/* Formats @v with the largest unit that needs no fraction, such as 4096 as "4k". */
static const char *arg_text(char *buf, uint64_t v, const struct unit *units)
{
	const struct unit *best = units;

	for (; units->name; units++)
		if (v && v % units->factor == 0 && units->factor > best->factor)
			best = units;
	snprintf(buf, NUM_TEXT, "%ju%s", (uintmax_t)(v / best->factor), best->name);
	return buf;
}

const char *num_size_arg(char *buf, uint64_t bytes)
{
	return arg_text(buf, bytes, size_units);
}

const char *num_time_arg(char *buf, uint64_t ns)
{
	return arg_text(buf, ns, time_units);
}

/* Formats @v with @digits significant digits in @buf of ROUNDED_TEXT bytes. Below 10^15, all digits
 * before the decimal point are printed. */
static const char *rounded_text(char *buf, double v, int digits)
{
	int decimals = digits - 1;
	double end = 10;

	if (fabs(v) >= 1e15) {
		snprintf(buf, ROUNDED_TEXT, "%.*e", digits - 1, v);
		return buf;
	}
	/* Rounding may add a digit before the decimal point: 9.996 is printed as 10.0, not as
	 * 10.00. */
	while (decimals > 0 && fabs(v) >= end - 0.5 * pow(10, -decimals)) {
		end *= 10;
		decimals--;
	}
	snprintf(buf, ROUNDED_TEXT, "%.*f", decimals, v);
	return buf;
}

/* Formats @v in one of @units, which ascend by the factor @step. Uses the first unit in which the
 * value is below @step. */
static const char *scaled_text(char *buf, double v, int digits, double step,
			       const char *const *units)
{
	/* From this limit on, rounding would give @step or more, such as "1024 B". So the next unit
	 * is used: "1.00 KiB". */
	double limit = step - 0.5 * pow(10, 3 - digits);
	char number[ROUNDED_TEXT];

	while (units[1] && fabs(v) >= limit) {
		v /= step;
		units++;
	}
	snprintf(buf, NUM_TEXT, "%s%s", rounded_text(number, v, digits), *units);
	return buf;
}

static const char *whole_text(char *buf, double v, const char *unit)
{
	snprintf(buf, NUM_TEXT, "%.0f%s", v, unit);
	return buf;
}

const char *num_bytes_text(char *buf, double bytes)
{
	static const char *const units[] = {
		" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB", NULL,
	};

	if (!isfinite(bytes))
		return strcpy(buf, "-");
	if (bytes == trunc(bytes) && fabs(bytes) < 1024)
		return whole_text(buf, bytes, units[0]);
	return scaled_text(buf, bytes, 3, 1024, units);
}

const char *num_byte_rate_text(char *buf, double rate)
{
	num_bytes_text(buf, rate);
	return isfinite(rate) ? strcat(buf, "/s") : buf;
}

const char *num_time_text(char *buf, double ns)
{
	static const char *const units[] = { " ns", " us", " ms", " s", NULL };

	if (!isfinite(ns))
		return strcpy(buf, "-");
	if (ns == trunc(ns) && fabs(ns) < 1000)
		return whole_text(buf, ns, units[0]);
	return scaled_text(buf, ns, 3, 1000, units);
}

const char *num_count_text(char *buf, double n)
{
	static const char *const units[] = { "k", "M", "G", "T", "P", "E", NULL };

	if (!isfinite(n))
		return strcpy(buf, "-");
	if (fabs(n) >= 99999.5)
		return scaled_text(buf, n / 1000, 4, 1000, units);
	return n == trunc(n) ? whole_text(buf, n, "") : rounded_text(buf, n, 3);
}

const char *num_fraction_text(char *buf, double r)
{
	return r > 0 && r < 0.001 ? strcpy(buf, "<0.001") : num_ratio_text(buf, r);
}

const char *num_ratio_text(char *buf, double r)
{
	if (!isfinite(r))
		return strcpy(buf, "-");
	/* prints 2 digits, as in "0.00012" or "1.2e-05", because 3 decimals would show "0.000" */
	if (r != 0 && fabs(r) < 0.001)
		snprintf(buf, NUM_TEXT, "%.2g", r);
	else
		rounded_text(buf, r, 4);
	return buf;
}

const char *num_word(uint64_t n, const char *one, const char *many)
{
	return n == 1 ? one : many;
}

const char *num_exact_text(char *buf, double v)
{
	int digits = 15;

	if (!isfinite(v))
		return strcpy(buf, "");
	if (v == trunc(v) && fabs(v) < 1LL << 53)
		return whole_text(buf, v, "");
	do
		snprintf(buf, NUM_TEXT, "%.*g", digits, v);
	while (strtod(buf, NULL) != v && digits++ < 17);
	return buf;
}

const char *num_whole_text(char *buf, unsigned __int128 v)
{
	/* 10^19, the largest power of ten in 64 bits */
	static const unsigned __int128 step = 10000000000000000000ULL;

	if (v < step)
		sprintf(buf, "%ju", (uintmax_t)v);
	else
		sprintf(buf + strlen(num_whole_text(buf, v / step)), "%019ju",
			(uintmax_t)(v % step));
	return buf;
}

uint64_t num_next_step(uint64_t n)
{
	uint64_t ten = 1;

	while (n / ten >= 10)
		ten *= 10;
	return n / ten == 2 ? 5 * ten : n / ten == 1 ? 2 * ten : 10 * ten;
}
