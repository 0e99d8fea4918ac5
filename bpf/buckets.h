/* SPDX-License-Identifier: GPL-2.0-only OR GPL-2.0-or-later */
/* Log-linear histogram of times: 16 buckets of equal width between a power of two and the next. So
 * the width of a bucket is at most 1/16 of the times in it. Below 32 ns, a bucket is 1 ns wide. */
#ifndef IOSPAN_BPF_HIST_H
#define IOSPAN_BPF_HIST_H

#include "bpf/types.h"

#define HIST_SUB_BITS 4
#define HIST_SUB (1 << HIST_SUB_BITS)
#define HIST_MAX_LOG2 39 /* the last bucket includes all times from 2^40 ns (18 min) */
#define HIST_BUCKETS ((HIST_MAX_LOG2 - HIST_SUB_BITS + 2) * HIST_SUB)

/* Returns the position of the highest 1 bit of @v, which is not 0. BPF has no instruction for
 * this. */
static inline u32 hist_log2(u64 v)
{
#ifdef __bpf__
	u32 r = 0;

#pragma unroll
	for (u32 bits = 32; bits >= 4; bits /= 2) {
		if (v >> bits) {
			v >>= bits;
			r += bits;
			/* This statement makes the compiler use one branch for v and r instead of
			 * two. */
			asm volatile("" : "+r"(v));
		}
	}
	/* v is below 16 now. The constant is a table: its bits 2 * v and 2 * v + 1 are the position
	 * of the highest 1 bit of v. */
	return r + (0xffffaa50U >> 2 * v & 3);
#else
	return 63 - __builtin_clzll(v);
#endif
}

static inline u32 hist_index(u64 ns)
{
	u32 log2;

	if (ns < HIST_SUB)
		return ns;
	log2 = hist_log2(ns);
	if (log2 > HIST_MAX_LOG2)
		return HIST_BUCKETS - 1;
	return (log2 - HIST_SUB_BITS + 1) * HIST_SUB +
		((ns >> (log2 - HIST_SUB_BITS)) & (HIST_SUB - 1));
}

/* Returns the smallest time in bucket number @i. If @i is HIST_BUCKETS, returns the end of the last
 * bucket. */
static inline u64 hist_floor_ns(u32 i)
{
	u32 octave = i >> HIST_SUB_BITS;

	if (octave == 0)
		return i;
	return (u64)(HIST_SUB + (i & (HIST_SUB - 1))) << (octave - 1);
}

#endif
