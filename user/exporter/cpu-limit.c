// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/exporter/cpu-limit.h"

#include <string.h>
#include <unistd.h>

#include "user/base/err.h"
#include "user/base/num.h"

int cpu_limit_parse(const char *text, double *fraction)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (strchr(text, '%') && !num_real(text, fraction) && *fraction > 0 && *fraction <= cpus)
		return 0;
	return error(
		-EUSAGE,
		"option '--cpu-limit' wants a percentage of one CPU, such as 1%% or 0.5%%: above "
		"0%% and up to %ld%% (%ld CPU%s), not '%s'",
		cpus * 100, cpus, num_word(cpus, "", "s"), text);
}

double cpu_window_next(struct cpu_window *w, u64 now, u64 run_ns)
{
	double used = (double)(run_ns - w->run_ns) / (now - w->begin_ns);

	*w = (struct cpu_window){ now, run_ns };
	return used;
}
