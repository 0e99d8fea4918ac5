/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes of BPF features, for feature.c. A probe tries a feature and returns true if the kernel has
 * it. It prints nothing and leaves nothing in the kernel. */
#ifndef IOSPAN_FEATURE_BPF_H
#define IOSPAN_FEATURE_BPF_H

#include <stdbool.h>

bool has_btf(void);
bool has_tp_btf_block(void);
bool has_block_io_start(void);
bool has_io_uring_req_events(void);
bool has_io_uring_cqe_overflow(void);
bool has_io_uring_submit_req(void);
bool has_io_uring_complete_cqe(void);
bool has_dirty_pages_list(void);
bool has_dirty_pages_struct(void);
bool has_bpf_loop(void);
bool has_bpf_rdonly_cast(void);
bool has_bpf_cmpxchg(void);
bool has_bpf_mmapable_array(void);
bool has_bpf_task_storage(void);
bool has_bpf_prog_fentry(void);
bool has_kprobe_multi(void);

#endif
