/* SPDX-License-Identifier: GPL-2.0-only OR GPL-2.0-or-later */
/* The time that a group shares a disk with other groups. A group is a cgroup or process with
 * counters of its own. It uses a disk while it has a read or write in flight on it. Each disk has a
 * shared clock, which runs while at least two groups use the disk. The time that a group shares the
 * disk is the clock's value when the group stops using the disk, minus the value when it started.
 * So an access that does not change which groups use the disk does not change the clock.
 *
 * A clock is one 64-bit word. Programs change it only by additions. So the order of the changes
 * does not matter, and no change can fail:
 *
 * bits  0..19  n: number of starts minus number of stops, signed
 * bits 20..63  sum of the times of the stops, minus that of the starts; in ns modulo 2^44
 *
 * The value of the clock at time t is the sum in bits 20..63 plus n * t. A group's shared time on a
 * disk is kept in such a word, too. The starts and stops in the group's word are values of the
 * shared clock, not times.
 *
 * One group can be selected, to find the groups that use its disks at the same time. Then T of the
 * selected group (the time in which it uses the disk) is a second clock. The increase of this clock
 * while another group uses the disk is the time in which both groups use the disk. If no group is
 * selected, the second clock is always 0. Even then, the words count the starts and stops of the
 * groups, so that the words are right if a group is selected later. */
#ifndef IOSPAN_SHARE_H
#define IOSPAN_SHARE_H

#include "bpf/span-word.h"

/* Starts the clock @word at @at, or stops it if @start is false. For the shared clock of a disk,
 * @at is a time in ns. For the clock of a group, @at is the value of the shared clock or of the
 * second clock. */
static inline void share_change(u64 *word, u64 at, bool start)
{
	u64 stop = (at << SPAN_COUNT_BITS) - 1;

	__sync_fetch_and_add(word, start ? -stop : stop);
}

/* Returns n, the number of starts minus the number of stops; 0: the clock does not run. */
static inline s64 share_running(u64 word)
{
	return (s64)(word << (64 - SPAN_COUNT_BITS)) >> (64 - SPAN_COUNT_BITS);
}

/* Returns the value of clock @word, modulo 2^44 ns. For the shared clock of a disk, @at is the time
 * in ns. For the clock of a group, @at is the value of the shared clock or of the second clock. */
static inline u64 share_time_ns(u64 word, u64 at)
{
	u64 n = share_running(word);

	return (((word - n) >> SPAN_COUNT_BITS) + n * at) & (~0ULL >> SPAN_COUNT_BITS);
}

#endif
