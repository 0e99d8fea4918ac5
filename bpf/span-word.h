/* SPDX-License-Identifier: GPL-2.0-only OR GPL-2.0-or-later */
/* The span T of a set of accesses: the time with at least one of them in flight. It is updated when
 * an access starts or ends (He, Sun, Yin 2013, section III.B). The BPF programs and the preloaded
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
 * A program may be interrupted between reading the clock and changing the word. Then its time may
 * lie before an end that the word already contains. last_ns, the latest end so far, prevents the
 * program from counting time twice and from subtracting time. An end is written to last_ns before
 * the word changes, and last_ns is read after the word. So last_ns is not before any end in the
 * word that is then exchanged. */
#ifndef IOSPAN_SPAN_H
#define IOSPAN_SPAN_H

#include "bpf/types.h"

#define SPAN_COUNT_BITS 20
#define SPAN_COUNT_MASK ((1ULL << SPAN_COUNT_BITS) - 1)
/* Attempts to change a span word. They suffice for every core of a large machine to lose the race
 * several times. In a BPF program, the verifier follows each iteration of a loop, so the loop is
 * short and try_again() repeats it. */
#ifdef __bpf__
#define SPAN_RETRIES 12
#else
#define SPAN_RETRIES 128
#endif

/* T of a set of accesses. It fills a cache line, so that updates of adjacent spans do not slow each
 * other down. */
struct span {
	u64 word;
	u64 last_ns;
	u64 first; /* device layer: tag of the request that made the span busy */
	u64 pad[5];
};
_Static_assert(sizeof(struct span) == 64, "one cache line");

enum span_result {
	SPAN_STAYS,	 /* the span stays busy, because other accesses are in flight */
	SPAN_TRANSITION, /* the span changed from idle to busy, or from busy to idle */
	/* the span was not changed: it had no access to remove, or other CPUs won each race */
	SPAN_REFUSED,
};

static inline u64 span_count(u64 word)
{
	return word & SPAN_COUNT_MASK;
}

/* Returns the word after @word changed between idle and busy at @now. The time in it changes from T
 * to start - T, or from start - T to T. */
static inline u64 span_flip(u64 word, u64 now, u64 count)
{
	return ((now - (word >> SPAN_COUNT_BITS)) << SPAN_COUNT_BITS) | count;
}

/* Reads a word. Reads after this one do not return values from before it. */
static inline u64 span_read(const u64 *at)
{
#ifdef __bpf__
	return *(const volatile u64 *)at;
#else
	return __atomic_load_n(at, __ATOMIC_ACQUIRE);
#endif
}

/* Raises last_ns to the end @now. A BPF program does this without an atomic operation. It does not
 * sleep, so a lost race makes T wrong by the length of an interrupt at most. */
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

/* Returns @now, or the latest end of an access if that is later. The caller must have read the word
 * before. */
static inline u64 span_not_before(struct span *s, u64 now)
{
	u64 last = span_read(&s->last_ns);

	return now < last ? last : now;
}

/* Fast versions of span_enter() and span_leave() without a loop. They succeed if other accesses are
 * in flight and the first exchange succeeds. Otherwise they return false and the span is
 * unchanged. */
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

/* Returns the word @old with one more access in flight. */
static inline u64 span_entered(struct span *s, u64 old, u64 now)
{
	return span_count(old) ? old + 1 : span_flip(old, span_not_before(s, now), 1);
}

/* Returns the word @old with one access in flight less. @old has at least one. */
static inline u64 span_left(struct span *s, u64 old, u64 now)
{
	return span_count(old) > 1 ? old - 1 : span_flip(old, span_not_before(s, now), 0);
}

/* Adds an access that starts at @now (ns) to the span. */
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

/* Removes an access that ends at @now (ns) from the span. The count never gets below zero. */
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

/* Returns T in @word at time @now, modulo 2^44 ns. */
static inline u64 span_time_ns(u64 word, u64 now)
{
	u64 value = word >> SPAN_COUNT_BITS;

	return (span_count(word) ? now - value : value) & (~0ULL >> SPAN_COUNT_BITS);
}

/* Returns the time between two results of span_time_ns(). It is slightly negative if @to was read
 * on another core with a clock that is a few ns earlier. */
static inline s64 span_delta_ns(u64 from, u64 to)
{
	return (s64)((to - from) << SPAN_COUNT_BITS) >> SPAN_COUNT_BITS;
}

#endif
