// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/kernel/losses.h"

#include <bpf/bpf.h>
#include <stdio.h>
#include <string.h>

u64 program_missed(int fd)
{
	struct bpf_prog_info info = {};
	__u32 len = sizeof(info);

	return bpf_obj_get_info_by_fd(fd, &info, &len) ? 0 : info.recursion_misses;
}

void losses_of_program(struct measurement *to, const char *program, int fd)
{
	struct missed *missed = &to->missed[to->missed_n];

	if (to->missed_n == MISSED_MAX)
		return;
	to->missed_n++;
	snprintf(missed->program, sizeof(missed->program), "%s", program);
	missed->runs = program_missed(fd);
}

void maps_losses(const struct maps *m, bool late_bios, struct measurement *to)
{
	const struct losses *l = m->losses;
	const struct app_head *app = &m->app->head;
	const struct loss all[] = {
		{ "completions",
		  "device completion[|s] never seen (T repaired: the end[|s] [is|are] estimated)",
		  l->completions },
		{ "issues", "device access[|es] with an unseen start", l->issues },
		{ "requeues", "device request[|s] requeued unseen: the wait counts as busy time",
		  l->requeues },
		{ "nested", "device completion[|s] during another one's interrupt: without latency",
		  l->nested },
		{ "no_slot", "device access[|es] not followed: too many tags", l->no_slot },
		{ "no_cell", "device access[|es] not counted: too many disks", l->no_cell },
		{ "no_group_cell",
		  "device access[|es] missing in the row of the cgroup: too many "
		  "disks and cgroups",
		  l->no_group_cell },
		{ "no_pending", "bio[|s] or ring request[|s] not followed: table full",
		  l->no_pending },
		{ "no_storage", "call[|s] not counted: no memory in the kernel", l->no_storage },
		{ "call_ends", "call[|s] not counted: [its|their] end was not seen", l->calls },
		{ "span_updates", "update[|s] of a span given up", l->spans },
		{ "ring_completions", "io_uring completion[|s] never seen", l->ring },
		{ "aio_events", "libaio event[|s] never seen (fetched in user space)", l->aio },
		{ "aio_batch", "libaio request[|s] not followed: more than 1024 in one call",
		  l->aio_batch },
		{ "vectors",
		  "failed or lost request[|s] with fewer bytes than requested: "
		  "not all vectors were read",
		  l->vectors },
		{ "ring_killed", "io_uring or libaio request[|s] of programs that died",
		  m->repaired_rings },
		{ "ring_unlisted",
		  "io_uring completion[|s] not found: the queue was full, and too many "
		  "requests had one user_data",
		  m->unlisted_rings },
		{ "app_no_slot", "call[|s] not counted: too many threads in calls", app->no_slot },
		{ "app_killed", "call[|s] cut short by a jump or the end of the thread",
		  app->killed },
		{ "app_seccomp",
		  "call[|s] not counted: seccomp forbids a system call that this needs",
		  app->seccomp },
		{ "app_unbound",
		  "librar[y|ies] loaded with RTLD_DEEPBIND or by dlmopen(): [its|their] "
		  "calls are not seen",
		  app->unbound },
		{ "app_async", "asynchronous call[|s] of MPI-IO or POSIX AIO, not timed",
		  app->async },
		{ "app_records",
		  "app access[|es] not recorded: no room in the lanes, or in the rings; see "
		  "--buffer",
		  l->records[LAYER_APP] + app->no_lane },
		{ "app_refused",
		  "app access[|es] not recorded: times or data are impossible, or were not "
		  "complete",
		  m->refused },
		{ "vfs_records", "vfs access[|es] not recorded: no room in the rings; see --buffer",
		  l->records[LAYER_VFS] },
		{ "open_records",
		  "open[|s] or close[|s] of files not recorded: no room in the rings; "
		  "see --buffer",
		  l->open_records },
		{ "device_records",
		  "device access[|es] not recorded: no room in the rings; see "
		  "--buffer",
		  l->records[LAYER_DEVICE] },
		{ "name_records",
		  "name[|s] of processes or files not recorded: no room in the rings; "
		  "see --buffer",
		  l->name_records },
		{ "names", "access[|es] recorded without process or file: too many of them",
		  m->unnamed },
		{ "late_bios",
		  "time[|s] that disks without requests were added during the measurement; "
		  "their first accesses are missing",
		  late_bios },
		{ "missed_runs", to->missed_text, measurement_missed(to) },
	};

	_Static_assert(sizeof(all) < sizeof(to->losses), "room for an end");
	memcpy(to->losses, all, sizeof(all));
}
