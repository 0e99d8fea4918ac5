/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drops the privileges that a network server does not need. */
#ifndef IOSPAN_PRIVILEGES_H
#define IOSPAN_PRIVILEGES_H

/* Keeps only the capabilities needed for BPF maps and programs: CAP_BPF and CAP_PERFMON, or
 * CAP_SYS_ADMIN if one of them is missing. Programs executed later cannot gain others. Applies to
 * the calling thread and to threads that it creates later. Returns -errno; prints the error. */
int privileges_keep_bpf(void);

#endif
