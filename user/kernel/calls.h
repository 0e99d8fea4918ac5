/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Attaches BPF programs to the kernel functions of system calls, by kprobes or by fentry.
 * iospan's vfs layer measures the I/O of these calls. */
#ifndef IOSPAN_CALLS_H
#define IOSPAN_CALLS_H

#include <bpf/libbpf.h>
#include <stdbool.h>

#define MAX_CALLS 32

/* Sets kinds[n] to the enum call_kind of system call number n, for each measured call. @kinds has
 * MAX_SYSCALLS elements. If @opens is true, includes calls that open and close files. These calls
 * are recorded, but do not count as I/O. */
void calls_kinds(unsigned char *kinds, bool opens);

/* The kernel functions of system calls have one of two BTF types. A BPF program can tail-call
 * another program only if both were loaded for the same type. So each type has a struct call_group,
 * with the programs that run at the entry and at the exit of a call. */
#define CALL_GROUPS 2
enum { CALL_ENTRY, CALL_EXIT, CALL_ENDS };
struct call_group {
	/* small program; a copy of this program is attached to each function */
	struct bpf_program *stub[CALL_ENDS];
	/* program that does the work; each copy of .stub tail-calls it */
	struct bpf_program *shared[CALL_ENDS];
	/* maps through which the copies of .stub tail-call .shared */
	struct bpf_map *map[CALL_ENDS];
};

/* A BPF program that is attached to the function of one system call. .program and .link are file
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
	int kprobes[CALL_ENDS]; /* descriptors of the links of the kprobes, or -1 */
};

/* Returns true if the kernel's BTF has the functions of all measured calls. */
bool calls_have_functions(void);

/* Attaches @program, which is loaded for BPF_TRACE_KPROBE_MULTI, to the functions of all measured
 * calls: at their exit if @end is CALL_EXIT, else at their entry. If @opens is true, includes calls
 * that open and close files. Returns the descriptor of the link, or -errno. */
int calls_attach_kprobe(int program, int end, bool opens);

/* Sets the attach targets of the programs in c->groups. Call this before the programs are loaded.
 * Returns 0, or -errno after an error message. */
int calls_prepare(struct call_programs *c);

/* Attaches the programs, which the caller has loaded. Returns 0 or -errno. The caller must call
 * calls_detach() after success and after failure. */
int calls_attach(struct call_programs *c);
void calls_detach(struct call_programs *c);

/* Detaches the programs and the kprobes, but keeps them loaded, so that the kernel's counts of
 * their runs can still be read. Detaches the program at the entry of a call before the program at
 * its exit. */
void calls_stop(struct call_programs *c);

/* The kernel needs 0.1 s or more to detach the programs, and the process that closes their last
 * descriptor waits. So iospan makes a child process that inherits the descriptors and closes them
 * last. The child first closes lower descriptors such as pipes, because another process may wait
 * for the end of a pipe. */
void calls_detach_in_background(const struct call_programs *c);

#endif
