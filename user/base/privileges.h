/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests capabilities, and drops those that iospan needs no more. */
#ifndef IOSPAN_PRIVILEGES_H
#define IOSPAN_PRIVILEGES_H

#include <stdbool.h>

/* Returns true if @capability, such as CAP_BPF, is effective in the calling thread. */
bool privileges_have(int capability);

/* Call the two functions below after the BPF programs are attached. They affect the calling thread,
 * and the threads and processes that it creates later. Both return 0 or -errno, and print the
 * error.
 *
 * Some kernels need capabilities even for calls of bpf(2) that only use attached programs. On such
 * a kernel, both functions keep CAP_BPF and CAP_PERFMON or, if one of them is missing,
 * CAP_SYS_ADMIN. */

/* Drops the capabilities that load and attach BPF programs: CAP_BPF, CAP_PERFMON, CAP_SYS_ADMIN. */
int privileges_drop_tracing(void);

/* Drops all capabilities. If the user is not root, keeps CAP_DAC_READ_SEARCH, which is needed to
 * read the names of containers. Programs executed later cannot gain capabilities. */
int privileges_drop_all(void);

#endif
