// SPDX-License-Identifier: GPL-2.0-or-later
/* Workloads that overwrite the app area, which is the memory that they share with iospan:
 *
 *	scribble	for two seconds, writes random data over the app area, except its head, and
 *			over the lanes (buffers of records); always marks the first lane as full
 *	scribble flip	ends, and leaves a child that makes the operations in the app area valid and
 *			invalid in turn, for three seconds
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "bpf/event.h"

static u64 next(u64 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

#define INVALID 77

static void flip(struct app_area *area)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	for (u32 i = 0; i < APP_THREADS; i++)
		area->threads[i] = (struct app_thread){
			.tid = 1,
			.stage = APP_INSIDE,
			.start_ns = now.tv_sec * 1000000000ULL + now.tv_nsec,
		};
	if (fork())
		return;
	alarm(3);
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	for (u32 op = 0;; op ^= INVALID)
		for (u32 i = 0; i < APP_THREADS; i++)
			__atomic_store_n(&area->threads[i].op, op, __ATOMIC_RELAXED);
}

int main(int argc, char **argv)
{
	const char *number = getenv(APP_ENV_FD);
	u64 state = 88172645463325252ULL, *words, n;
	struct record_lane *lane;
	struct app_area *area;
	time_t end = time(NULL) + 2;
	size_t size;

	if (!number)
		return 2;
	area = mmap(NULL, sizeof(*area), PROT_READ, MAP_SHARED, atoi(number), 0);
	if (area == MAP_FAILED || area->head.magic != APP_MAGIC || !area->head.lanes)
		return 3;
	size = sizeof(*area) + area->head.lanes * sizeof(struct record_lane);
	words = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, atoi(number), 0);
	if (words == MAP_FAILED)
		return 4;
	if (argc > 1) {
		flip((struct app_area *)words);
		return 0;
	}
	lane = (struct record_lane *)((char *)words + sizeof(*area));
	n = (size - sizeof(struct app_head)) / sizeof(u64);
	words += sizeof(struct app_head) / sizeof(u64);
	for (u64 i = 0; i % 4096 || time(NULL) < end; i++) {
		u64 value = next(&state);

		words[next(&state) % n] = value & 1 ? value : value % 100;
		lane->head = ~0ULL;
		memset(&lane->entries[i & (LANE_ENTRIES - 1)], 0xff, sizeof(struct recorded));
	}
	return 0;
}
