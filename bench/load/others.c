// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/load/others.h"

#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "user/base/clock.h"
#include "user/host/host.h"

#define SECOND 1e9

static double user_ns(int who)
{
	struct rusage u;

	getrusage(who, &u);
	return u.ru_utime.tv_sec * SECOND + u.ru_utime.tv_usec * 1e3;
}

double others_own_ns(void)
{
	return user_ns(RUSAGE_SELF);
}

struct others others_now(void)
{
	unsigned long long user, nice, system, idle, iowait, irq, softirq, steal;
	struct others o = { .at_ns = now_ns(), .busy_ns = NAN };
	char line[256];

	if (!host_line(line, sizeof(line), "%s/stat", this_host.proc) ||
	    sscanf(line, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &user, &nice, &system,
		   &idle, &iowait, &irq, &softirq, &steal) != 8)
		return o;
	o.busy_ns = (user + nice + steal) * (SECOND / sysconf(_SC_CLK_TCK)) - user_ns(RUSAGE_SELF) -
		user_ns(RUSAGE_CHILDREN);
	return o;
}

double others_since(const struct others *from)
{
	struct others now = others_now();
	double available = (double)(now.at_ns - from->at_ns) * sysconf(_SC_NPROCESSORS_ONLN);

	return isnan(now.busy_ns) || isnan(from->busy_ns) || !available ?
		NAN :
		fmin(fmax((now.busy_ns - from->busy_ns) / available, 0), 1);
}
