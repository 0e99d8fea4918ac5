/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drops the capabilities that a network server does not need. */
#ifndef IOSPAN_PRIVILEGES_H
#define IOSPAN_PRIVILEGES_H

/* Keeps only CAP_BPF and CAP_PERFMON (and CAP_SYS_ADMIN if one of these is missing) in this thread
 * and new ones. Executed programs gain none. Returns 0, or -errno after an error message. */
int privileges_keep_bpf(void);

#endif
