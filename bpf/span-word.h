/* SPDX-License-Identifier: GPL-2.0-only OR GPL-2.0-or-later */
/* The span of accesses that come and go: how long at least one was in flight.
 *
 * This is the one online union of the project (seed paper: He, Sun, Yin 2013,
 * section III.B, "T"). The kernel programs and the preloaded library run the
 * same lines on the same words, on one clock (CLOCK_MONOTONIC).
 *
 * T is one 64-bit word, so an update is one compare-and-swap and a reader needs
 * no lock:
 *
 *   bits  0..19  number in flight
 *   bits 20..63  nobody in flight: T so far
 *                somebody:         start of this busy period - T so far
 *
 * The 44-bit part counts ns modulo 2^44 (4.9 hours); a reader who samples more
 * often than that has T without limit: see span_delta_ns().
 *
 * Who comes late, because he was interrupted between the clock and the word,
 * brings a time that lies before what others have entered already. last_ns, the
 * latest end so far, keeps him from counting time twice or taking it away. Whoever
 * leaves tells it before the word, and it is read behind the word: the word that is
 * then exchanged has no end in it that last_ns has not.
 */
#ifndef IOSPAN_SPAN_H
#define IOSPAN_SPAN_H

#include "bpf/types.h"

#define SPAN_COUNT_BITS 20
#define SPAN_COUNT_MASK ((1ULL << SPAN_COUNT_BITS) - 1)
/* Enough for every core of a large machine to lose the race several times. In the kernel,
 * where each turn of a loop is verified, try_again() does the same as often. */
#ifdef __bpf__
#define SPAN_RETRIES 12
#else
#define SPAN_RETRIES 128
#endif

/* One word on a cache line of its own: neighbours do not slow each other. */
struct span {
	u64 word;
	u64 last_ns;
	u64 first; /* device layer: tag of the request that turned it busy */
	u64 pad[5];
};
_Static_assert(sizeof(struct span) == 64, "one cache line");

enum span_result {
	SPAN_STAYS,   /* others were or are in flight */
	SPAN_TURNS,   /* idle became busy, or busy became idle */
	SPAN_REFUSED, /* nothing to leave, or the race was lost too often */
};

static inline u64 span_count(u64 word)
{
	return word & SPAN_COUNT_MASK;
}

/* The next word when @word's state flips at @now: T <-> start - T. */
static inline u64 span_flip(u64 word, u64 now, u64 count)
{
	return ((now - (word >> SPAN_COUNT_BITS)) << SPAN_COUNT_BITS) | count;
}

/* What is read after it is not older. */
static inline u64 span_read(const u64 *at)
{
#ifdef __bpf__
	return *(const volatile u64 *)at;
#else
	return __atomic_load_n(at, __ATOMIC_ACQUIRE);
#endif
}

/* @now is an end. In the kernel's programs, which nobody puts to sleep in the middle, a
 * race on this costs the length of an interrupt and an atomic operation is saved. */
static inline void span_tell_end(struct span *s, u64 now)
{
#ifdef __bpf__
	if (now > span_read(&s->last_ns))
		*(volatile u64 *)&s->last_ns = now;
#else
	u64 last = span_read(&s->last_ns);

	while (now > last &&
	       !__atomic_compare_exchange_n(&s->last_ns, &last, now, false, __ATOMIC_ACQ_REL,
					    __ATOMIC_ACQUIRE))
		;
#endif
}

/* @now, or the latest end where that is later. To be read behind the word. */
static inline u64 span_not_before(struct span *s, u64 now)
{
	u64 last = span_read(&s->last_ns);

	return now < last ? last : now;
}

/* The common case of span_enter() and span_leave(), without their loops: others
 * are in flight too and nobody interferes. False: nothing is done. */
static inline bool span_joins(struct span *s)
{
	u64 old = span_read(&s->word);

	return span_count(old) && __sync_val_compare_and_swap(&s->word, old, old + 1) == old;
}

static inline bool span_parts(struct span *s, u64 now)
{
	u64 old = span_read(&s->word);

	if (span_count(old) < 2)
		return false;
	span_tell_end(s, now);
	return __sync_val_compare_and_swap(&s->word, old, old - 1) == old;
}

/* The word after @old, with one access more. */
static inline u64 span_entered(struct span *s, u64 old, u64 now)
{
	return span_count(old) ? old + 1 : span_flip(old, span_not_before(s, now), 1);
}

/* The word after @old, with one access less; @old has one at least. */
static inline u64 span_left(struct span *s, u64 old, u64 now)
{
	return span_count(old) > 1 ? old - 1 : span_flip(old, span_not_before(s, now), 0);
}

/* An access begins at @now (ns). */
static inline enum span_result span_enter(struct span *s, u64 now)
{
	u64 old = span_read(&s->word);

	for (int i = 0; i < SPAN_RETRIES; i++) {
		u64 n = span_count(old);
		u64 seen = __sync_val_compare_and_swap(&s->word, old, span_entered(s, old, now));

		if (seen == old)
			return n ? SPAN_STAYS : SPAN_TURNS;
		old = seen;
	}
	return SPAN_REFUSED;
}

/* An access ends at @now (ns). Never counts below zero. */
static inline enum span_result span_leave(struct span *s, u64 now)
{
	u64 old = span_read(&s->word);

	span_tell_end(s, now);
	for (int i = 0; i < SPAN_RETRIES; i++) {
		u64 n = span_count(old);
		u64 seen;

		if (n == 0)
			return SPAN_REFUSED;
		seen = __sync_val_compare_and_swap(&s->word, old, span_left(s, old, now));
		if (seen == old)
			return n > 1 ? SPAN_STAYS : SPAN_TURNS;
		old = seen;
	}
	return SPAN_REFUSED;
}

/* T in @word at time @now, modulo 2^44 ns. */
static inline u64 span_time_ns(u64 word, u64 now)
{
	u64 value = word >> SPAN_COUNT_BITS;

	return (span_count(word) ? now - value : value) & (~0ULL >> SPAN_COUNT_BITS);
}

/* From one reading of span_time_ns() to the next; a reading that lies a few
 * ns before the last one (two clocks, two cores) gives a small negative. */
static inline s64 span_delta_ns(u64 from, u64 to)
{
	return (s64)((to - from) << SPAN_COUNT_BITS) >> SPAN_COUNT_BITS;
}

#endif
