/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Features of this kernel and machine. `iospan version -v` prints this table. The tracer chooses
 * its BPF programs by it, and tests use it to decide if they are skipped. A feature is probed,
 * never derived from the version of the kernel. */
#ifndef IOSPAN_FEATURE_H
#define IOSPAN_FEATURE_H

#include <stdbool.h>

struct feature {
	const char *name; /* for example "bpf_loop" */
	bool (*probe)(void);
	const char *what;    /* purpose of the feature, for example "loading BPF programs" */
	const char *instead; /* consequence if the feature is missing */
	bool required;	     /* true: iospan can measure nothing without this feature */
};

extern const struct feature features[]; /* the last entry has a name of NULL */

/* Checks that all required features are present. Returns 0 or -errno, and prints the error. */
int features_check(void);

/* Returns true if the feature is present. It is probed only once. An unknown name, which is a bug,
 * ends the program. */
bool feature_has(const char *name);

#endif
