/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses numbers strictly, and formats them for people and for programs. */
#ifndef IOSPAN_NUM_H
#define IOSPAN_NUM_H

#include <stddef.h>
#include <stdint.h>

/* Each parses all of @s. Returns -EINVAL for an empty text, a sign or trailing text, and -ERANGE
 * for overflow. Prints nothing. */
int num_uint(const char *s, uint64_t *v);
int num_size(const char *s, uint64_t *bytes); /* 4096, 4k, 1.5M, 2GiB; 64MB is 64 * 1000^2 */
int num_time(const char *s, uint64_t *ns);    /* 10, 10s, 0.5ms, 3us, 7ns, 2m, 1h */
int num_real(const char *s, double *v);	      /* 0.67, 67%, 3 */

/* Text for people: three or four significant digits and the unit. Each function writes to @buf,
 * of NUM_TEXT bytes, and returns it. NaN and infinity give "-"; a number with more than 15 digits
 * has an exponent. */
#define NUM_TEXT 48
const char *num_bytes_text(char *buf, double bytes);	/* 1.50 MiB */
const char *num_byte_rate_text(char *buf, double rate); /* 1.50 MiB/s */
const char *num_time_text(char *buf, double ns);	/* 83.2 us */
const char *num_count_text(char *buf, double n);	/* 182.3k; exact below 100000 */
const char *num_ratio_text(char *buf, double r);	/* 0.972 */

/* Returns @one if @n is 1, else @many: the ending of a noun, or a verb. */
const char *num_word(uint64_t n, const char *one, const char *many);

/* The shortest text that num_size() and num_time() parse as the same value. */
const char *num_size_arg(char *buf, uint64_t bytes); /* 4k */
const char *num_time_arg(char *buf, uint64_t ns);    /* 5ms */

/* Text for programs: the fewest digits that parse as the same number; integers below 2^53 have
 * all digits. NaN and infinity give "". @buf as above. */
const char *num_exact_text(char *buf, double v);
const char *num_whole_text(char *buf, unsigned __int128 v); /* all digits */

#endif
