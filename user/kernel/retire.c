// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/kernel/retire.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <linux/membarrier.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/kernel/maps.h"
#include "user/kernel/measure-parts.h"
#include "user/kernel/measure-groups.h"
#include "user/kernel/repair.h"
#include "user/kernel/measure.h"
#include "user/kernel/retire-mark.h"

#define LOOK_NS 1000000000ULL /* for groups that are gone */
/* Dirty pages are written up to half a minute after their group is gone; where numbers get
 * scarce, that is not waited for. */
#define QUIET_NS 60000000000ULL
#define QUIET_SCARCE_NS 2000000000ULL

struct retire *retire_new(const struct maps *m, const struct retire_maps *fds, const char *root)
{
	struct retire *r = need(calloc(1, sizeof(*r)));

	r->fds = *fds;
	snprintf(r->root, sizeof(r->root), "%s", root);
	r->seats_n = GROUPS_OF(m->max_groups);
	r->seats = need(calloc(r->seats_n, sizeof(*r->seats)));
	r->below_cells = need(calloc(m->max_cells, sizeof(*r->below_cells)));
	return r;
}

static void free_below(struct seat *s)
{
	free(s->below);
	s->below = NULL;
}

void retire_free(struct retire *r)
{
	if (!r)
		return;
	for (u32 i = 0; i < r->seats_n; i++)
		free_below(&r->seats[i]);
	free(r->seats);
	free(r->below_cells);
	free(r);
}

u64 retire_id(const struct maps *m, u32 number)
{
	u64 id = __atomic_load_n(&m->groups[number].id, __ATOMIC_ACQUIRE);

	return id || !m->retire ? id : m->retire->seats[number].id;
}

const struct group_sum *retire_below(const struct maps *m, u32 group)
{
	return m->retire ? m->retire->seats[group].below : NULL;
}

const struct cell_counts *retire_below_cell(const struct maps *m, u32 cell)
{
	return m->retire ? &m->retire->below_cells[cell] : NULL;
}

void retire_add_lost(const struct maps *m, u32 disk, u32 op, struct sum *to)
{
	if (!m->retire || disk >= MAX_DISKS || op >= DEVICE_OPS)
		return;
	to->row.accesses += m->retire->lost[disk][op].accesses;
	to->row.bytes += m->retire->lost[disk][op].bytes;
}

/* ---- who is gone ---- */

/* If the kernel skipped on_cgroup_rmdir(), a look at the path shows that the cgroup was removed.
 * The command needs search permission for it. */
static bool cgroup_is_gone(const struct maps *m, u32 number)
{
	char *path = maps_group_path(m, number), *full;
	struct stat st;
	bool gone;

	full = need_text("%s%s", m->retire->root, path);
	gone = stat(full, &st) ? errno == ENOENT || errno == ENOTDIR :
				 st.st_ino != m->groups[number].id;
	free(full);
	free(path);
	return gone;
}

static bool is_gone(const struct maps *m, u32 number)
{
	if (m->per_process)
		return maps_process_is_gone(m, group_process(m->groups[number].id));
	return m->groups[number].removed || cgroup_is_gone(m, number);
}

/* Accesses that ended in it, by all CPUs. */
static u64 did(const struct maps *m, u32 number)
{
	u64 n = 0;

	for (u32 layer = 0; layer < 1U + m->vfs_groups; layer++)
		n += maps_accesses(m, m->row_groups + layer * GROUPS_OF(m->max_groups) + number);
	return n;
}

/* Looks at every group, so that a reading shows all groups that were removed before it. True: it
 * was time to look. */
static bool look(struct maps *m, u64 now)
{
	struct retire *r = m->retire;

	if (now - r->looked_ns < LOOK_NS)
		return false;
	r->looked_ns = now;
	for (u32 i = GROUP_TOP + 1; i < maps_groups(m); i++) {
		struct seat *s = &r->seats[i];

		if (s->state != IN_USE || !m->groups[i].id || !is_gone(m, i))
			continue;
		s->state = GONE;
		s->did = did(m, i);
		s->quiet_ns = now;
	}
	return true;
}

