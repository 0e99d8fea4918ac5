/* SPDX-License-Identifier: GPL-2.0-only */
/* Declares only the fields that BPF programs read. CO-RE adapts their offsets to the running
 * kernel; compat.bpf.h handles other differences. */
#ifndef IOSPAN_VMLINUX_H
#define IOSPAN_VMLINUX_H
#define __VMLINUX_H__ /* makes libbpf use the kernel's names of the fields of struct pt_regs */

#include <linux/types.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s64 s64;

#define O_APPEND 02000
#define O_TMPFILE_BIT 020000000 /* __O_TMPFILE in linux/fcntl.h */
#define FMODE_CREATED 0x100000

/* flag of a signal handler, and special handlers (asm-generic/signal-defs.h) */
#define SA_RESTART 0x10000000
#define SIG_DFL 0
#define SIG_IGN 1

/* Results of a system call that a signal interrupts (linux/errno.h). The kernel then restarts the
 * call, or changes the result to EINTR. */
#define ERESTARTSYS 512
#define ERESTARTNOINTR 513
#define ERESTARTNOHAND 514
#define ERESTART_RESTARTBLOCK 516

/* File types, from linux/stat.h. */
#define S_IFMT 00170000
#define S_IFREG 0100000
#define S_IFDIR 0040000
#define S_IFBLK 0060000

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct list_head {
	struct list_head *next, *prev;
};

struct kernfs_node {
	u64 id;
	const char *name;
};

#define CSS_ONLINE 2
struct cgroup_subsys_state {
	struct cgroup *cgroup;
	struct cgroup_subsys_state *parent;
	unsigned int flags;
};

struct cgroup {
	struct cgroup_subsys_state self;
	int level;
	struct kernfs_node *kn;
	struct cgroup_root *root;
	struct cgroup *ancestors[1];
};

enum cgroup_subsys_id {
	io_cgrp_id,
};

struct css_set {
	struct cgroup_subsys_state *subsys[1];
	struct cgroup *dfl_cgrp;
};

struct blkcg {
	struct cgroup_subsys_state css;
};

struct blkcg_gq {
	struct blkcg *blkcg;
};

struct file_system_type {
	int fs_flags;
};

struct super_block {
	unsigned int s_dev;
	unsigned long s_magic;
	struct file_system_type *s_type;
};

struct hlist_node {
	struct hlist_node *next;
};

struct hlist_head {
	struct hlist_node *first;
};

struct inode {
	unsigned short i_mode;
	struct super_block *i_sb;
	unsigned long i_ino;
	unsigned int i_rdev;
	unsigned int i_generation;
	u64 i_size;
	struct hlist_head i_dentry;
};

struct qstr {
	u32 len;
	const unsigned char *name;
};

struct dentry {
	struct dentry *d_parent;
	struct qstr d_name;
	union {
		struct hlist_node d_alias;
	} d_u;
};

struct vfsmount {
	struct dentry *mnt_root;
};

struct mount {
	struct mount *mnt_parent;
	struct dentry *mnt_mountpoint;
	struct vfsmount mnt;
};

struct path {
	struct vfsmount *mnt;
	struct dentry *dentry;
};

struct file {
	struct inode *f_inode;
	unsigned int f_flags;
	unsigned int f_mode;
	u64 f_pos;
	struct path f_path;
};

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
};

struct files_struct {
	struct fdtable *fdt;
};

struct mm_struct {
	unsigned long saved_auxv[40];
};

struct thread_info {
	unsigned long flags;
};

struct ns_common {
	unsigned int inum;
};

struct pid_namespace {
	struct ns_common ns;
};

struct upid {
	int nr;
	struct pid_namespace *ns;
};

struct pid {
	unsigned int level;
	struct upid numbers[];
};

/* the kernel's atomic_t, as a plain number */
struct thread_count {
	int counter;
};

struct signal_struct {
	struct thread_count live;
};

struct sigaction {
	void (*sa_handler)(int);
	unsigned long sa_flags;
};

struct k_sigaction {
	struct sigaction sa;
};

struct task_struct {
	struct thread_info thread_info;
	int pid;
	int tgid;
	struct mm_struct *mm;
	struct files_struct *files;
	struct css_set *cgroups;
	struct bpf_local_storage *bpf_storage;
	struct pid *thread_pid;
	struct task_struct *group_leader;
	struct signal_struct *signal;
	u64 start_time;
	char comm[16];
};

