/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sequence of requests of one process: offset, size, and read or write. The workload model is
 * that of Chen and Patterson 1993, section 5. Equal seeds give equal sequences. */
#ifndef IOSPAN_LOAD_STREAM_H
#define IOSPAN_LOAD_STREAM_H

#include <stdbool.h>
#include "bpf/types.h"

/* Table of request sizes in units of the alignment. A request draws one of its entries, all with
 * equal probability. */
#define STREAM_SIZES 4096
struct size_table {
	u32 units[STREAM_SIZES];
	u32 most;
	double mean, cv; /* mean size in units; cv: standard deviation / mean */
};

struct stream_spec {
	u64 unique_bytes; /* amount of data that one process accesses, in bytes */
	u64 align;	  /* bytes of a unit: offsets and sizes are multiples of it */
	u64 size;	  /* bytes of each request, if .sizes is NULL */
	/* distribution of the sizes; NULL: all requests have .size bytes */
	const struct size_table *sizes;
	double read, seq; /* readFrac and seqFrac of the paper, 0..1 */
	double zipf;	  /* Zipf exponent of the offsets; 0: uniform offsets */
	u64 seed;
};

struct stream {
	u64 state[4];
	u64 base, units;	   /* accessed range: its first byte, its size in units of align */
	u64 next;		   /* offset of the next sequential request, in units from .base */
	u64 read_below, seq_below; /* probability of a read, of a sequential request, times 2^32 */
	u32 unit_bytes, size_units;
	const struct size_table *sizes;
	struct zipf {
		double exponent, h_x1, h_n, s;
		u64 stride; /* distance between successive ranks, in units */
	} zipf;
};

/* Returns the bytes of the largest possible request. */
static inline u64 stream_most_bytes(const struct stream_spec *spec)
{
	return spec->sizes ? spec->sizes->most * spec->align : spec->size;
}

/* Initializes the stream of process @number, which accesses part @part of its target. A target is
 * divided into parts of unique_bytes. */
void stream_init(struct stream *s, const struct stream_spec *spec, u64 number, u64 part);

/* Fills @t with the normal distribution of Chen and Patterson 1993, section 5, which has a
 * coefficient of variation of 1. The paper does not say how to treat its negative sizes. Here it is
 * truncated to values above 0 and scaled to a mean of @mean units. That leaves a coefficient of
 * variation of 0.62. */
void sizes_normal(struct size_table *t, double mean);
/* Fills @t with the exponential distribution with a mean of @mean units. It has a coefficient of
 * variation of 1 without negative sizes. */
void sizes_exponential(struct size_table *t, double mean);
/* Fills @t from a list of sizes with weights, such as "4k:60,64k:30,1M:10". @align: bytes of a
 * unit. Returns 0 or -errno; prints the error. */
int sizes_list(struct size_table *t, const char *list, u64 align);

/* Draws a random offset by Zipf's law, in units: 0..@s->units - 1. */
u64 stream_popular(struct stream *s);

/* Returns 64 random bits by xoshiro256++ (Blackman and Vigna 2018), which passes the tests of
 * BigCrush and takes about 1 ns. */
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

/* Mixes the bits of @z by the finalizer of splitmix64 (Steele, Lea, Flood 2014). */
static inline u64 stream_mix(u64 z)
{
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

/* Returns a uniform random number in 0..@n-1: the upper half of a 128-bit product (Lemire 2019).
 * Its bias of n / 2^64 is negligible. */
static inline u64 stream_below(struct stream *s, u64 n)
{
	return (unsigned __int128)stream_random(s) * n >> 64;
}

/* Returns a uniform random number u with 0 <= u < 1. */
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
