/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Non-contiguous reads as MPI-IO makes them. A region is a contiguous piece of the file that a
 * process requests; holes lie between the regions. As in HPIO (Ching and others 2006), the
 * processes alternate in the file: process p of n reads the regions p, p + n, p + 2n and so on. The
 * offset of a request skips all bytes of holes and of other processes: offset 0 is the first byte
 * of the process's first region.
 *
 * Data sieving (Thakur, Gropp, Lusk 1999) also reads the holes. The process reads a window, a
 * contiguous piece of the file that fills its buffer, and takes its regions from the window. The
 * next window starts at the next byte that the process requests, as in ROMIO's
 * ADIOI_GEN_ReadStrided().
 *
 * A two-phase read (same paper) has several steps. First, each process reads a contiguous piece of
 * the file into shared memory. Then, each process copies its regions from the shared memory.
 * Together, the processes read the file from its start to the last requested byte. */
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

/* Returns the file offset of byte @at of a process's data. Byte 0 is the first byte of the
 * process's first region; holes are skipped. The process has the number @number, 0 to @procs -
 * 1. */
static inline u64 region_place(const struct regions *r, u64 number, u64 procs, u64 at)
{
	return (at / r->size * procs + number) * (r->size + r->spacing) + at % r->size;
}

#endif
