/* SPDX-License-Identifier: GPL-2.0-only */
/* Hides differences between kernels by tests for types and fields, not for versions. */
#ifndef IOSPAN_COMPAT_BPF_H
#define IOSPAN_COMPAT_BPF_H

#include "bpf/vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

/* declared as in kernels before 81ada09cc25e ("blk-flush: reuse rq queuelist in flush state
 * machine") */
struct request___flush_list {
	struct {
		struct list_head list;
	} flush;
};

/* declared as in kernels before 7029acd8a950 ("io_uring/rsrc: get rid of per-ring io_rsrc_node
 * list") */
struct io_fixed_file {
	unsigned long file_ptr;
};
struct io_file_table___files {
	struct io_fixed_file *files;
};

#pragma clang attribute pop

static __always_inline bool has_ancestors(void)
{
	struct cgroup *cg = NULL;

	return bpf_core_field_exists(cg->ancestors);
}

/* Maximum number of parents that ancestor() follows. If the ancestor is further away, iospan
 * reads the array cgroup->ancestors, which exists since 6.1 (7f203bc89eb6, "cgroup: Replace
 * cgroup->ancestor_ids[] with ->ancestors[]"). Older kernels have no array, so the limit is
 * higher there. A high limit costs time at loading, because the verifier follows each iteration. */
#define GROUP_DEPTH (has_ancestors() ? 16 : 128)

static __always_inline u64 listed_ancestor(struct cgroup *cg, int level)
{
	u64 at = (u64)cg + bpf_core_field_offset(struct cgroup, ancestors), up = 0;

	bpf_probe_read_kernel(&up, sizeof(up), (void *)(at + level * sizeof(up)));
	return up;
}

/* Returns the ancestor of @cg at level @level, or @cg if it is not below that level. It follows the
 * pointers to the parents, because each step is then a load. It does not read the array of
 * ancestors: the verifier does not know the type of its elements, so each read would call a
 * helper. */
static __noinline struct cgroup *ancestor(struct cgroup *cg, int level)
{
	for (u32 i = 0; i < GROUP_DEPTH && cg->level > level; i++)
		cg = cg->self.parent->cgroup;
	return cg;
}

/* Returns the id of the ancestor of @cg at level @level. Used if @cg is too far below @level for
 * ancestor(), which follows at most GROUP_DEPTH parents. */
static __noinline u64 deep_ancestor_id(struct cgroup *cg, int level)
{
	/* Reads the address of @cg from a field, because the verifier does not accept a typed
	 * pointer as a number. */
	struct cgroup *untyped = BPF_CORE_READ(cg, self.cgroup);

	return BPF_CORE_READ((struct cgroup *)listed_ancestor(untyped, level), kn, id);
}

/* CAST() makes a typed pointer. A read through it is a load, which is faster than a helper call.
 * Use it only if has_cast is true: the kernel then has bpf_rdonly_cast(), which exists since
 * a35b9af4ec2c ("bpf: Add a kfunc for generic type cast"), 6.2. */
extern void *bpf_rdonly_cast(const void *at, u32 type) __ksym __weak;
extern const volatile bool has_cast;
#define CAST(type, at) ((type *)bpf_rdonly_cast(at, bpf_core_type_id_kernel(type)))

/* Makes @p an untrusted pointer, which saves time at loading. For each read of a pointer from a
 * trusted pointer, the verifier needs about 2 ms, because it searches all types of the kernel four
 * times. But at run time, a read from an untrusted pointer is slower by a comparison. So the usual
 * paths of the device layer do not use UNTRUSTED(). */
#define UNTRUSTED(p) (has_cast ? CAST(typeof(*(p)), p) : (p))

static __always_inline struct blk_mq_hw_ctx *hctx_of(struct request *rq)
{
	return UNTRUSTED(rq)->mq_hctx;
}

static __always_inline struct gendisk *disk_of(struct request *rq)
{
	return UNTRUSTED(rq)->q->disk;
}

static __always_inline struct bio *bio_of(struct request *rq)
{
	return UNTRUSTED(rq)->bio;
}

static __always_inline u32 io_css_offset(struct css_set *set)
{
	return bpf_core_field_offset(set->subsys) +
		bpf_core_enum_value(enum cgroup_subsys_id, io_cgrp_id) * sizeof(void *);
}

/* Returns the cgroup of @set in the hierarchy of the io controller. The kernel charges I/O to this
 * cgroup. */
static __always_inline struct cgroup *io_cgroup(struct css_set *set)
{
	struct cgroup_subsys_state *css = NULL;

	bpf_probe_read_kernel(&css, sizeof(css), (void *)set + io_css_offset(set));
	return BPF_CORE_READ(css, cgroup);
}

/* Does the same as io_cgroup(), but returns the id. It reads by loads, which are faster than helper
 * calls. */