bool retire_is_gone(const struct maps *m, u32 number)
{
	enum state state = m->retire ? m->retire->seats[number].state : IN_USE;

	return state > IN_USE && state < FREE;
}

/* ---- unlinking ---- */

static bool is_quiet(const struct maps *m, u32 number, bool scarce, u64 now)
{
	struct seat *s = &m->retire->seats[number];
	u64 n = did(m, number);

	if (n != s->did) {
		s->did = n;
		s->quiet_ns = now;
	}
	return now - s->quiet_ns >= (scarce ? QUIET_SCARCE_NS : QUIET_NS);
}

/* From here on no program finds it; membarrier(2) waits for those that have. */
static void unlink_quiet(struct maps *m, bool scarce, u64 now)
{
	struct retire *r = m->retire;
	bool some = false;

	for (u32 i = GROUP_TOP + 1; i < maps_groups(m); i++) {
		struct seat *s = &r->seats[i];

		if (s->state != GONE || !is_quiet(m, i, scarce, now))
			continue;
		s->state = UNLINKED;
		s->id = __atomic_exchange_n(&m->groups[i].id, 0, __ATOMIC_ACQ_REL);
		bpf_map_delete_elem(r->fds.group_index, &s->id);
		s->quiet_ns = now;
		some = true;
	}
	if (some)
		syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
}

/* ---- giving back ---- */

void retire_before(struct maps *m, u64 now)
{
	struct retire *r = m->retire;
	bool some = false;

	if (!r)
		return;
	for (u32 i = 0; i < r->seats_n; i++)
		some |= r->seats[i].state == UNLINKED;
	retire_mark(m, now, some);
	for (u32 i = GROUP_TOP + 1; i < maps_groups(m); i++) {
		struct seat *s = &r->seats[i];

		if (s->state == UNLINKED && !s->busy && now - s->quiet_ns >= LOOK_NS)
			s->state = READ;
	}
	r->looked = look(m, now);
}

static void clear_span(struct maps *m, u32 span)
{
	memset(&m->spans[span], 0, sizeof(m->spans[span]));
	memset(&m->totals[span], 0, sizeof(m->totals[span]));
}

/* What it did goes to the cell above. */
static void retire_cell(struct maps *m, u32 cell)
{
	struct retire *r = m->retire;
	struct cell copy = maps_cell(m, cell), *c = &copy;
	struct cell_counts *up = &r->below_cells[c->up < m->max_cells ? c->up : 0];
	u32 key[] = { c->group, c->disk, c->op };

	for (u32 i = 0; m->per_part && i < 1U << m->group_bits; i++) {
		struct cell_counts *n = &m->cell_counts[(cell << m->group_bits) + i];

		maps_add_counts(up, n);
		memset(n, 0, sizeof(*n));
	}
	maps_add_counts(up, &r->below_cells[cell]);
	up->accesses += c->lost;
	up->bytes += c->lost_bytes;
	memset(&r->below_cells[cell], 0, sizeof(r->below_cells[cell]));
	if (c->disk < MAX_DISKS && c->op < DEVICE_OPS) {
		r->lost[c->disk][c->op].accesses += c->lost;
		r->lost[c->disk][c->op].bytes += c->lost_bytes;
	}
	bpf_map_delete_elem(r->fds.cell_index, key);
	for (u32 leaf = 0; leaf < m->leaves + m->per_part; leaf++)
		clear_span(m, c->span + leaf);
	memset(&m->cells[cell], 0, sizeof(m->cells[cell]));
	bpf_map_update_elem(r->fds.free_cells, NULL, &cell, BPF_ANY);
}

