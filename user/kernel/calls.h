/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The system calls that the vfs layer follows: the one table of them, and the
 * fentry backend's programs, one on the entry and one on the exit of each. */
#ifndef IOSPAN_CALLS_H
#define IOSPAN_CALLS_H

#include <bpf/libbpf.h>
#include <stdbool.h>

#define MAX_CALLS 32

/* Fills in what each call does, by its number; @kinds has MAX_SYSCALLS. With @opens also those
 * that open and close files, which are only recorded. */
void calls_kinds(unsigned char *kinds, bool opens);

/* Functions of one type share programs. Each pair is for their entry and exit. */
#define CALL_GROUPS 2
enum { CALL_ENTRY, CALL_EXIT, CALL_ENDS };
struct call_group {
	struct bpf_program *stub[CALL_ENDS];   /* to be copied, one per function, */
	struct bpf_program *shared[CALL_ENDS]; /* to go on in this one, */
	struct bpf_map *map[CALL_ENDS];	       /* which is found here */
};

/* A program on one call's function. */
struct call_program {
	char name[24];
	int program, link; /* descriptors */
};

struct call_programs {
	struct call_group groups[CALL_GROUPS]; /* these two are filled in by the caller */
	bool opens;			       /* as for calls_kinds() */
	struct call_program list[CALL_ENDS * MAX_CALLS];
	unsigned n;
};

/* Can the functions of all calls have programs? */
bool calls_have_functions(void);
/* Before loading: which functions the templates are for. Prints the error. */
int calls_prepare(struct call_programs *c);
/* Afterwards. On failure, calls_detach() ends what was begun. */
int calls_attach(struct call_programs *c);
void calls_detach(struct call_programs *c);

#endif
