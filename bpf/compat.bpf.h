/* SPDX-License-Identifier: GPL-2.0 */
/* Every difference between kernels, one accessor each. The type or field is
 * probed, never the version. */
#ifndef IOSPAN_COMPAT_BPF_H
#define IOSPAN_COMPAT_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

/* Until 7f203bc89eb6 ("cgroup: Replace cgroup->ancestor_ids[] with ->ancestors[]") */
struct cgroup___ids {
	int level;
	u64 ancestor_ids[];
};

/* Until 81ada09cc25e ("blk-flush: reuse rq queuelist in flush state machine") */
struct request___flush_list {
	struct {
		struct list_head list;
	} flush;
};

/* Until 7029acd8a950 ("io_uring/rsrc: get rid of per-ring io_rsrc_node list") */
struct io_fixed_file {
	unsigned long file_ptr;
};
struct io_file_table___files {
	struct io_fixed_file *files;
};

#pragma clang attribute pop

/* The id of @cg's ancestor at @level, at most its own level. */
static __always_inline u64 ancestor_id(struct cgroup *cg, int level)
{
	struct cgroup *up = NULL;
	u64 id = 0;

	if (bpf_core_field_exists(cg->ancestors)) {
		bpf_core_read(&up, sizeof(up), &cg->ancestors[level]);
		id = BPF_CORE_READ(up, kn, id);
	} else {
		struct cgroup___ids *old = (void *)cg;

		bpf_core_read(&id, sizeof(id), &old->ancestor_ids[level]);
	}
	return id;
}

/* The request on whose behalf a flush request runs: the first on the queue's
 * running list (block/blk-flush.c, blk_kick_flush). */
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

/* The file behind descriptor @fd of the registered ones; NULL if unknown. */
static __always_inline struct file *ring_fixed_file(struct io_kiocb *req, u32 fd)
{
	struct io_ring_ctx *ctx = req->ctx;
	unsigned long word = 0;

	if (bpf_core_type_exists(struct io_rsrc_node) &&
	    bpf_core_field_exists(ctx->file_table.data)) {
		struct io_rsrc_node **nodes = ctx->file_table.data.nodes, *node = NULL;

		if (fd >= ctx->file_table.data.nr)
			return NULL;
		bpf_probe_read_kernel(&node, sizeof(node), nodes + fd);
		if (node)
			bpf_core_read(&word, sizeof(word), &node->file_ptr);
	} else if (bpf_core_type_exists(struct io_fixed_file)) {
		struct io_file_table___files *table = (void *)&ctx->file_table;
		struct io_fixed_file *files = NULL;

		if (fd >= ctx->nr_user_files)
			return NULL;
		bpf_core_read(&files, sizeof(files), &table->files);
		bpf_probe_read_kernel(&word, sizeof(word), &files[fd].file_ptr);
	}
	/* The low bits are flags: FFS_NOWAIT, FFS_ISREG, FFS_SCM. */
	return (struct file *)(word & ~7UL);
}

/* What kind of disk goes by bios and has no requests: block_device_operations
 * has submit_bio (since 5.9). */
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

static __always_inline long call_number(struct pt_regs *regs)
{
#ifdef __TARGET_ARCH_x86
	return regs->orig_ax;
#else
	return ((struct user_pt_regs *)regs)->regs[8];
#endif
}

/* A task that runs 32-bit code: its system calls have other numbers. */
static __always_inline bool task_is_32bit(struct task_struct *task)
{
#ifdef __TARGET_ARCH_x86
	return task->thread_info.flags & (1UL << 29);	/* TIF_ADDR32 */
#else
	return task->thread_info.flags & (1UL << 22);	/* TIF_32BIT */
#endif
}

#endif
