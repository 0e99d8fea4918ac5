/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The limit of the CPU time of the vfs layer's BPF programs (--cpu-limit). Their CPU time is
 * compared with the limit at the end of each window of CPU_WINDOW_NS. */
#ifndef IOSPAN_EXPORTER_CPU_LIMIT_H
#define IOSPAN_EXPORTER_CPU_LIMIT_H

#include "bpf/types.h"

#define CPU_WINDOW_NS 10000000000ULL

struct cpu_window {
	u64 begin_ns; /* start of the window (CLOCK_MONOTONIC) */
	u64 run_ns;   /* run time of the programs at the start of the window */
};

/* Parses a percentage of one CPU, such as "0.5%", to a fraction above 0, and up to the number of
 * CPUs. Returns 0, or -EUSAGE after it has printed an error. */
int cpu_limit_parse(const char *text, double *fraction);

static inline bool cpu_window_is_over(const struct cpu_window *w, u64 now)
{
	return now - w->begin_ns >= CPU_WINDOW_NS;
}

/* Ends the window at time @now and starts the next one. @run_ns is the total run time of the
 * programs until @now. Returns the CPU time of the programs in the ended window, as a fraction of
 * one CPU. */
double cpu_window_next(struct cpu_window *w, u64 now, u64 run_ns);

#endif
