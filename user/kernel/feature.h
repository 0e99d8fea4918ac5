/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Features of this kernel and machine. `iospan version -v` shows this table, the tracer chooses its
 * backends by it, and tests skip by it. A feature is probed, never derived from the kernel's
 * version. */
#ifndef IOSPAN_FEATURE_H
#define IOSPAN_FEATURE_H

#include <stdbool.h>

struct feature {
	const char *name; /* "bpf_tp_btf" */
	bool (*probe)(void);
	const char *what;    /* its purpose: "block and system call events through BTF" */
	const char *instead; /* the consequence if it is missing */
	bool required;	     /* nothing can be measured without it */
};

extern const struct feature features[]; /* ends with a NULL name */

/* Returns 0 if all required features are present, or -errno; prints the error. */
int features_check(void);

/* Whether a feature is present. It is probed once. An unknown name, which is a bug, ends the
 * program. */
bool feature_has(const char *name);

#endif
