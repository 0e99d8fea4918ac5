/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds a program's dynamic loader (ld.so), so that its reads are not counted as accesses. */
#ifndef IOSPAN_LOADER_BPF_H
#define IOSPAN_LOADER_BPF_H

#include "bpf/compat.bpf.h"

#define AT_BASE 7
/* Number of words of the auxiliary vector that iospan reads. An entry has two words. AT_BASE is the
 * ninth entry that the kernel writes (create_elf_tables()). */
#define AUXV_WORDS 24

/* Returns the base address of the dynamic loader of @task's program; 0: the program is statically
 * linked. */
static __noinline u64 loader_base(struct task_struct *task)
{
	unsigned long auxv[AUXV_WORDS] = {};
	struct mm_struct *mm = UNTRUSTED(task)->mm;

	bpf_core_read(auxv, sizeof(auxv), &mm->saved_auxv);
	for (int i = 0; i < AUXV_WORDS; i += 2)
		if (auxv[i] == AT_BASE)
			return auxv[i + 1];
	return 0;
}

#endif