static __always_inline u64 io_cgroup_id(struct css_set *set)
{
	struct cgroup_subsys_state **css = (void *)set + io_css_offset(set);

	return (*css)->cgroup->kn->id;
}

/* The kernel issues @flush_rq to serve the flush requests of programs. Returns the first of these
 * requests: the first in the running list of the flush queue (blk_kick_flush() in
 * block/blk-flush.c). */
static __always_inline struct request *flush_owner(struct request *flush_rq)
{
	struct blk_flush_queue *fq = flush_rq->mq_hctx->fq;
	unsigned int running = BPF_CORE_READ_BITFIELD(fq, flush_running_idx) & 1;
	struct request___flush_list *old = NULL;
	struct list_head *first = NULL;
	unsigned int off;

	bpf_core_read(&first, sizeof(first), &fq->flush_queue[running].next);
	if (bpf_core_field_exists(old->flush.list))
		off = bpf_core_field_offset(old->flush.list);
	else
		off = bpf_core_field_offset(struct request, queuelist);
	return first ? (void *)first - off : NULL;
}

static __always_inline void *pointer_at(const void *at)
{
	void *pointer = NULL;

	if (has_cast)
		return CAST(struct list_head, at)->next;
	bpf_probe_read_kernel(&pointer, sizeof(pointer), at);
	return pointer;
}

/* Returns the file that the program has registered with io_uring at index @fd, or NULL. */
static __always_inline struct file *ring_fixed_file(struct io_kiocb *req, u32 fd)
{
	struct io_ring_ctx *ctx = UNTRUSTED(req)->ctx;
	unsigned long word = 0;

	if (bpf_core_type_exists(struct io_rsrc_node) &&
	    bpf_core_field_exists(ctx->file_table.data)) {
		struct io_rsrc_node *node;

		if (fd >= ctx->file_table.data.nr)
			return NULL;
		node = pointer_at(ctx->file_table.data.nodes + fd);
		if (node && has_cast)
			word = CAST(struct io_rsrc_node, node)->file_ptr;
		else if (node)
			word = BPF_CORE_READ(node, file_ptr);
	} else if (bpf_core_type_exists(struct io_fixed_file)) {
		struct io_file_table___files *table = (void *)&ctx->file_table;
		struct io_fixed_file *files = NULL;

		if (fd >= ctx->nr_user_files)
			return NULL;
		bpf_core_read(&files, sizeof(files), &table->files);
		bpf_probe_read_kernel(&word, sizeof(word), &files[fd].file_ptr);
	}
	/* the low bits of the pointer are flags of the kernel: FFS_NOWAIT, FFS_ISREG, FFS_SCM */
	return (struct file *)(word & ~7UL);
}

/* REQ_OP_ZONE_APPEND has different values in different kernels, so it is read from the BTF. Its
 * enum got another name in ff07a02e9e8e ("treewide: Rename enum req_opf into enum req_op"). */
enum req_op {
	REQ_OP_ZONE_APPEND = 7,
};
enum req_opf {
	REQ_OP_ZONE_APPEND___opf = 13,
};

static __always_inline u32 zone_append(void)
{
	if (bpf_core_enum_value_exists(enum req_op, REQ_OP_ZONE_APPEND))
		return bpf_core_enum_value(enum req_op, REQ_OP_ZONE_APPEND);
	return bpf_core_enum_value(enum req_opf, REQ_OP_ZONE_APPEND___opf);
}

/* Returns true if @disk takes bios instead of requests. Such a disk has submit_bio (since 5.9). */
static __always_inline bool disk_is_bio_based(struct gendisk *disk)
{
	return disk->fops->submit_bio != NULL;
}

static __always_inline u64 call_ip(struct pt_regs *regs)
{
#ifdef __TARGET_ARCH_x86
	return regs->ip;
#else
	return ((struct user_pt_regs *)regs)->pc;
#endif
}

static __always_inline u64 call_stack(struct pt_regs *regs)
{
#ifdef __TARGET_ARCH_x86
	return regs->sp;
#else
	return ((struct user_pt_regs *)regs)->sp;
#endif
}

static __always_inline long call_number(struct pt_regs *regs)
{
#ifdef __TARGET_ARCH_x86
	return regs->orig_ax;
#else
	return ((struct user_pt_regs *)regs)->regs[8];
#endif
}

/* Returns true if @task runs 32-bit code. Its system calls then have other numbers. */
static __always_inline bool task_is_32bit(struct task_struct *task)
{
#ifdef __TARGET_ARCH_x86
	return task->thread_info.flags & (1UL << 29); /* bit TIF_ADDR32 */
#else
	return task->thread_info.flags & (1UL << 22); /* bit TIF_32BIT */
#endif
}

#endif
