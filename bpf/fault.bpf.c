// SPDX-License-Identifier: GPL-2.0-only
/* Measures page faults of mapped files that start a read or wait for one, if the kernel has fentry.
 * These are major faults (VM_FAULT_MAJOR), faults that start to read ahead, and faults that wait
 * for a locked page (VM_FAULT_RETRY). A page is locked while it is read, and sometimes for another
 * reason. The kernel repeats a fault that waited, and the repetition does not count.
 *
 * Only at the end of a fault does iospan see its kind. Then it adds the duration of the fault to T,
 * the time with at least one access in flight. So T may be too short. Example: a fault lasts from 3
 * to 8 ms, and another access ends at 5 ms. Then T may lack the time from 3 to 5 ms.
 *
 * Faults on program text (VM_EXEC) are not counted, just as the dynamic loader's reads are not
 * counted. */
#include "bpf/vfs.bpf.h"

#define VM_FAULT_MAJOR 0x4
#define VM_FAULT_RETRY 0x400
/* bits of the result of a failed fault: VM_FAULT_OOM, _SIGBUS, _HWPOISON, _SIGSEGV and similar */
#define VM_FAULT_ERROR 0x73
#define PAGE_BYTES 4096
#define VM_EXEC 0x4

/* A page fault in progress, per thread. The kernel may skip the BPF program at the start or the end
 * of a fault. So a start and an end belong together only if they have the same address. */
struct fault {
	u64 start_ns, address;
};

struct faults_map {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct fault);
};
struct faults_map faults SEC(".maps");

SEC("fentry/filemap_fault")
int BPF_PROG(on_fault, struct vm_fault *vmf)
{
	struct fault *fault;
	bool wanted;

	if (!current_is_target())
		return 0;
	wanted = !(vmf->flags & FAULT_FLAG_RETRY_NOWAIT) && !(vmf->vma->vm_flags & VM_EXEC) &&
		file_is_storage(vmf->vma->vm_file);
	fault = bpf_task_storage_get(&faults, bpf_get_current_task_btf(), NULL,
				     wanted ? BPF_LOCAL_STORAGE_GET_F_CREATE : 0);
	if (!fault && wanted)
		count(&losses.no_storage);
	if (!fault)
		return 0;
	fault->address = vmf->address;
	fault->start_ns = wanted ? bpf_ktime_get_ns() : 0;
	return 0;
}

static __always_inline void fault_cell(u64 start, u64 end, bool failed)
{
	u32 cell = vfs_cell(VFS_READ);

	vfs_cell_access(cell, start, true);
	vfs_cell_access(cell, end, false);
	cell_add(cell, PAGE_BYTES, failed, end - start, 0);
}

static __always_inline void record_fault(struct vm_fault *vmf, u64 start, u64 end, bool failed)
{
	struct file_at at = { .offset = BPF_CORE_READ(vmf, pgoff) * PAGE_BYTES };
	u32 tgid = record_process(end);

	record_file(BPF_CORE_READ(vmf, vma, vm_file), &at, 0, end);
	record_vfs(1 << LAYER_VFS, OP_READ, SRC_FAULT, &at, start, end, PAGE_BYTES,
		   failed ? TRACE_FAILED : 0, tgid);
}

SEC("fexit/filemap_fault")
int BPF_PROG(on_fault_end, struct vm_fault *vmf, unsigned int ret)
{
	struct fault *fault;
	u64 start, now;

	fault = bpf_task_storage_get(&faults, bpf_get_current_task_btf(), NULL, 0);
	if (!fault || !fault->start_ns)
		return 0;
	start = fault->start_ns;
	fault->start_ns = 0;
	if (!(ret & (VM_FAULT_MAJOR | VM_FAULT_RETRY)) || fault->address != vmf->address)
		return 0;
	now = bpf_ktime_get_ns();
	access_vfs(NULL, VFS_READ, start, true);
	access_vfs(NULL, VFS_READ, now, false);
	add_access(row_here(ROW_VFS(SRC_FAULT, VFS_READ)), PAGE_BYTES, ret & VM_FAULT_ERROR,
		   now - start, 0);
	if (vfs_groups)
		fault_cell(start, now, ret & VM_FAULT_ERROR);
	if (recording)
		record_fault(vmf, start, now, ret & VM_FAULT_ERROR);
	return 0;
}
