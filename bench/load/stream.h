/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The requests of one process: where, how big, read or write. The same seed gives the
 * same requests. */
#ifndef IOSPAN_STREAM_H
#define IOSPAN_STREAM_H

#include <stdbool.h>
#include "bpf/types.h"

/* Sizes of requests, in units of the alignment: each entry is as likely as another. */
#define STREAM_SIZES 4096
struct size_table {
	u32 units[STREAM_SIZES];
	u32 most;
	double mean, cv; /* of the table, in units; cv: deviation / mean */
};

struct stream_spec {
	u64 unique_bytes;		/* footprint of one process */
	u64 align;			/* of offsets and sizes */
	u64 size;			/* of a request, unless there are: */
	const struct size_table *sizes; /* else NULL */
	double read, seq;		/* shares, 0..1 */
	double zipf;			/* exponent of the offsets' popularity; 0: all alike */
	u64 seed;
};

struct stream {
	u64 state[4];
	u64 base, units;	   /* footprint in units of align */
	u64 next;		   /* where a sequential request begins, in units */
	u64 read_below, seq_below; /* share * 2^32 */
	u32 unit_bytes, size_units;
	const struct size_table *sizes;
	struct zipf {
		double exponent, h_x1, h_n, s;
		u64 stride; /* spreads the popular ones */
	} zipf;
};

/* The biggest request that there can be. */
static inline u64 stream_most_bytes(const struct stream_spec *spec)
{
	return spec->sizes ? spec->sizes->most * spec->align : spec->size;
}

/* Process number @number's stream, on part @place of its target. */
void stream_init(struct stream *s, const struct stream_spec *spec, u64 number, u64 place);

/* The normal distribution of Chen and Patterson 1993, whose deviation is its mean. What is
 * not above 0 is drawn again, and all is scaled so that the mean is @mean units: then the
 * deviation is 0.62 of it. */
void sizes_normal(struct size_table *t, double mean);
/* Of the same mean and deviation, as it was meant: the exponential distribution. */
void sizes_exponential(struct size_table *t, double mean);
/* "4k:60,64k:30,1M:10": sizes and their weights, in units of @align. -errno, printed. */
int sizes_list(struct size_table *t, const char *list, u64 align);

/* Where a request goes under Zipf's law, 0..@s->units - 1. */
u64 stream_popular(struct stream *s);

/* xoshiro256++ (Blackman and Vigna 2018): passes BigCrush, some 1 ns. */
static inline u64 stream_random(struct stream *s)
{
	u64 *x = s->state, sum = x[0] + x[3], result = (sum << 23 | sum >> 41) + x[0];
	u64 shifted = x[1] << 17;

	x[2] ^= x[0];
	x[3] ^= x[1];
	x[1] ^= x[2];
	x[0] ^= x[3];
	x[2] ^= shifted;
	x[3] = x[3] << 45 | x[3] >> 19;
	return result;
}

/* Spreads the bits of a number over all others: the end of splitmix64 (Steele, Lea, Flood
 * 2014). */
static inline u64 stream_mix(u64 z)
{
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

/* Even over 0..@n-1: the upper half of a product (Lemire 2019), whose bias of n / 2^64
 * nobody can see. */
static inline u64 stream_below(struct stream *s, u64 n)
{
	return (unsigned __int128)stream_random(s) * n >> 64;
}

/* 0 <= u < 1 */
static inline double stream_unit(struct stream *s)
{
	return (stream_random(s) >> 11) * 0x1p-53;
}

static inline void stream_next(struct stream *s, u64 *offset, u32 *bytes, bool *write)
{
	u64 dice = stream_random(s), units = s->size_units, at = s->next;

	if (s->sizes)
		units = s->sizes->units[stream_random(s) & (STREAM_SIZES - 1)];
	*write = (dice & 0xffffffff) >= s->read_below;
	if (dice >> 32 >= s->seq_below)
		at = s->zipf.exponent ? stream_popular(s) : stream_below(s, s->units - units + 1);
	if (at + units > s->units)
		at = dice >> 32 >= s->seq_below ? s->units - units : 0;
	s->next = at + units;
	*offset = s->base + at * s->unit_bytes;
	*bytes = units * s->unit_bytes;
}

#endif
