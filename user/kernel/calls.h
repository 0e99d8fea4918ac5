/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Attaches BPF programs to the kernel functions of system calls, by kprobes or by fentry.
 * iospan's vfs layer measures the I/O of these calls. */
#ifndef IOSPAN_CALLS_H
#define IOSPAN_CALLS_H

#include <bpf/libbpf.h>
#include <stdbool.h>

#define MAX_CALLS 32

/* For each measured system call, sets kinds[number of the call] to its enum call_kind. @kinds has
 * MAX_SYSCALLS elements. If @opens is true, includes calls that open and close files. They are
 * recorded, but do not count as I/O. */
void calls_kinds(unsigned char *kinds, bool opens);

/* The kernel functions of system calls have two BTF types. A BPF program can tail-call another only
 * if both were loaded for the same type. So each type has a struct call_group, with programs for
 * the entry and the exit of a call. */
#define CALL_GROUPS 2
enum { CALL_ENTRY, CALL_EXIT, CALL_ENDS };
struct call_group {
	/* small program; a copy of it is attached to each function */
	struct bpf_program *stub[CALL_ENDS];
	/* program that does the work for all functions; each copy of .stub tail-calls it */
	struct bpf_program *shared[CALL_ENDS];
	/* BPF map that contains .shared; a copy of .stub needs it for the tail call */
	struct bpf_map *map[CALL_ENDS];
};

/* A BPF program on the kernel function of one system call. .program and .link are file
 * descriptors. */
struct call_program {
	char name[24];
	int program, link;
};

struct call_programs {
	/* BPF programs for each BTF type; set by the caller */
	struct call_group groups[CALL_GROUPS];
	/* true: include calls that open and close files; set by the caller */
	bool opens;
	struct call_program list[CALL_ENDS * MAX_CALLS];
	unsigned n;
	int kprobes[CALL_ENDS]; /* descriptors of the kprobes' links; -1: none */
};

/* Returns true if the kernel's BTF has the functions of all measured calls. */
bool calls_have_functions(void);

/* Attaches @program to the kernel functions of all measured calls: at their exit if @end is
 * CALL_EXIT, else at their entry. @program is loaded for BPF_TRACE_KPROBE_MULTI. If @opens is true,
 * includes calls that open and close files. Returns the descriptor of the link, or -errno. */
int calls_attach_kprobe(int program, int end, bool opens);

/* Sets the attach targets of the programs in c->groups. Call it before loading them. Returns 0, or
 * -errno after an error message. */
int calls_prepare(struct call_programs *c);

/* Attaches the programs, after the caller has loaded them. Returns 0 or -errno. The caller must
 * call calls_detach() in the end, even if this function fails. */
int calls_attach(struct call_programs *c);
void calls_detach(struct call_programs *c);

/* Detaches the programs and the kprobes: first the program at the entry of a call, then that at its
 * exit. Keeps the programs loaded, so that the kernel's counts of their runs can still be read. */
void calls_stop(struct call_programs *c);

/* The kernel needs 0.1 s or more to detach the programs. The process that closes their last
 * descriptor waits for this. So iospan lets a child process close the descriptors, which it
 * inherits. The child first closes other inherited descriptors, such as pipes, because another
 * process may wait for the end of a pipe. */
void calls_detach_in_background(const struct call_programs *c);

#endif
