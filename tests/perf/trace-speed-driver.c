// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints the costs of a trace as JSON: bytes per access, and accesses written and read per second
 * by one CPU.
 *
 *   trace-speed-driver FILE [MILLIONS]
 *
 * Writes, reads and removes FILE twice: first with random reads of one disk, then with accesses of
 * eight processes at three layers. MILLIONS is the number of accesses in FILE, in millions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "user/metric/span.h"
#include "user/trace/trace.h"
#include "user/trace/trace-read.h"
#include "user/trace/write.h"
#include "user/kernel/tracer.h"

#define BATCH (1 << 16) /* number of generated accesses, which are written again and again */
#define PROCESSES 8

static struct trace_access made[BATCH];

static double uniform(void)
{
	static u64 state = 1993;

	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (state * 0x2545f4914f6cdd1dULL >> 11) * 0x1p-53;
}

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Generates random reads of 4 KiB on 64 GiB: 300,000 per second, on average 32 in flight. Sets
 * *@lasts_ns to the end of the last read. */
static void make_random(u64 *lasts_ns)
{
	u64 now = 0;

	for (u32 i = 0; i < BATCH; i++) {
		u64 latency = 107000 + 20000 * (uniform() + uniform() + uniform() - 1.5);

		now += -log(1 - uniform()) * 3333;
		made[i] = (struct trace_access){
			.start_ns = now - latency,
			.end_ns = now,
			.bytes = 4096,
			.offset = (u64)(uniform() * (1 << 24)) * 4096,
			.stream = 1,
		};
	}
	*lasts_ns = now;
}

/* Generates reads and writes of several sizes at three layers. Each process uses one file. */
static void make_mixed(u64 *lasts_ns)
{
	u64 now = 0, offset = 0, bytes = 0;
	u32 who = 0;

	for (u32 i = 0; i < BATCH; i++) {
		u32 layer = i % LAYERS;

		if (!layer) {
			who = uniform() * 2 * PROCESSES;
			bytes = 4096 << (int)(uniform() * 6);
			offset = (u64)(uniform() * (1 << 18)) * 4096;
		}
		now += 300 + uniform() * (layer ? 900 : 5000);
		made[i] = (struct trace_access){
			.start_ns = now - 20000 * (1 + layer) - uniform() * 90000,
			.end_ns = now,
			.bytes = bytes,
			.offset = layer == LAYER_DEVICE ? offset + (1ULL << 36) : offset,
			.queued_ns = layer == LAYER_DEVICE ? uniform() * 3000 : 0,
			.stream = 1 + layer * 2 * PROCESSES + who,
		};
	}
	*lasts_ns = now;
}

static void add_streams(struct trace_writer *w)
{
	for (u32 i = 0; i < LAYERS * 2 * PROCESSES; i++) {
		char text[32];
		struct trace_name disk = { .kind = TRACE_DISK, .id = 1, .text = "disk" };
		struct trace_name process = { .kind = TRACE_PROCESS, .text = text };
		struct trace_name file = { .kind = TRACE_FILE, .text = text };
		struct trace_stream s = { .op = i % 2 };

		snprintf(text, sizeof(text), "number %u", i / 2 % PROCESSES);
		s.layer = i / (2 * PROCESSES);
		s.process = trace_name(w, &process);
		if (s.layer == LAYER_DEVICE)
			s.disk = trace_name(w, &disk);
		else
			s.file = trace_name(w, &file);
		trace_stream(w, &s);
	}
}

static int write_all(const char *path, u64 n, u64 lasts_ns, u64 *bytes)
{
	struct trace_writer *w;
	int ret = trace_create(&w, path, NULL, NULL);
	u64 base = 1000000000000;

	if (ret)
		return ret;
	add_streams(w);
	for (u64 i = 0; i < n && !ret; i++) {
		struct trace_access a = made[i % BATCH];

		if (i && i % BATCH == 0)
			base += lasts_ns;
		a.start_ns += base;
		a.end_ns += base;
		ret = trace_add(w, &a);
	}
	if (!ret)
		ret = trace_flush(w);
	*bytes = trace_written(w);
	trace_finish(w, NULL);
	return ret;
}

/* Reads the trace. If @cover is not NULL, sets it to the union of the intervals of all accesses. */
static int read_all(const char *path, unsigned columns, u64 n, struct cover *cover)
{
	const struct trace_batch *b;
	struct trace_reader *r;
	int ret = trace_open(&r, path, columns);
	u64 seen = 0;

	if (ret)
		return ret;
	while ((ret = trace_next(r, &b)) > 0) {
		for (u32 i = 0; cover && i < b->n; i++)
			cover_add(cover, b->start_ns[i], b->end_ns[i]);
		if (cover)
			cover_settle(cover, b->before_ns, NULL, NULL);
		seen += b->n;
	}
	trace_close(r);
	return ret || seen != n ? -1 : 0;
}

static int measure(const char *name, const char *path, u64 n, u64 lasts_ns)
{
	struct cover cover = {};
	double at[5];
	u64 bytes;

	at[0] = seconds(CLOCK_PROCESS_CPUTIME_ID);
	if (write_all(path, n, lasts_ns, &bytes))
		return 1;
	at[1] = seconds(CLOCK_PROCESS_CPUTIME_ID);
	if (read_all(path, 0, n, NULL))
		return 1;
	at[2] = seconds(CLOCK_PROCESS_CPUTIME_ID);
	if (read_all(path, TRACE_OFFSET | TRACE_QUEUED | TRACE_HELD, n, NULL))
		return 1;
	at[3] = seconds(CLOCK_PROCESS_CPUTIME_ID);
	if (read_all(path, 0, n, &cover))
		return 1;
	at[4] = seconds(CLOCK_PROCESS_CPUTIME_ID);
	cover_release(&cover);
	unlink(path);
	printf("\"%s\": {\"bytes_per_access\": %.2f, \"written_per_s\": %.3g, "
	       "\"read_per_s\": %.3g, \"read_all_columns_per_s\": %.3g, "
	       "\"read_and_t_per_s\": %.3g}",
	       name, (double)bytes / n, n / (at[1] - at[0]), n / (at[2] - at[1]),
	       n / (at[3] - at[2]), n / (at[4] - at[3]));
	return 0;
}

int main(int argc, char **argv)
{
	u64 n, lasts_ns;

	if (argc < 2)
		return 2;
	n = 1000000 * (argc > 2 ? strtoull(argv[2], NULL, 10) : 10);
	printf("{");
	make_random(&lasts_ns);
	if (measure("random", argv[1], n, lasts_ns))
		return 1;
	printf(", ");
	make_mixed(&lasts_ns);
	if (measure("mixed", argv[1], n, lasts_ns))
		return 1;
	printf("}\n");
	return fflush(stdout) || ferror(stdout);
}
