// SPDX-License-Identifier: GPL-2.0-or-later
/* Retires the groups of removed cgroups and exited processes: adds their counters to the parent
 * group and frees their numbers. The phases of a number are in retire.h. A group is a cgroup or
 * process with counters of its own. A cell has the counters of one group, disk and operation.
 * GROUP_OTHER marks cgroups without counters of their own. */
#include "user/kernel/retire.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <limits.h>
#include <linux/membarrier.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/kernel/group-states.h"
#include "user/kernel/measure-groups.h"
#include "user/kernel/read-pressure.h"
#include "user/kernel/selected.h"

#define LOOK_NS 1000000000ULL /* time between two searches for removed groups */
/* After QUIET_NS without accesses, a removed group is unlinked: BPF programs can then no longer
 * find it. QUIET_NS is long, because the kernel may write dirty pages half a minute after the
 * removal. If over half of the group numbers are in use, iospan waits only QUIET_SCARCE_NS. */
#define QUIET_NS 60000000000ULL
#define QUIET_SCARCE_NS 2000000000ULL
/* The number of a group is not freed while the group has a request in the I/O scheduler. After
 * WAITS_NS, the request is ignored, because it may never leave the scheduler. */
#define WAITS_NS 60000000000ULL

struct retire {
	struct retire_maps fds;
	char root[PATH_MAX];
	u64 looked_ns;
	bool looked; /* true: the last retire_before() searched for removed groups */
};

void retire_new(struct maps *m, const struct retire_maps *fds, const char *root)
{
	struct retire *r = need(calloc(1, sizeof(*r)));

	r->fds = *fds;
	snprintf(r->root, sizeof(r->root), "%s", root);
	m->retire = r;
	m->states = group_states_new(m);
}

void retire_free(struct maps *m)
{
	group_states_free(m->states);
	free(m->retire);
}

static struct group_state *state_of(struct maps *m, u32 group)
{
	group &= ~GROUP_OTHER;
	return &m->states->list[group < m->states->n ? group : 0];
}

static bool any_group_in(const struct maps *m, enum group_phase phase)
{
	for (u32 i = GROUP_TOP + 1; i < maps_groups(m); i++)
		if (m->states->list[i].phase == phase)
			return true;
	return false;
}

/* Returns true if the path of the cgroup no longer exists, or is now that of another cgroup. So
 * iospan finds a removal even if the BPF program on_cgroup_rmdir() did not see it. */
static bool path_shows_removal(const struct maps *m, u32 number)
{
	char *path = group_path(m, number), *full;
	struct stat st;
	bool removed;

	full = need_text("%s%s", m->retire->root, path);
	removed = stat(full, &st) ? errno == ENOENT || errno == ENOTDIR :
				    st.st_ino != m->groups[number].id;
	free(full);
	free(path);
	return removed;
}

static bool is_removed(const struct maps *m, u32 number)
{
	if (m->per_process)
		return maps_process_exited(m, group_process(m->groups[number].id));
	return m->groups[number].removed || path_shows_removal(m, number);
}

/* Returns the number of accesses of group @number, not including its child groups. */
static u64 own_accesses(const struct maps *m, u32 number)
{
	u64 n = 0;

	for (u32 set = 0; set < maps_group_sets(m); set++)
		n += maps_accesses(m, m->row_groups + GROUP_ROW(m->max_groups, set, number));
	return n;
}

/* Sets the groups of removed cgroups and exited processes to PHASE_REMOVED. If the last search for
 * them was less than LOOK_NS ago, does nothing and returns false. */
static bool find_removed(struct maps *m, u64 now)
{
	if (now - m->retire->looked_ns < LOOK_NS)
		return false;
	m->retire->looked_ns = now;
	for (u32 i = GROUP_TOP + 1; i < maps_groups(m); i++) {
		struct group_state *s = &m->states->list[i];

		if (s->phase != PHASE_IN_USE || !m->groups[i].id || !is_removed(m, i))
			continue;
		s->phase = PHASE_REMOVED;
		s->accesses = own_accesses(m, i);
		s->quiet_ns = now;
	}
	return true;
}

static bool is_quiet(const struct maps *m, u32 number, bool scarce, u64 now)
{
	struct group_state *s = &m->states->list[number];
	u64 n = own_accesses(m, number);

	if (n != s->accesses) {
		s->accesses = n;
		s->quiet_ns = now;
	}
	return now - s->quiet_ns >= (scarce ? QUIET_SCARCE_NS : QUIET_NS);
}

/* Unlinks removed groups without recent accesses, so that BPF programs no longer find them. A
 * BPF program may have found such a group just before. So membarrier(2) waits until this program
 * has ended. */
