/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The system calls that the vfs layer follows, and the BPF programs that are attached to their
 * kernel functions by fentry. */
#ifndef IOSPAN_CALLS_H
#define IOSPAN_CALLS_H

#include <bpf/libbpf.h>
#include <stdbool.h>

#define MAX_CALLS 32

/* For each followed system call, sets the element of @kinds at the call's number to its enum
 * call_kind. @kinds has MAX_SYSCALLS elements. If @opens is true, calls that open and close files
 * are followed, too. These calls are recorded, but they are no accesses. */
void calls_kinds(unsigned char *kinds, bool opens);

/* The kernel functions of system calls have one of two BTF types. A BPF program can only tail-call
 * a program for functions of the same type. So there is a struct call_group for each type, with the
 * programs that run at the entry and at the exit of a call. */
#define CALL_GROUPS 2
enum { CALL_ENTRY, CALL_EXIT, CALL_ENDS };
struct call_group {
	/* small program; a copy of it is attached to each function */
	struct bpf_program *stub[CALL_ENDS];
	/* program that does the work; each copy of .stub tail-calls it */
	struct bpf_program *shared[CALL_ENDS];
	/* maps through which the copies of .stub tail-call .shared */
	struct bpf_map *map[CALL_ENDS];
};

/* A BPF program that is attached to the kernel function of one system call. */
struct call_program {
	char name[24];
	int program, link;
};

struct call_programs {
	/* BPF programs for each BTF type; set by the caller */
	struct call_group groups[CALL_GROUPS];
	/* true: also follow calls that open and close files; set by the caller */
	bool opens;
	struct call_program list[CALL_ENDS * MAX_CALLS];
	unsigned n;
};

/* Returns true if BPF programs can be attached to the kernel functions of all followed calls. */
bool calls_have_functions(void);

/* Prepares the programs of c->groups. Call it before they are loaded. Returns 0 or -errno; prints
 * the error. */
int calls_prepare(struct call_programs *c);

/* Attaches the programs, which the caller has loaded. Returns 0 or -errno. The caller must call
 * calls_detach() after success and after failure. */
int calls_attach(struct call_programs *c);
void calls_detach(struct call_programs *c);

/* Detaches the programs, but keeps them loaded, so that the kernel's counts of their runs can still
 * be read. Detaches the program at the entry of a call before the program at its exit. */
void calls_stop(struct call_programs *c);

/* The kernel detaches the programs when their last descriptors are closed, which takes 0.1 s or
 * more. So that iospan need not wait, this function makes a child process that inherits the
 * descriptors and closes them last. The child first closes the pipes that it inherits, because
 * another process may wait for the end of a pipe. */
void calls_detach_in_background(const struct call_programs *c);

#endif
