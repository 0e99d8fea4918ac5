// SPDX-License-Identifier: GPL-2.0-only
/* Measures the device layer of disks that take bios instead of requests (dm, md, zram, brd, nvme
 * multipath heads). Only for these disks, the kernel emits block_bio_complete. */
#include "bpf/bio-file.bpf.h"
#include "bpf/nested.bpf.h"
#include "bpf/pending.bpf.h"
#include "bpf/record.bpf.h"

static __always_inline enum op bio_op(struct bio *bio)
{
	u32 flags = bio->bi_opf;

	if (flags & (1U << K_PREFLUSH_BIT) && !bio->bi_iter.bi_size)
		return OP_FLUSH;
	return op_of(flags);
}

static __always_inline void record_bio(const struct pending *p, u64 end, u32 flags)
{
	record_device(p->op, p->start_ns, end, p->bytes, &p->at, 0, 0, flags, p->tgid);
}

/* If the pending table, which has the bios in flight, still has the bio with address @key, no BPF
 * program saw its completion. Then ends its access at an estimated time. */
static __always_inline void bio_repair(u64 key)
{
	struct pending p;
	u64 end;

	if (!pending_take(key, &p))
		return;
	end = cell_repair(&p.op, &p.span, p.bytes, p.start_ns, bpf_ktime_get_ns());
	if (recording)
		record_bio(&p, end, TRACE_UNTIMED);
}

SEC("tp_btf/block_bio_queue")
int BPF_PROG(on_bio_queue, struct bio *bio)
{
	struct gendisk *disk = UNTRUSTED(bio)->bi_bdev->bd_disk;
	struct pending *p;
	struct cell *c;
	u32 group, cell, at;
	u64 now;

	if (!disk_is_bio_based(disk) || disk_is_ignored(disk))
		return 0;
	group = attribution == BY_BLKCG ? bio_group(bio) : current_group();
	bio_repair((u64)bio);
	if (!group) {
		note_charged_above(bio);
		return 0;
	}
	cell = cell_find(group, disk_find(disk), bio_op(bio));
	c = bpf_map_lookup_elem(&cells, &cell);
	if (!c || !cell)
		return 0;
	/* The access starts here, after the slow look-ups, so the clock is read here. The access is
	 * added to its span a little later. If no other access is in flight until then, T may lack
	 * this time. So the steps in between must be short. */
	now = bpf_ktime_get_ns();
	p = pending_new((u64)bio, &at);
	if (!p)
		return 0;
	p->kind = PENDING_BIO;
	p->op = cell;
	p->bytes = bio->bi_iter.bi_size;
	p->span = cell_leaf(c, bpf_get_smp_processor_id());
	if (recording) {
		p->at.offset = bio->bi_iter.bi_sector << 9;
		p->at.inode = 0;
		bio_file((u64)bio, &p->at, now);
		p->tgid = record_process(0);
	}
	cell_enter(&p->op, &p->span, now);
	p->ring = per_cgroup && disk_is_shared(c->disk);
	barrier();
	p->start_ns = now;
	return 0;
}

#define MD_MAJOR 9

/* Ends the access of a bio on an md disk when md passes the bio on to another disk. If md keeps no
 * I/O statistics, it passes on the bio itself, not a copy. Then the kernel emits no completion
 * event for the md disk. Other disks, such as nvme multipath heads, need no such program, because
 * the kernel emits their completion event. */
SEC("tp_btf/block_bio_remap")
int BPF_PROG(on_bio_remap, struct bio *bio, u32 from)
{
	if (from >> 20 == MD_MAJOR)
		bio_repair((u64)bio);
	return 0;
}

static __always_inline void bio_complete(struct bio *bio, bool nested)
{
	struct pending p;
	struct cell *c;
	u64 now;
	u32 how;

	if (!pending_take((u64)bio, &p))
		return;
	c = bpf_map_lookup_elem(&cells, &p.op);
	if (!c)
		return;
	now = bpf_ktime_get_ns();
	cell_leave(&p.op, &p.span, now);
	how = (bio->bi_status ? CELL_FAILED : 0) | (p.ring ? CELL_SHARED : 0);
	access_over(p.op, row_here(c->row), p.bytes, how, now - p.start_ns, 0, nested);
	if (recording)
		record_bio(&p, now,
			   (bio->bi_status ? TRACE_FAILED : 0) | (nested ? TRACE_UNTIMED : 0));
}

static struct running completing_bios[MAX_CPUS] = {};

SEC("tp_btf/block_bio_complete")
int BPF_PROG(on_bio_complete, struct request_queue *q, struct bio *bio)
{
	volatile u32 *running = running_here(completing_bios);

	*running = 1;
	bio_complete(bio, false);
	*running = 0;
	return 0;
}

SEC("tp_btf/block_bio_complete")
int BPF_PROG(on_bio_complete_nested, struct request_queue *q, struct bio *bio)
{
	volatile u32 *running = running_here(completing_bios);

	if (*running)
		bio_complete(bio, true);
	return 0;
}
