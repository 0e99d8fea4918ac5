/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests capabilities, and drops those that a network server does not need. */
#ifndef IOSPAN_PRIVILEGES_H
#define IOSPAN_PRIVILEGES_H

#include <stdbool.h>

/* Returns true if @capability, such as CAP_BPF, is effective in the calling thread. */
bool privileges_have(int capability);

/* Keeps only the capabilities CAP_BPF and CAP_PERFMON. If one of them is missing, keeps
 * CAP_SYS_ADMIN as well. This affects the calling thread and threads that it creates later.
 * Programs executed later cannot gain capabilities. Returns 0 or -errno; prints the error. */
int privileges_keep_bpf(void);

#endif
