/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads of what does not lie together, as MPI-IO's are: a request is for bytes of the data, which
 * are regions of a file with holes between them. The processes take turns, region by region, as
 * in HPIO (Ching and others 2006): process p of n has the regions p, p + n, p + 2n, ...
 *
 * Data sieving (Thakur, Gropp, Lusk 1999) reads holes too: a window begins with the first byte
 * wanted that has not been read, and has as many bytes as the buffer, but none past the last
 * byte wanted. That is ROMIO's ADIOI_GEN_ReadStrided().
 *
 * Or in two phases (the same): the processes read all from the first byte that one of them wants to
 * the last one, each as much as its buffer holds, then take what is theirs from all buffers. */
#ifndef IOSPAN_BENCH_SIEVE_H
#define IOSPAN_BENCH_SIEVE_H

#include "bpf/types.h"

struct regions {
	u64 size, spacing; /* of a region, of the hole after it */
	u64 buffer;	   /* of data sieving; 0: each region is read by itself */
	u64 shared;	   /* of each process, of two phases; 0: each reads for itself */
};

/* Where in the file process @number of @procs has byte @at of its data. */
static inline u64 region_place(const struct regions *r, u64 number, u64 procs, u64 at)
{
	return (at / r->size * procs + number) * (r->size + r->spacing) + at % r->size;
}

extern const struct engine engine_sieve; /* of loads with .regions */

#endif
