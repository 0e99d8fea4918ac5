/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Non-contiguous reads as MPI-IO makes them. The data of a process are regions of a file with holes
 * between them. Offsets of requests count only bytes of these regions. The regions of the processes
 * alternate, as in HPIO (Ching and others 2006): process p of n has the regions p, p + n, p + 2n,
 * ...
 *
 * Data sieving (Thakur, Gropp, Lusk 1999) also reads the holes. A process reads windows of the file
 * into a buffer, as ROMIO's ADIOI_GEN_ReadStrided() does. A window starts at the first requested
 * byte that was not read yet. It is as long as the buffer, but ends at the last requested byte.
 *
 * Two-phase reads (same paper) have two steps. First the processes together read everything from
 * the first to the last byte that any of them requests, each into a buffer of its own. Then each
 * process copies its regions from all buffers. */
#ifndef IOSPAN_BENCH_SIEVE_H
#define IOSPAN_BENCH_SIEVE_H

#include "bpf/types.h"

struct regions {
	u64 size, spacing; /* bytes of a region, and of the hole after it */
	/* bytes that data sieving reads at once; 0: no sieving, each region is read on its own */
	u64 buffer;
	/* bytes that each process reads in a two-phase read; 0: no two-phase reads */
	u64 shared;
};

/* Returns the file offset of byte @at of a process's data. @number: the process, of @procs. */
static inline u64 region_place(const struct regions *r, u64 number, u64 procs, u64 at)
{
	return (at / r->size * procs + number) * (r->size + r->spacing) + at % r->size;
}

#endif
