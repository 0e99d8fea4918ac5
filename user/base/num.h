/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses numbers strictly, and formats numbers for people and for programs. */
#ifndef IOSPAN_NUM_H
#define IOSPAN_NUM_H

#include <stddef.h>
#include <stdint.h>

/* num_uint(), num_size(), num_time() and num_real() parse all of @s as a number. They return 0. If
 * @s is empty or has a sign or trailing text, they return -EINVAL; on overflow, -ERANGE. They print
 * nothing. */
int num_uint(const char *s, uint64_t *v);
/* accepts 4096, 4k, 1.5M, 2GiB; also 64MB, which is 64 * 1000^2 */
int num_size(const char *s, uint64_t *bytes);
/* parses a time, such as 10 or 10s, 0.5ms, 3us, 7ns, 2m, 1h */
int num_time(const char *s, uint64_t *ns);
int num_real(const char *s, double *v); /* parses a number, such as 0.67, 67%, 3 */

/* num_bytes_text() to num_fraction_text() format a number for people, with 3 or 4 significant
 * digits. A number that is too large even in the largest unit (10^15 and more) gets an exponent.
 * These functions write to @buf of NUM_TEXT bytes and return @buf. NaN and infinity give "-". */
#define NUM_TEXT 48
const char *num_bytes_text(char *buf, double bytes);	/* a size, such as "1.50 MiB" */
const char *num_byte_rate_text(char *buf, double rate); /* a rate, such as "1.50 MiB/s" */
const char *num_time_text(char *buf, double ns);	/* a time, such as "83.2 us" */
/* a count, such as "182.3k"; exact below 100000 */
const char *num_count_text(char *buf, double n);
const char *num_ratio_text(char *buf, double r); /* a ratio, such as "0.972" */
/* like num_ratio_text(), but "<0.001" for a number between 0 and 0.001 */
const char *num_fraction_text(char *buf, double r);

/* Returns the number after @n in the sequence 1, 2, 5, 10, 20, 50, 100 ... @n must be in the
 * sequence. */
uint64_t num_next_step(uint64_t n);

/* Returns @one if @n is 1, else @many. For example, @one is "" and @many is "s" at the end of a
 * noun. */
const char *num_word(uint64_t n, const char *one, const char *many);

/* Return the shortest text that num_size() or num_time() parses as the same value. @buf has
 * NUM_TEXT bytes. */
const char *num_size_arg(char *buf, uint64_t bytes); /* a size, such as "4k" */
const char *num_time_arg(char *buf, uint64_t ns);    /* a time, such as "5ms" */

/* Formats @v for programs, in @buf of NUM_TEXT bytes, with the fewest digits that parse as the same
 * number. NaN and infinity give "". */
const char *num_exact_text(char *buf, double v);
const char *num_whole_text(char *buf, unsigned __int128 v); /* formats @v with all its digits */

#endif
