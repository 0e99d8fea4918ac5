/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls that the vfs layer follows, and fentry programs at their kernel functions. */
#ifndef IOSPAN_CALLS_H
#define IOSPAN_CALLS_H

#include <bpf/libbpf.h>
#include <stdbool.h>

#define MAX_CALLS 32

/* Sets @kinds[n] to the enum call_kind of each followed system call n, of MAX_SYSCALLS. @opens:
 * also of calls that open and close files, which are recorded but no accesses. */
void calls_kinds(unsigned char *kinds, bool opens);

/* BPF programs for one of the two BTF types of kernel functions, at entry and exit of a call. */
#define CALL_GROUPS 2
enum { CALL_ENTRY, CALL_EXIT, CALL_ENDS };
struct call_group {
	/* program that is copied and attached to each function */
	struct bpf_program *stub[CALL_ENDS];
	/* program that does the work: each copy tail-calls it */
	struct bpf_program *shared[CALL_ENDS];
	struct bpf_map *map[CALL_ENDS]; /* maps through which the copies tail-call @shared */
};

/* A BPF program attached to the function of one call. */
struct call_program {
	char name[24];
	int program, link;
};

struct call_programs {
	struct call_group groups[CALL_GROUPS]; /* set by the caller */
	/* set by the caller: also follow calls that open and close files */
	bool opens;
	struct call_program list[CALL_ENDS * MAX_CALLS];
	unsigned n;
};

/* Returns true if programs can be attached to the functions of all followed calls. */
bool calls_have_functions(void);

/* Prepares the programs; call it before they are loaded. 0, or -errno after an error message. */
int calls_prepare(struct call_programs *c);

/* Attaches the loaded programs. Returns 0 or -errno; calls_detach() is needed in both cases. */
int calls_attach(struct call_programs *c);
void calls_detach(struct call_programs *c);

#endif