static void unlink_quiet(struct maps *m, bool scarce, u64 now)
{
	bool some = false;

	for (u32 i = GROUP_TOP + 1; i < maps_groups(m); i++) {
		struct group_state *s = &m->states->list[i];

		if (s->phase != PHASE_REMOVED || !is_quiet(m, i, scarce, now))
			continue;
		s->phase = PHASE_UNLINKED;
		s->id = __atomic_exchange_n(&m->groups[i].id, 0, __ATOMIC_ACQ_REL);
		bpf_map_delete_elem(m->retire->fds.group_index, &s->id);
		s->quiet_ns = now;
		some = true;
	}
	if (some)
		syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
}

/* Marks the groups that have an access in flight or a child group as busy, so that their numbers
 * are not freed yet. If a BPF program has already given a free number to a new group, sets this
 * number to PHASE_IN_USE. */
static void mark_groups(struct maps *m)
{
	for (u32 i = GROUP_TOP + 1; i < maps_groups(m); i++) {
		struct group_state *s = &m->states->list[i];
		u32 parent = m->groups[i].parent;

		if (s->phase == PHASE_FREE && m->groups[i].id)
			*s = (struct group_state){ .phase = PHASE_IN_USE };
		if (span_count(m->spans[SPAN_GROUP(i)].word) ||
		    span_count(m->spans[SPAN_GROUP_WAIT(m->max_groups, i)].word))
			s->busy = true;
		if (group_id(m, i) && s->phase != PHASE_FREE && parent < m->states->n)
			m->states->list[parent].busy = true;
	}
}

static void mark_cells(struct maps *m)
{
	for (u32 i = 1; i < maps_cells(m); i++) {
		struct cell c = maps_cell(m, i);

		for (u32 leaf = 0; c.group && leaf < m->leaves + m->per_part; leaf++)
			if (span_count(m->spans[c.span + leaf].word))
				state_of(m, c.group)->busy = true;
	}
}

static void mark_slots(struct maps *m, u64 now)
{
	for (u32 i = 0; i < maps_slots(m); i++) {
		struct slot s;

		maps_copy(&s, &m->slots[i], sizeof(s));
		if (s.start_ns || s.flags & SLOT_REQUEUED)
			state_of(m, m->cells[s.cell < m->max_cells ? s.cell : 0].group)->busy =
				true;
		if (s.queued_at_ns && now - s.queued_at_ns < WAITS_NS)
			state_of(m, s.submitter)->busy = true;
	}
}

void retire_before(struct maps *m, u64 now)
{
	bool some;

	if (!m->retire)
		return;
	some = any_group_in(m, PHASE_UNLINKED);
	for (u32 i = 0; i < m->states->n; i++)
		m->states->list[i].busy = false;
	mark_groups(m);
	if (some) {
		mark_cells(m);
		mark_slots(m, now);
	}
	for (u32 i = GROUP_TOP + 1; some && i < maps_groups(m); i++) {
		struct group_state *s = &m->states->list[i];

		if (s->phase == PHASE_UNLINKED && !s->busy && now - s->quiet_ns >= LOOK_NS)
			s->phase = PHASE_READ;
	}
	m->retire->looked = find_removed(m, now);
}

static void clear_span(struct maps *m, u32 span)
{
	memset(&m->spans[span], 0, sizeof(m->spans[span]));
	memset(&m->totals[span], 0, sizeof(m->totals[span]));
}

/* Adds the counters of @cell to the cell with index cell.up, which is the parent group's cell for
 * the same disk and operation. Then frees @cell. */
static void retire_cell(struct maps *m, u32 cell)
{
	struct group_states *states = m->states;
	struct cell copy = maps_cell(m, cell), *c = &copy;
	struct cell_counts *up = &states->retired_cells[c->up < m->max_cells ? c->up : 0];
	u32 key[] = { c->group, c->disk, c->op };

	for (u32 i = 0; m->per_part && i < 1U << m->group_bits; i++) {
		struct cell_counts *n = &m->cell_counts[(cell << m->group_bits) + i];

		maps_add_counts(up, n);
		memset(n, 0, sizeof(*n));
	}
	maps_add_counts(up, &states->retired_cells[cell]);
	up->accesses += c->lost;
	up->bytes += c->lost_bytes;
	memset(&states->retired_cells[cell], 0, sizeof(states->retired_cells[cell]));
	if (c->disk < MAX_DISKS && c->op < DEVICE_OPS) {
		states->retired_lost[c->disk][c->op].accesses += c->lost;
		states->retired_lost[c->disk][c->op].bytes += c->lost_bytes;
	}
	bpf_map_delete_elem(m->retire->fds.cell_index, key);
	for (u32 leaf = 0; leaf < m->leaves + m->per_part; leaf++)
		clear_span(m, c->span + leaf);
	memset(&m->shares[cell], 0, sizeof(m->shares[cell]));
	m->alone[cell] = 0;
	selected_forget(m, cell);
	memset(&m->cells[cell], 0, sizeof(m->cells[cell]));
	bpf_map_update_elem(m->retire->fds.free_cells, NULL, &cell, BPF_ANY);
}

