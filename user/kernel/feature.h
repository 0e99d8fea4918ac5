/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What this kernel and this machine offer: one table, shown by `iospan version
 * -v`, asked by the tracer before it chooses a backend and by the tests before
 * they skip. A feature is probed for what it is, never by the kernel's version. */
#ifndef IOSPAN_FEATURE_H
#define IOSPAN_FEATURE_H

#include <stdbool.h>

struct feature {
	const char *name; /* "bpf_tp_btf" */
	bool (*probe)(void);
	const char *what;    /* "block and system call events through BTF" */
	const char *instead; /* what happens when it is missing */
	bool required;	     /* nothing can be measured without it */
};

extern const struct feature features[]; /* ends with a NULL name */

/* 0 when this machine has what measuring takes; -errno after an error was printed. */
int features_check(void);

/* Present? Probed once. An unknown name ends the program: a typing error. */
bool feature_has(const char *name);

#endif