struct linux_binprm {
	unsigned int secureexec : 1;
	const char *filename;
};

struct block_device_operations {
	void *submit_bio;
};

struct gendisk {
	int major;
	int first_minor;
	char disk_name[32];
	u64 diskseq;
	const struct block_device_operations *fops;
	void *private_data;
	struct block_device *part0;
};

struct block_device {
	struct gendisk *bd_disk;
};

struct address_space {
	struct inode *host;
};

struct page {
	unsigned long compound_head;
	struct address_space *mapping;
};

enum pageflags {
	PG_locked,
	PG_writeback,
};

struct bio_vec {
	struct page *bv_page;
};

struct bvec_iter {
	u64 bi_sector;
	unsigned int bi_size;
	unsigned int bi_idx;
};

struct bio {
	void *bi_end_io;
	void *bi_private;
	struct bio_vec *bi_io_vec;
	struct block_device *bi_bdev;
	unsigned int bi_opf;
	u8 bi_status;
	struct bvec_iter bi_iter;
	struct blkcg_gq *bi_blkg;
};

struct request_queue {
	struct gendisk *disk;
};

struct blk_flush_queue {
	unsigned int flush_pending_idx : 1;
	unsigned int flush_running_idx : 1;
	struct list_head flush_queue[2];
	struct request *flush_rq;
};

struct blk_mq_tags {
	unsigned int nr_tags;
	struct request **static_rqs;
};

struct blk_mq_hw_ctx {
	struct blk_flush_queue *fq;
	struct blk_mq_tags *tags;
	struct blk_mq_tags *sched_tags;
	unsigned int queue_num;
};

enum mq_rq_state {
	MQ_RQ_IDLE, /* The request was not issued, or it was requeued. */
	MQ_RQ_IN_FLIGHT,
};

/* atomic_t in the kernel, refcount_t in older kernels; declared as a plain number. */
struct request_ref {
	int counter;
};

struct request {
	struct request_queue *q;
	struct blk_mq_hw_ctx *mq_hctx;
	unsigned int cmd_flags;
	int tag;
	int internal_tag;
	unsigned int __data_len;
	u64 __sector;
	struct bio *bio;
	struct bio *biotail;
	struct list_head queuelist;
	struct request_ref ref;
	u64 start_time_ns;
	enum mq_rq_state state;
};

struct loop_device {
	struct file *lo_backing_file;
};

struct io_cqe {
	u64 user_data;
	union {
		int res, fd;
	};
};

struct io_cmd_data {
	u8 data[56];
};

struct io_kiocb {
	union {
		struct file *file;
		struct io_cmd_data cmd;
	};
	u8 opcode;
	u64 flags;
	struct io_cqe cqe;
	struct io_ring_ctx *ctx;
};

struct kiocb {
	struct file *ki_filp;
	u64 ki_pos;
};

struct iomap_dio {
	struct kiocb *iocb;
};

struct io_rw {
	struct kiocb kiocb;
	u64 addr;
	u32 len;
};

struct io_uring_cqe {
	u64 user_data;
	int res;
};

struct io_rsrc_node {
	unsigned long file_ptr;
};

struct io_rsrc_data {
	unsigned int nr;
	struct io_rsrc_node **nodes;
};

struct io_file_table {
	struct io_rsrc_data data;
};

struct io_ring_ctx {
	struct io_file_table file_table;
	unsigned int nr_user_files; /* exists until Linux 6.12 */
};

struct vm_area_struct {
	unsigned long vm_flags;
	struct file *vm_file;
};

enum fault_flag { FAULT_FLAG_RETRY_NOWAIT = 8 };

struct vm_fault {
	struct vm_area_struct *vma;
	unsigned long pgoff;
	unsigned long address;
	enum fault_flag flags;
};

#ifdef __TARGET_ARCH_x86
struct pt_regs {
	unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di;
	unsigned long orig_ax, ip, sp;
};
#else
struct pt_regs;
struct user_pt_regs {
	u64 regs[31];
	u64 sp, pc, pstate;
};
#endif

#pragma clang attribute pop

#endif
