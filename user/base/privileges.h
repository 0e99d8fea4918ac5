/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives up what a program that serves strangers does not need. */
#ifndef IOSPAN_PRIVILEGES_H
#define IOSPAN_PRIVILEGES_H

/* Keeps the capabilities that work on BPF maps and programs takes, and no others: CAP_BPF and
 * CAP_PERFMON, or CAP_SYS_ADMIN where one of them is missing. No program that is executed later
 * gets more. For the calling thread and those it makes later. -errno, printed. */
int privileges_keep_bpf(void);

#endif
