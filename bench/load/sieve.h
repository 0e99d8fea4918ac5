/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Non-contiguous reads as MPI-IO makes them. A process reads regions of a file with holes between
 * them. Its requests have offsets that count only the bytes of its own regions. As in HPIO (Ching
 * and others 2006), process p of n has the regions p, p + n, p + 2n, ...
 *
 * Data sieving (Thakur, Gropp, Lusk 1999) also reads the holes. A process reads windows of a
 * buffer's length. Each window starts at the next requested byte, as in ROMIO's
 * ADIOI_GEN_ReadStrided().
 *
 * In a two-phase read (same paper), the processes together read the file from the first to the last
 * byte that any of them requests. Each process reads one buffer length into shared memory. Then
 * each process copies its regions from there. */
#ifndef IOSPAN_BENCH_SIEVE_H
#define IOSPAN_BENCH_SIEVE_H

#include "bpf/types.h"

struct regions {
	/* .size: bytes of a region. .spacing: bytes of the hole after each region. */
	u64 size, spacing;
	/* bytes that data sieving reads at once; 0: no sieving, so each region is read by a request
	 * of its own */
	u64 buffer;
	/* bytes that each process reads in one step of a two-phase read; 0: no two-phase reads */
	u64 shared;
};

/* Returns the file offset of byte @at of a process's data. @at counts only the bytes of the
 * process's regions. The process has the number @number, 0 to @procs - 1. */
static inline u64 region_place(const struct regions *r, u64 number, u64 procs, u64 at)
{
	return (at / r->size * procs + number) * (r->size + r->spacing) + at % r->size;
}

#endif