static struct group_sum *retired_below(struct maps *m, u32 group)
{
	struct group_state *s = &m->states->list[group];

	if (!s->retired)
		s->retired = need(calloc(1, sizeof(*s->retired)));
	return s->retired;
}

static void keep_lost(struct maps *m, u32 group, const struct cell *c)
{
	struct sum *to = group_set(retired_below(m, group), cell_group_set(c));

	to->row.accesses += c->lost;
	to->row.bytes += c->lost_bytes;
}

/* Frees the cells of all groups in PHASE_READ. A group can have two cells per disk and
 * operation: its own, and a GROUP_OTHER cell for the cgroups below it without counters of their
 * own. If @other is true, frees the GROUP_OTHER cells, otherwise the groups' own cells. */
static void retire_cells(struct maps *m, bool other)
{
	for (u32 i = 1; i < maps_cells(m); i++) {
		const struct cell *c = &m->cells[i];
		u32 group = c->group & ~GROUP_OTHER;

		if (!c->group || !(c->group & GROUP_OTHER) == other ||
		    state_of(m, group)->phase != PHASE_READ)
			continue;
		if (c->group_row)
			keep_lost(m, group, c);
		/* GROUP_NONE is the sum of all cgroups without counters of their own */
		if (c->group_row && other)
			keep_lost(m, GROUP_NONE, c);
		retire_cell(m, i);
	}
}

static void move_row(struct maps *m, u32 row, struct sum *to)
{
	maps_add_row(m, row, to);
	memset(&m->rows[maps_stripe(m, row, 0)], 0, sizeof(*m->rows) << m->group_bits);
}

/* Adds the sums of group @number to its parent group, and makes the number free for another
 * cgroup. */
static void retire_group(struct maps *m, u32 number)
{
	struct group_state *s = &m->states->list[number];
	struct group_sum *above = retired_below(m, m->groups[number].parent);

	maps_forget_group(m, number);
	pressure_forget_group(m, number);
	for (enum group_set set = 0; set < maps_group_sets(m); set++) {
		u32 at = GROUP_ROW(m->max_groups, set, number);

		move_row(m, m->row_groups + at, group_set(above, set));
		if (s->retired)
			sum_add_row(group_set(above, set), &group_set(s->retired, set)->row);
	}
	free(s->retired);
	clear_span(m, SPAN_GROUP(number));
	clear_span(m, SPAN_GROUP_VFS(m->max_groups, number));
	clear_span(m, SPAN_GROUP_WAIT(m->max_groups, number));
	memset(&m->groups[number], 0, sizeof(m->groups[number]));
	*s = (struct group_state){ .phase = PHASE_FREE };
	bpf_map_update_elem(m->retire->fds.free_groups, NULL, &number, BPF_ANY);
}

/* A cgroup may have no counters of its own because the maps were full. Now some group numbers are
 * free. So this function removes all cgroups without counters from the map in which BPF programs
 * find groups. At its next access, such a cgroup may get counters. */
static void forget_others(struct maps *m)
{
	int fd = m->retire->fds.group_index;
	u64 id = 0, next, forgotten = 0;
	bool more = !bpf_map_get_next_key(fd, NULL, &next);
	u32 number;

	/* The kernel needs the current key to find the next key. So the next key is read before the
	 * current key is deleted. */
	while (more) {
		id = next;
		more = !bpf_map_get_next_key(fd, &id, &next);
		forgotten += !bpf_map_lookup_elem(fd, &id, &number) && number & GROUP_OTHER &&
			!bpf_map_delete_elem(fd, &id);
	}
	__atomic_fetch_sub(&m->notes->other_groups, forgotten, __ATOMIC_RELAXED);
}

static u32 numbers_in_use(const struct maps *m)
{
	u32 n = 0;

	for (u32 i = GROUP_TOP; i < maps_groups(m); i++)
		n += m->states->list[i].phase != PHASE_FREE;
	return n;
}

void retire_after(struct maps *m, u64 now)
{
	if (!m->retire)
		return;
	if (any_group_in(m, PHASE_READ)) {
		/* GROUP_OTHER cells are freed first: their counters are added to cells without
		 * GROUP_OTHER, which must still exist. */
		retire_cells(m, true);
		retire_cells(m, false);
		for (u32 i = GROUP_TOP + 1; i < maps_groups(m); i++)
			if (m->states->list[i].phase == PHASE_READ)
				retire_group(m, i);
		if (m->notes->other_groups)
			forget_others(m);
	}
	if (m->retire->looked)
		unlink_quiet(m, numbers_in_use(m) > m->max_groups / 2, now);
}
