// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/kernel/losses.h"

#include <bpf/bpf.h>
#include <stdio.h>
#include <string.h>

static struct bpf_prog_info info_of(int fd)
{
	struct bpf_prog_info info = {};
	__u32 len = sizeof(info);

	if (bpf_obj_get_info_by_fd(fd, &info, &len))
		info = (struct bpf_prog_info){};
	return info;
}

u64 program_missed(int fd)
{
	return info_of(fd).recursion_misses;
}

u64 program_run_ns(int fd)
{
	return info_of(fd).run_time_ns;
}

void runs_of_program(struct measurement *to, const char *program, enum layer layer, int fd)
{
	struct bpf_prog_info info = info_of(fd);
	struct program_runs *r = &to->programs[to->programs_n];

	if (to->programs_n == PROGRAMS_MAX)
		return;
	to->programs_n++;
	*r = (struct program_runs){ .layer = layer,
				    .missed = info.recursion_misses,
				    .runs = info.run_cnt,
				    .run_ns = info.run_time_ns };
	snprintf(r->program, sizeof(r->program), "%s", program);
}

void maps_losses(const struct maps *m, bool late_bios, struct measurement *to)
{
	const struct losses *l = m->losses;
	const struct app_head *app = &m->app->head;
	const struct loss all[] = {
		{ "completions", l->completions },
		{ "issues", l->issues },
		{ "requeues", l->requeues },
		{ "nested", l->nested },
		{ "no_slot", l->no_slot },
		{ "no_cell", l->no_cell },
		{ "no_group_cell", l->no_group_cell },
		{ "no_pending", l->no_pending },
		{ "no_storage", l->no_storage },
		{ "call_ends", l->calls },
		{ "span_updates", l->spans },
		{ "ring_completions", l->ring },
		{ "aio_events", l->aio },
		{ "aio_batch", l->aio_batch },
		{ "vectors", l->vectors },
		{ "ring_killed", m->repaired_rings },
		{ "ring_unlisted", m->unlisted_rings },
		{ "app_no_slot", app->no_slot },
		{ "app_killed", app->killed },
		{ "app_seccomp", app->seccomp },
		{ "app_unbound", app->unbound },
		{ "app_async", app->async },
		{ "lane_records", app->no_lane },
		{ "app_records", l->records[LAYER_APP] },
		{ "app_refused", m->refused },
		{ "vfs_records", l->records[LAYER_VFS] },
		{ "open_records", l->open_records },
		{ "device_records", l->records[LAYER_DEVICE] },
		{ "name_records", l->name_records },
		{ "names", m->unnamed },
		{ "late_bios", late_bios },
		{ "missed_runs", measurement_missed(to) },
	};

	_Static_assert(sizeof(all) < sizeof(to->losses), "room for an end");
	memcpy(to->losses, all, sizeof(all));
}
