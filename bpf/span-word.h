/* SPDX-License-Identifier: GPL-2.0-only OR GPL-2.0-or-later */
/* The span T of a set of accesses: the time with at least one of them in flight. Each access
 * updates it when it starts and ends (He, Sun, Yin 2013, section III.B). The BPF programs and the
 * preloaded library run this code on the same words in shared memory, with the same clock,
 * CLOCK_MONOTONIC.
 *
 * T is in one 64-bit word, so an update is one compare-and-swap and a reader needs no lock:
 *
 *   bits  0..19  number of accesses in flight
 *   bits 20..63  if idle: T so far
 *                if busy: start of this busy period - T so far
 *
 * Bits 20..63 count ns modulo 2^44 (4.9 hours). A reader that samples more often than that can add
 * up T without limit: see span_delta_ns().
 *
 * A program may be interrupted after it has read the clock and before it changes the word. Then its
 * time may lie before an end that the word already contains. It would count time twice or subtract
 * time. To prevent this, it uses last_ns, the latest end so far, if that is later. An end is
 * written to last_ns before the word changes, and last_ns is read after the word. So last_ns is not
 * before any end in the word that is then exchanged. */
#ifndef IOSPAN_SPAN_H
#define IOSPAN_SPAN_H

#include "bpf/types.h"

#define SPAN_COUNT_BITS 20
#define SPAN_COUNT_MASK ((1ULL << SPAN_COUNT_BITS) - 1)
/* Number of attempts to change a span word. They suffice even if each core of a large machine wins
 * the race several times. In a BPF program, the verifier follows each iteration of a loop, so the
 * loop is short there, and try_again() repeats it. */
#ifdef __bpf__
#define SPAN_RETRIES 12
#else
#define SPAN_RETRIES 128
#endif

/* T of a set of accesses, in .word. It fills a cache line, so that CPUs which update adjacent spans
 * do not slow each other down. */
struct span {
	u64 word;
	u64 last_ns;
	u64 first; /* device layer: tag of the request that made the span busy, for scan_tag() */
	u64 pad[5];
};
_Static_assert(sizeof(struct span) == 64, "one cache line");

enum span_result {
	SPAN_STAYS,	 /* the span stays busy, because other accesses are in flight */
	SPAN_TRANSITION, /* the span changed from idle to busy, or from busy to idle */
	/* the span was not changed: no access was in flight, or other CPUs won each race */
	SPAN_REFUSED,
};

static inline u64 span_count(u64 word)
{
	return word & SPAN_COUNT_MASK;
}

/* Returns @word as it is after a change between idle and busy at @now, with @count accesses. Bits
 * 20..63 change from T to (@now - T), or from (start - T) to T + (@now - start). Both are @now
 * minus the old value. */
static inline u64 span_flip(u64 word, u64 now, u64 count)
{
	return ((now - (word >> SPAN_COUNT_BITS)) << SPAN_COUNT_BITS) | count;
}

/* Reads a word of a span. The compiler and the CPU do not move later reads before this one. */
static inline u64 span_read(const u64 *at)
{
#ifdef __bpf__
	return *(const volatile u64 *)at;
#else
	return __atomic_load_n(at, __ATOMIC_ACQUIRE);
#endif
}

/* Raises last_ns of the span to the end @now. A BPF program does this without an atomic operation.
 * If it loses a race with another CPU, T is wrong by the length of an interrupt at most, because a
 * BPF program does not sleep. */
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

/* Returns @now or, if that is later, the latest end of an access in the span. The caller must have
 * read the word of the span before. */
static inline u64 span_not_before(struct span *s, u64 now)
{
	u64 last = span_read(&s->last_ns);

	return now < last ? last : now;
}

/* Fast versions of span_enter() and span_leave(), without a loop. They return false and leave the
 * span unchanged if it would get busy or idle, or if another CPU changes the word at the same
 * time. */
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

/* Returns the span word @old with one more access, which starts at @now. */
static inline u64 span_entered(struct span *s, u64 old, u64 now)
{
	return span_count(old) ? old + 1 : span_flip(old, span_not_before(s, now), 1);
}

/* Returns the span word @old with one access less, which ends at @now. @old has at least one. */
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

/* Removes an access that ends at @now (ns) from the span. If no access is in flight, returns
 * SPAN_REFUSED, so the count never gets below zero. */
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

/* Returns the increase of T between two results of span_time_ns(), in ns. It is slightly negative
 * if @to was read on another core with a clock that is a few ns behind. */
static inline s64 span_delta_ns(u64 from, u64 to)
{
	return (s64)((to - from) << SPAN_COUNT_BITS) >> SPAN_COUNT_BITS;
}

#endif
