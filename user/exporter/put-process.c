// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/exporter/put-process.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bpf/types.h"

static const struct family processor = { FAMILY_COUNTER, "process_cpu_seconds", "seconds",
					 "Processor time of this program." };
static const struct family resident = { FAMILY_GAUGE, "process_resident_memory_bytes", "bytes",
					"Memory of this program." };

static u64 timeval_ns(struct timeval t)
{
	return t.tv_sec * 1000000000ULL + t.tv_usec * 1000ULL;
}

void put_process(struct openmetrics *o)
{
	unsigned long long size, pages = 0;
	FILE *f = fopen("/proc/self/statm", "re");
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	family_begin(o, &processor);
	sample_seconds(o, "", "", timeval_ns(use.ru_utime) + timeval_ns(use.ru_stime));
	if (f && fscanf(f, "%llu %llu", &size, &pages) == 2) {
		family_begin(o, &resident);
		sample_count(o, "", "", pages * sysconf(_SC_PAGESIZE));
	}
	if (f)
		fclose(f);
}
