/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Generates the stream of one process: its sequence of random requests, by the workload model of
 * Chen and Patterson 1993, section 5. Equal seeds give equal requests. A unit is the alignment of
 * requests; offsets and sizes are multiples of it. */
#ifndef IOSPAN_LOAD_STREAM_H
#define IOSPAN_LOAD_STREAM_H

#include <stdbool.h>
#include "bpf/types.h"

/* A distribution of request sizes, as a table of sizes in units of the alignment. Each request
 * takes a random entry of the table. */
#define STREAM_SIZES 4096
struct size_table {
	u32 units[STREAM_SIZES];
	u32 most;
	/* .mean: in units. .cv: coefficient of variation, standard deviation / mean */
	double mean, cv;
};

struct stream_spec {
	u64 unique_bytes; /* bytes of data that one process accesses */
	u64 align;	  /* bytes of a unit; offsets and sizes are multiples of a unit */
	u64 size;	  /* bytes of each request, if .sizes is NULL */
	/* the sizes of requests, randomly distributed; NULL: all have .size bytes */
	const struct size_table *sizes;
	/* .read: fraction of reads, 0..1 (readFrac of Chen and Patterson 1993). .seq: fraction of
	 * sequential requests, 0..1 (seqFrac). */
	double read, seq;
	/* exponent of Zipf's law for the offsets; 0: all offsets are equally likely */
	double zipf;
	u64 seed;
};

struct stream {
	u64 state[4];
	u64 base, units; /* the process accesses .units units, from offset .base (in bytes) on */
	/* end of the previous request, where a sequential request starts; in units from .base */
	u64 next;
	/* A request is a read if 32 random bits are below .read_below. It is sequential if 32 other
	 * random bits are below .seq_below. */
	u64 read_below, seq_below;
	u32 unit_bytes, size_units;
	const struct size_table *sizes;
	struct zipf {
		double exponent, h_x1, h_n, s;
		/* distance in units between the offsets of two successive ranks of popularity */
		u64 stride;
	} zipf;
};

static inline u64 stream_most_bytes(const struct stream_spec *spec)
{
	return spec->sizes ? spec->sizes->most * spec->align : spec->size;
}

/* Prepares @s to generate the requests of process @number, which accesses part @part of its target.
 * The target is divided into parts of unique_bytes. */
void stream_init(struct stream *s, const struct stream_spec *spec, u64 number, u64 part);

/* Fills @t with normally distributed sizes with a mean of @mean units and a coefficient of
 * variation of 1 (Chen and Patterson 1993, section 5). The paper does not describe how it treats
 * negative sizes. Here, each size below one unit becomes one unit. To make up for this, mean and
 * standard deviation of the normal distribution are chosen so that the resulting sizes have the
 * required mean and coefficient of variation. No size exceeds STREAM_NORMAL_MOST times the mean. So
 * if @mean is less than about two units, the coefficient is below 1. @t->cv is the actual
 * coefficient. */
#define STREAM_NORMAL_MOST 6
void sizes_normal(struct size_table *t, double mean);
/* Fills @t with exponentially distributed sizes with a mean of @mean units. The coefficient of
 * variation is 1, and no size is negative. */
void sizes_exponential(struct size_table *t, double mean);
/* Fills @t from a list of sizes with weights, such as "4k:60,64k:30,1M:10". @align is the bytes of
 * a unit. Returns 0 or -errno; prints the error. */
int sizes_list(struct size_table *t, const char *list, u64 align);

/* Returns a random offset in units by Zipf's law. */
u64 stream_popular(struct stream *s);

/* Returns 64 random bits by xoshiro256++ (Blackman and Vigna 2018) in about 1 ns. */
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

/* Returns a hash of @z: the last step of splitmix64 (Steele, Lea, Flood 2014). */
static inline u64 stream_mix(u64 z)
{
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

/* Returns a random number in 0..@n-1, by the method of Lemire 2019. The deviation from equal
 * probability, n / 2^64, is negligible. */
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
