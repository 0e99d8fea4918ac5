/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the dynamic loader of a program in its auxiliary vector. */
#ifndef IOSPAN_LOADER_BPF_H
#define IOSPAN_LOADER_BPF_H

#include "bpf/compat.bpf.h"

#define AT_BASE 7
/* The kernel writes AT_BASE as the ninth entry (create_elf_tables()), so these words include it. */
#define AUXV_WORDS 24

/* Returns the base address of the dynamic loader of @task's program. Returns 0 if the program is
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