static struct group_sum *below(struct retire *r, u32 group)
{
	if (!r->seats[group].below)
		r->seats[group].below = need(calloc(1, sizeof(struct group_sum)));
	return r->seats[group].below;
}

/* The cells of groups that have been read: those of the groups without a row below them, or their
 * own. */
static void retire_cells(struct maps *m, bool other)
{
	struct retire *r = m->retire;

	for (u32 i = 1; i < maps_cells(m); i++) {
		const struct cell *c = &m->cells[i];
		u32 group = c->group & ~GROUP_OTHER;
		struct sum *to;

		if (!c->group || !(c->group & GROUP_OTHER) == other ||
		    retire_seat(m, group)->state != READ)
			continue;
		to = c->disk == PLACE_VFS ? &below(r, group)->vfs : &below(r, group)->device;
		if (c->group_row) {
			to->row.accesses += c->lost;
			to->row.bytes += c->lost_bytes;
		}
		retire_cell(m, i);
	}
}

/* The row of group @number at a layer goes to @to. */
static void move_row(struct maps *m, u32 row, struct sum *to)
{
	maps_add_row(m, row, to);
	memset(&m->rows[maps_stripe(m, row, 0)], 0, sizeof(*m->rows) << m->group_bits);
}

static void retire_group(struct maps *m, u32 number)
{
	struct retire *r = m->retire;
	struct seat *s = &r->seats[number];
	struct group_sum *above = below(r, m->groups[number].parent);
	u32 vfs = GROUPS_OF(m->max_groups) + number;

	maps_forget_group(m, number);
	move_row(m, m->row_groups + number, &above->device);
	if (m->vfs_groups)
		move_row(m, m->row_groups + vfs, &above->vfs);
	if (s->below) {
		sum_add_row(&above->device, &s->below->device.row);
		sum_add_row(&above->vfs, &s->below->vfs.row);
	}
	free_below(s);
	clear_span(m, SPAN_GROUP(number));
	clear_span(m, SPAN_GROUP(vfs));
	memset(&m->groups[number], 0, sizeof(m->groups[number]));
	*s = (struct seat){ .state = FREE };
	bpf_map_update_elem(r->fds.free_groups, NULL, &number, BPF_ANY);
}

static bool forget_other(struct maps *m, u64 id)
{
	int fd = m->retire->fds.group_index;
	u32 number;

	return !bpf_map_lookup_elem(fd, &id, &number) && number & GROUP_OTHER &&
		!bpf_map_delete_elem(fd, &id);
}

/* Those without a number may have one now. */
static void forget_others(struct maps *m)
{
	int fd = m->retire->fds.group_index;
	u64 id = 0, next, forgotten = 0;
	bool more = !bpf_map_get_next_key(fd, NULL, &next);

	while (more) { /* the next one is found by one that is there */
		id = next;
		more = !bpf_map_get_next_key(fd, &id, &next);
		forgotten += forget_other(m, id);
	}
	__atomic_fetch_sub(&m->notes->other_groups, forgotten, __ATOMIC_RELAXED);
}

static u32 in_use(const struct maps *m)
{
	u32 n = 0;

	for (u32 i = GROUP_TOP; i < maps_groups(m); i++)
		n += m->retire->seats[i].state != FREE;
	return n;
}

void retire_after(struct maps *m, u64 now)
{
	struct retire *r = m->retire;
	bool some = false;

	if (!r)
		return;
	for (u32 i = GROUP_TOP + 1; i < maps_groups(m); i++)
		some |= r->seats[i].state == READ;
	if (some) {
		retire_cells(m, true); /* first: they lie below the others */
		retire_cells(m, false);
	}
	for (u32 i = GROUP_TOP + 1; some && i < maps_groups(m); i++)
		if (r->seats[i].state == READ)
			retire_group(m, i);
	if (some && m->notes->other_groups)
		forget_others(m);
	if (r->looked)
		unlink_quiet(m, in_use(m) > m->max_groups / 2, now);
}
