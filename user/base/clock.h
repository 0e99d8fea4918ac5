/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clock of all time stamps in iospan, at every layer: CLOCK_MONOTONIC in ns. */
#ifndef IOSPAN_CLOCK_H
#define IOSPAN_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* Returns the length of the kernel's tick (jiffy) in ns. */
static inline uint64_t clock_tick_ns(void)
{
	struct timespec t;

	clock_getres(CLOCK_MONOTONIC_COARSE, &t);
	return t.tv_nsec;
}

#endif
