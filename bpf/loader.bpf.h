/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a program's dynamic loader lies: the auxiliary vector says. */
#ifndef IOSPAN_LOADER_BPF_H
#define IOSPAN_LOADER_BPF_H

#include "bpf/compat.bpf.h"

#define AT_BASE 7
/* The kernel writes AT_BASE ninth (create_elf_tables). */
#define AUXV_WORDS 24

/* Base address of the dynamic loader of @task's program; 0: it has none, it is
 * statically linked. */
static __noinline u64 loader_base(struct task_struct *task)
{
	unsigned long auxv[AUXV_WORDS] = {};
	struct mm_struct *mm = task->mm;

	bpf_core_read(auxv, sizeof(auxv), &mm->saved_auxv);
	for (int i = 0; i < AUXV_WORDS; i += 2)
		if (auxv[i] == AT_BASE)
			return auxv[i + 1];
	return 0;
}

#endif
