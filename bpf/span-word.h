/* SPDX-License-Identifier: GPL-2.0-only OR GPL-2.0-or-later */
/* A span (struct span) measures T of a set of accesses: the time in which at least one of them is
 * in flight. The span is busy while one is in flight, else idle. Each access updates T at its start
 * and at its end (He, Sun, Yin 2013, section III.B), in BPF programs or in the preloaded library.
 * All times are those of CLOCK_MONOTONIC. A group is a cgroup or process with counters of its own.
 *
 * T is in one 64-bit word, so that writers need only compare-and-swap, and readers need no lock:
 *
 * bits  0..19  number of accesses in flight
 * bits 20..63  if idle: T; if busy: start of this busy period - T. In ns modulo 2^44 (4.9 hours).
 *
 * A program may be interrupted after it read the clock. Example: program A reads 100 and is
 * interrupted. Then the last access in flight ends at 110, so T includes the time until 110. If A
 * now started a busy period at 100, T would include the time from 100 to 110 twice. So A uses
 * last_ns, the latest end (110), if it is later than A's own reading.
 *
 * Each program writes last_ns before the word, and reads last_ns after the word. So the last_ns
 * that a program reads is never older than the ends in the word that it has read. */
#ifndef IOSPAN_SPAN_H
#define IOSPAN_SPAN_H

#include "bpf/types.h"

#define SPAN_COUNT_BITS 20
#define SPAN_COUNT_MASK ((1ULL << SPAN_COUNT_BITS) - 1)
/* Maximum number of attempts to change a span word. An attempt fails if another core changes the
 * word at the same time. In BPF, the loop is short, because the verifier follows each iteration;
 * try_again() repeats the loop. */
#ifdef __bpf__
#define SPAN_RETRIES 3
#else
#define SPAN_RETRIES 128
#endif

/* T of a set of accesses. A span fills a cache line, so that two spans never share one. */
struct span {
	u64 word;
	u64 last_ns;
	/* Device layer: tag of the request that made the span busy. BPF programs test if the
	 * completion of this request was lost. */
	u64 first;
	/* A clock (share.h). In a span of a disk's reads and writes, it runs while at least two
	 * groups use the disk. In a span of a group's reads and writes on a disk, it runs while
	 * another group also uses the disk. */
	u64 shared;
	/* Used only in the span of a disk's reads and writes. If the user has selected a group
	 * (share.h), this is the index of the span of this group's reads and writes on the disk.
	 * 0: no group is selected, or it has not used the disk. The iospan command writes this
	 * field. */
	u64 selected;
	/* Used only in the span of a group's reads and writes on a disk. A clock (share.h),
	 * which runs while both this group and the selected group use the disk. */
	u64 joint;
	u64 pad[2];
};
_Static_assert(sizeof(struct span) == 64, "one cache line");

enum span_result {
	SPAN_STAYS, /* the span stays busy, because other accesses are in flight */
	/* the span stays busy; the number of accesses in flight changed from 1 to 2, or from 2 to
	 * 1 */
	SPAN_SECOND,
	SPAN_TRANSITION, /* the span changed from idle to busy, or from busy to idle */
	/* no change: there was no access to remove, or other CPUs changed the span at each
	 * attempt */
	SPAN_REFUSED,
};

static inline u64 span_count(u64 word)
{
	return word & SPAN_COUNT_MASK;
}

/* Returns @word after the span got busy or idle at @now. @count is the new number of accesses in
 * flight. Bits 20..63 become @now minus their old value: T becomes start - T, and start - T becomes
 * T. */
static inline u64 span_flip(u64 word, u64 now, u64 count)
{
	return ((now - (word >> SPAN_COUNT_BITS)) << SPAN_COUNT_BITS) | count;
}

/* Reads a word of a span, before any read that follows in the code. */
static inline u64 span_read(const u64 *at)
{
#ifdef __bpf__
	return *(const volatile u64 *)at;
#else
	return __atomic_load_n(at, __ATOMIC_ACQUIRE);
#endif
}

/* Sets last_ns to @now, the end of an access, if @now is later. In BPF, this is a plain store. If
 * two CPUs store at the same time, the earlier end may stay. T is then wrong by at most the length
 * of an interrupt. */
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

/* Returns @now or last_ns, the latest end of an access in the span, whichever is later. Call it
 * after reading the word of the span. */
static inline u64 span_not_before(struct span *s, u64 now)
{
	u64 last = span_read(&s->last_ns);

	return now < last ? last : now;
}

/* span_enter_busy() adds an access to a busy span, and span_leave_busy() removes one. Each makes
 * only one attempt. They return false, without a change, if the span would get busy or idle, or if
 * another CPU changes the word at the same time. */
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

/* Returns the result of adding or removing an access. @n is the number of accesses in flight after
 * adding, or before removing. */
static inline enum span_result span_result(u64 n)
{
	return n > 2 ? SPAN_STAYS : n == 2 ? SPAN_SECOND : SPAN_TRANSITION;
}

/* Returns the new value of word @old after an access was added at @now. */
static inline u64 span_entered(struct span *s, u64 old, u64 now)
{
	return span_count(old) ? old + 1 : span_flip(old, span_not_before(s, now), 1);
}

/* Returns the new value of word @old after one of its accesses was removed at @now. */
static inline u64 span_left(struct span *s, u64 old, u64 now)
{
	return span_count(old) > 1 ? old - 1 : span_flip(old, span_not_before(s, now), 0);
}

/* Adds an access that starts at @now (ns) to the span. Returns SPAN_REFUSED if all attempts failed,
 * because other CPUs changed the span at the same time. */
static inline enum span_result span_enter(struct span *s, u64 now)
{
	u64 old = span_read(&s->word);

	for (int i = 0; i < SPAN_RETRIES; i++) {
		u64 n = span_count(old);
		u64 seen = __sync_val_compare_and_swap(&s->word, old, span_entered(s, old, now));

		if (seen == old)
			return span_result(n + 1);
		old = seen;
	}
	return SPAN_REFUSED;
}

/* Removes an access that ends at @now (ns) from the span. Returns SPAN_REFUSED if no access is in
 * flight, or if all attempts failed, because other CPUs changed the span at the same time. */
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
			return span_result(n);
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

/* Returns by how many ns T grew from @from to @to, which are results of span_time_ns(). The result
 * is slightly negative if the clocks of two cores differ. */
static inline s64 span_delta_ns(u64 from, u64 to)
{
	return (s64)((to - from) << SPAN_COUNT_BITS) >> SPAN_COUNT_BITS;
}

#endif
