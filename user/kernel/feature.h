/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Features of this kernel and machine, for `iospan version -v`, the tracer's choice of BPF
 * programs, and tests. iospan probes each feature and never derives it from the kernel's
 * version. */
#ifndef IOSPAN_FEATURE_H
#define IOSPAN_FEATURE_H

#include <stdbool.h>

struct feature {
	const char *name; /* name, such as "bpf_loop" */
	bool (*probe)(void);
	const char *what;    /* purpose of the feature, for example "loading BPF programs" */
	const char *instead; /* what iospan does without the feature */
	bool required;	     /* true: without this feature, iospan can measure nothing */
};

extern const struct feature features[]; /* the name of the last entry is NULL */

/* Checks the required features. Returns 0, or -errno after an error message. */
int features_check(void);

/* Returns what is missing here for any measurement: capabilities or a feature, for example "CAP_BPF
 * (to load BPF programs)". NULL: nothing. The caller frees the text. */
char *features_missing(void);

/* Returns true if the feature is present. If the name is not known, this is a bug and ends the
 * program. */
bool feature_has(const char *name);

#endif
