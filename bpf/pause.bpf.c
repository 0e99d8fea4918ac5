// SPDX-License-Identifier: GPL-2.0-only
/* Measures dirty throttling: the kernel pauses a task that writes pages faster than the disks take
 * them. The tracepoint balance_dirty_pages runs only for such tasks. It runs before the pause, and
 * one of its arguments is the length of the pause. */
#include "bpf/groups.bpf.h"

struct pauses_map pauses SEC(".maps");
/* length of a tick (jiffy) in ns, because the tracepoint counts a pause in ticks */
const volatile u64 tick_ns = 0;

#define PAUSE_RETRIES 8

/* Adds the pause [@now, @end) to the pauses of the cgroup with group number @group. Time that an
 * earlier pause already covers is not added again. */
static __always_inline void add_pause(u32 group, u64 now, u64 end)
{
	struct pause *p = bpf_map_lookup_elem(&pauses, &group);

	for (int i = 0; p && i < PAUSE_RETRIES; i++) {
		u64 until = *(volatile u64 *)&p->until_ns;

		if (end <= until)
			return;
		if (__sync_val_compare_and_swap(&p->until_ns, until, end) != until)
			continue;
		__sync_fetch_and_add(&p->ns, end - (now > until ? now : until));
		return;
	}
}

__noinline int pause_groups(u64 now, u64 end)
{
	u32 group = current_group() & ~GROUP_OTHER;

	for (int i = 0; i <= GROUP_LEVELS && group != GROUP_NONE; i++) {
		struct group *g = bpf_map_lookup_elem(&groups, &group);

		add_pause(group, now, end);
		group = g ? g->parent : GROUP_NONE;
	}
	return 0;
}

static __always_inline int on_pause(s64 ticks)
{
	u64 now = bpf_ktime_get_ns();

	return ticks > 0 ? pause_groups(now, now + ticks * tick_ns) : 0;
}

/* Older kernels pass five numbers to the tracepoint, and newer ones pass a structure in their
 * place. So there is a program for each list of arguments. iospan attaches the one that fits the
 * kernel. */
SEC("tp_btf/balance_dirty_pages")
int on_dirty_pause(u64 *arguments)
{
	return on_pause(arguments[6]);
}

SEC("tp_btf/balance_dirty_pages")
int on_dirty_pause_old(u64 *arguments)
{
	return on_pause(arguments[10]);
}
