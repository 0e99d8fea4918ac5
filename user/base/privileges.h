/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drops the capabilities that a network server does not need. */
#ifndef IOSPAN_PRIVILEGES_H
#define IOSPAN_PRIVILEGES_H

/* Drops all capabilities except those for BPF maps and programs: CAP_BPF and CAP_PERFMON, and also
 * CAP_SYS_ADMIN if one of these two is missing. Programs that are executed later cannot gain
 * capabilities. Applies to the calling thread and to threads that it creates later. Returns 0, or
 * -errno after it has printed an error. */
int privileges_keep_bpf(void);

#endif
