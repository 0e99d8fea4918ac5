/* SPDX-License-Identifier: GPL-2.0-only OR GPL-2.0-or-later */
/* The span T of a set of accesses: the time with at least one of them in flight, updated when an
 * access starts or ends (He, Sun, Yin 2013, section III.B). The kernel programs and the preloaded
 * library run this code on the same words and with the same clock, CLOCK_MONOTONIC.
 *
 * T is in one 64-bit word, so an update is one compare-and-swap and a reader needs no lock:
 *
 *   bits  0..19  count of accesses in flight
 *   bits 20..63  if idle: T so far
 *                if busy: start of this busy period - T so far
 *
 * Bits 20..63 count ns modulo 2^44 (4.9 hours). A reader that samples more often than that adds up
 * T without limit: see span_delta_ns().
 *
 * A program that is interrupted between reading the clock and changing the word is late: its time
 * may lie before ends that the word already contains. last_ns, the latest end so far, prevents it
 * from counting time twice or subtracting time. An end is written to last_ns before the word
 * changes, and last_ns is read after the word. So last_ns is not before any end in the word that
 * is then exchanged. */
#ifndef IOSPAN_SPAN_H
#define IOSPAN_SPAN_H

#include "bpf/types.h"

#define SPAN_COUNT_BITS 20
#define SPAN_COUNT_MASK ((1ULL << SPAN_COUNT_BITS) - 1)
/* Enough for every core of a large machine to lose the race several times. In the kernel, where the
 * verifier walks each iteration of a loop, try_again() repeats this loop. */
#ifdef __bpf__
#define SPAN_RETRIES 12
#else
#define SPAN_RETRIES 128
#endif

/* A cache line for each span, so that updates of neighbours do not slow each other down. */
struct span {
	u64 word;
	u64 last_ns;
	u64 first; /* device layer: tag of the request that made the span busy */
	u64 pad[5];
};
_Static_assert(sizeof(struct span) == 64, "one cache line");

enum span_result {
	SPAN_STAYS,	 /* busy: other accesses are in flight */
	SPAN_TRANSITION, /* from idle to busy, or from busy to idle */
	SPAN_REFUSED,	 /* nothing to leave, or the race was lost too often */
};

static inline u64 span_count(u64 word)
{
	return word & SPAN_COUNT_MASK;
}

/* The word after a transition of @word at @now: T <-> start - T. */
static inline u64 span_flip(u64 word, u64 now, u64 count)
{
	return ((now - (word >> SPAN_COUNT_BITS)) << SPAN_COUNT_BITS) | count;
}

/* Later reads do not see older values than this one. */
static inline u64 span_read(const u64 *at)
{
#ifdef __bpf__
	return *(const volatile u64 *)at;
#else
	return __atomic_load_n(at, __ATOMIC_ACQUIRE);
#endif
}

/* Raises last_ns to the end @now. A kernel program saves the atomic operation: it does not sleep,
 * so a lost race costs T no more than the length of an interrupt. */
static inline void span_note_end(struct span *s, u64 now)
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

/* The later of @now and the latest end. To be called after the word was read. */
static inline u64 span_not_before(struct span *s, u64 now)
{
	u64 last = span_read(&s->last_ns);

	return now < last ? last : now;
}

/* span_enter() and span_leave() for the common case, without their loops: other accesses are in
 * flight and the first exchange succeeds. False: the span was not changed. */
static inline bool span_enter_busy(struct span *s)
{
	u64 old = span_read(&s->word);

	return span_count(old) && __sync_val_compare_and_swap(&s->word, old, old + 1) == old;
}

static inline bool span_leave_busy(struct span *s, u64 now)
{
	u64 old = span_read(&s->word);

	if (span_count(old) < 2)
		return false;
	span_note_end(s, now);
	return __sync_val_compare_and_swap(&s->word, old, old - 1) == old;
}

/* The word @old with one more access. */
static inline u64 span_entered(struct span *s, u64 old, u64 now)
{
	return span_count(old) ? old + 1 : span_flip(old, span_not_before(s, now), 1);
}

/* The word @old with one access less; @old has at least one. */
static inline u64 span_left(struct span *s, u64 old, u64 now)
{
	return span_count(old) > 1 ? old - 1 : span_flip(old, span_not_before(s, now), 0);
}

/* An access starts at @now (ns). */
static inline enum span_result span_enter(struct span *s, u64 now)
{
	u64 old = span_read(&s->word);

	for (int i = 0; i < SPAN_RETRIES; i++) {
		u64 n = span_count(old);
		u64 seen = __sync_val_compare_and_swap(&s->word, old, span_entered(s, old, now));

		if (seen == old)
			return n ? SPAN_STAYS : SPAN_TRANSITION;
		old = seen;
	}
	return SPAN_REFUSED;
}

/* An access ends at @now (ns). Never counts below zero. */
static inline enum span_result span_leave(struct span *s, u64 now)
{
	u64 old = span_read(&s->word);

	span_note_end(s, now);
	for (int i = 0; i < SPAN_RETRIES; i++) {
		u64 n = span_count(old);
		u64 seen;

		if (n == 0)
			return SPAN_REFUSED;
		seen = __sync_val_compare_and_swap(&s->word, old, span_left(s, old, now));
		if (seen == old)
			return n > 1 ? SPAN_STAYS : SPAN_TRANSITION;
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

/* From one span_time_ns() to the next. It is slightly negative if the second time was read a few ns
 * earlier, on another core. */
static inline s64 span_delta_ns(u64 from, u64 to)
{
	return (s64)((to - from) << SPAN_COUNT_BITS) >> SPAN_COUNT_BITS;
}

#endif
