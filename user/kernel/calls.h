/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The system calls that the vfs layer follows, and the programs of the fentry backend: one on the
 * entry and one on the exit of each call. */
#ifndef IOSPAN_CALLS_H
#define IOSPAN_CALLS_H

#include <bpf/libbpf.h>
#include <stdbool.h>

#define MAX_CALLS 32

/* Sets the kind of each call (enum call_kind), by its number, in @kinds, which has MAX_SYSCALLS
 * entries. @opens: also calls that open and close files, which are only recorded. */
void calls_kinds(unsigned char *kinds, bool opens);

/* Functions of one type share programs. Each pair is for the entry and the exit. */
#define CALL_GROUPS 2
enum { CALL_ENTRY, CALL_EXIT, CALL_ENDS };
struct call_group {
	struct bpf_program *stub[CALL_ENDS];   /* is copied for each function */
	struct bpf_program *shared[CALL_ENDS]; /* the copies tail-call it, */
	struct bpf_map *map[CALL_ENDS];	       /* through this map */
};

/* A program on one call's function. */
struct call_program {
	char name[24];
	int program, link; /* descriptors */
};

struct call_programs {
	struct call_group groups[CALL_GROUPS]; /* the caller sets this */
	bool opens;			       /* the caller sets this: as for calls_kinds() */
	struct call_program list[CALL_ENDS * MAX_CALLS];
	unsigned n;
};

/* Whether programs can be attached to the functions of all calls. */
bool calls_have_functions(void);

/* To be called before loading: sets the functions of the stubs. Returns 0 or -errno; prints the
 * error. */
int calls_prepare(struct call_programs *c);

/* To be called after loading. Returns 0 or -errno. calls_detach() is needed even after a
 * failure. */
int calls_attach(struct call_programs *c);
void calls_detach(struct call_programs *c);

#endif
