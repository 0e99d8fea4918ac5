/* SPDX-License-Identifier: GPL-2.0 */
/* Whose is this I/O: from (cgroup, disk, operation) to the cell that it feeds. */
#ifndef IOSPAN_CELLS_BPF_H
#define IOSPAN_CELLS_BPF_H

#include "maps.bpf.h"

#define OP_MASK 0xff
/* enum req_op; these numbers are the same in all supported kernels. */
enum {
	K_READ,
	K_WRITE,
	K_FLUSH,
	K_DISCARD,
	K_SECURE_ERASE = 5,
	K_DRV_IN = 34,
	K_DRV_OUT = 35,
};
#define K_PREFLUSH_BIT 18	/* __REQ_PREFLUSH */

struct cell_key {
	u64 cgroup;
	u32 disk;
	u32 op;
};

struct cell_index {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct cell_key);
	__type(value, u32);
};
struct u64_index {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, u64);
	__type(value, u32);
};

extern struct cell_index cell_index SEC(".maps");
extern struct u64_index disk_index SEC(".maps");	/* dev -> disk */
extern struct u64_index group_index SEC(".maps");	/* cgroup id -> group */

extern const volatile u32 attribution;		/* enum attribution */
extern const volatile struct watched charged;	/* BY_BLKCG: the group charged */
extern u64 charged_at;
extern const volatile bool per_cgroup;		/* nested groups on their own */
extern const volatile u32 max_cells, max_groups;

extern u32 disks_n, cells_n, groups_n;

#define CELL_CACHE 256
extern u32 cell_cache[CELL_CACHE];

u32 disk_new(struct gendisk *disk, u32 dev);
u32 cell_new(u64 cgroup, u32 disk, u32 op);

static __always_inline u32 disk_dev(struct gendisk *disk)
{
	return (u32)disk->major << 20 | (u32)disk->first_minor;
}

static __always_inline enum op op_of(u32 flags)
{
	switch (flags & OP_MASK) {
	case K_READ:
		return OP_READ;
	case K_WRITE:
		return OP_WRITE;
	case K_FLUSH:
		return OP_FLUSH;
	case K_DISCARD:
	case K_SECURE_ERASE:
		return OP_DISCARD;
	}
	return OP_OTHER;
}

/* The group to account to if @cg is the one charged or below it, else 0. */
static __always_inline u64 group_of(struct cgroup *cg)
{
	if (!cg || !group_is_below(cg, &charged, &charged_at))
		return 0;
	return per_cgroup ? cg->kn->id : charged.id;
}

/* The same for a cgroup reached by reading, not by following typed pointers. */
static __always_inline u64 probed_group(struct cgroup *cg)
{
	struct cgroup *up = cg;
	int level = charged.level;

	for (u32 i = 0; i < GROUP_DEPTH && up && BPF_CORE_READ(up, level) > level; i++)
		up = BPF_CORE_READ(up, self.parent, cgroup);
	if (!up || BPF_CORE_READ(up, level) != level || BPF_CORE_READ(up, kn, id) != charged.id)
		return 0;
	return per_cgroup ? BPF_CORE_READ(cg, kn, id) : charged.id;
}

/* Whom the kernel charges @bio to; 0: not the command. */
static __always_inline u64 bio_group(struct bio *bio)
{
	struct blkcg_gq *blkg;

	if (!bpf_core_field_exists(bio->bi_blkg))
		return 0;
	blkg = bio->bi_blkg;
	return blkg ? group_of(blkg->blkcg->css.cgroup) : 0;
}

static __always_inline u64 current_group(void)
{
	if (!current_is_target())
		return 0;
	return per_cgroup ? bpf_get_current_cgroup_id() : target.id;
}

/* The cell of (@cgroup, @disk, @op). The cache holds numbers only and is
 * checked against the cell itself, so a race in it costs a look-up, no more. */
static __always_inline u32 cell_find(u64 cgroup, u32 disk, u32 op)
{
	u32 h = (cgroup * 0x9e3779b97f4a7c15ULL >> 40) + disk * OP_MAX + op;
	u32 *cached = &cell_cache[h & (CELL_CACHE - 1)], *found;
	u32 i = *(volatile u32 *)cached;
	struct cell *c = bpf_map_lookup_elem(&cells, &i);
	struct cell_key key = { cgroup, disk, op };

	if (c && c->cgroup == cgroup && c->disk == disk && c->op == op)
		return i;
	found = bpf_map_lookup_elem(&cell_index, &key);
	i = found ? *found : cell_new(cgroup, disk, op);
	*(volatile u32 *)cached = i;
	return i;
}

static __always_inline void cell_enter(struct cell *c, u64 now)
{
	if (!enter(c->span, now))
		return;
	for (u32 i = 0; i < CELL_PARENTS; i++) {
		if (i >= c->parents_n)
			break;
		enter(c->parents[i], now);
	}
	if (c->total)
		enter_app(APP_SPAN_JOINT, now);
}

static __always_inline void cell_leave(struct cell *c, u64 now)
{
	if (!leave(c->span, now))
		return;
	for (u32 i = 0; i < CELL_PARENTS; i++) {
		if (i >= c->parents_n)
			break;
		leave(c->parents[i], now);
	}
	if (c->total)
		leave_app(APP_SPAN_JOINT, now);
}

/* An access of which one end was not seen: counted, not timed. */
static __always_inline void cell_lost(struct cell *c, u64 bytes)
{
	__sync_fetch_and_add(&c->lost, 1);
	__sync_fetch_and_add(&c->lost_bytes, bytes);
}

#endif
