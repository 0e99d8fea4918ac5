/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the address of a program's dynamic loader (ld.so) in its auxiliary vector, so that the
 * loader's reads of program files are not counted as accesses of the program. */
#ifndef IOSPAN_LOADER_BPF_H
#define IOSPAN_LOADER_BPF_H

#include "bpf/compat.bpf.h"

#define AT_BASE 7
/* Number of words of the auxiliary vector to read. An entry has two words, and AT_BASE is the ninth
 * entry that the kernel writes (create_elf_tables()). */
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
