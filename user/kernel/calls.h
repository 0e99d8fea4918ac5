/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of system calls that the vfs layer follows. Also attaches BPF programs to them by
 * fentry: one to the entry and one to the exit of each call's kernel function. */
#ifndef IOSPAN_CALLS_H
#define IOSPAN_CALLS_H

#include <bpf/libbpf.h>
#include <stdbool.h>

#define MAX_CALLS 32

/* Sets @kinds[n] to the enum call_kind of system call n, for each call that is followed. @kinds has
 * MAX_SYSCALLS entries. If @opens is true, includes calls that open and close files, which are
 * recorded but count as no accesses. */
void calls_kinds(unsigned char *kinds, bool opens);

/* The system calls are in two groups, because their kernel functions have two BTF types. struct
 * call_group has the BPF programs of one group. Each array has an element for the entry and one for
 * the exit of a call. */
#define CALL_GROUPS 2
enum { CALL_ENTRY, CALL_EXIT, CALL_ENDS };
struct call_group {
	/* program that is copied and attached to each function */
	struct bpf_program *stub[CALL_ENDS];
	/* program that does the work: each copy tail-calls it */
	struct bpf_program *shared[CALL_ENDS];
	struct bpf_map *map[CALL_ENDS]; /* maps through which the copies tail-call @shared */
};

/* A BPF program that is attached to the function of one call. */
struct call_program {
	char name[24];
	int program, link; /* file descriptors */
};

struct call_programs {
	struct call_group groups[CALL_GROUPS]; /* set by the caller */
	/* set by the caller: also follow calls that open and close files */
	bool opens;
	struct call_program list[CALL_ENDS * MAX_CALLS];
	unsigned n;
};

/* Returns true if BPF programs can be attached to the functions of all followed calls. */
bool calls_have_functions(void);

/* Prepares the BPF programs for loading; the caller must call this before it loads them. Returns 0
 * or -errno, and prints the error. */
int calls_prepare(struct call_programs *c);

/* Attaches the programs, which the caller has loaded. Returns 0 or -errno. The caller must call
 * calls_detach() even after a failure. */
int calls_attach(struct call_programs *c);
void calls_detach(struct call_programs *c);

#endif
