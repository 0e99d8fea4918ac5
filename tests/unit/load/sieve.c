// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the reading of regions (data with holes between them). */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include "bench/load/load.h"
#include "tests/lib/harness.h"

/* Different offsets have different bytes, so that a wrong offset shows. */
static unsigned char byte_at(u64 offset)
{
	return offset * 2654435761u >> 13;
}

static int made_file(size_t bytes)
{
	int fd = memfd_create("regions", MFD_CLOEXEC);
	unsigned char *content = malloc(bytes);

	for (size_t i = 0; i < bytes; i++)
		content[i] = byte_at(i);
	ASSERT_EQ(write(fd, content, bytes), bytes);
	free(content);
	return fd;
}

static int read_all_data(int fd, struct regions regions, u64 number, u64 procs, unsigned char *to,
			 u64 bytes)
{
	struct load_spec spec = { .regions = regions, .procs = procs };
	struct request request = { .bytes = bytes, .buffer = to }, *ended;
	struct worker w = { .spec = &spec, .number = number, .fd = fd, .ended = &ended };

	ASSERT_EQ(engine_sieve.open(&w), 0);
	engine_sieve.queue(&w, &request);
	engine_sieve.close(&w);
	EXPECT_EQ(w.ended_n, 1);
	return request.result;
}

/* Returns the number of wrong bytes. Computes the offsets of the regions as the benchmark HPIO
 * defines them, independently of the code under test. */
static u64 count_wrong(struct regions r, u64 number, u64 procs, const unsigned char *seen,
		       u64 bytes)
{
	u64 start = number * (r.size + r.spacing), wrong = 0;

	for (u64 i = 0; i < bytes; start += procs * (r.size + r.spacing))
		for (u64 k = 0; k < r.size && i < bytes; k++, i++)
			wrong += seen[i] != byte_at(start + k);
	return wrong;
}

TEST(regions_arrive)
{
	static const u64 buffers[] = { 0, 1, 7, 256, 300, 4096, 1 << 20 };
	static const u64 spacings[] = { 0, 8, 100, 4096 };
	static unsigned char data[40 * 256];
	int fd = made_file(3 * 40 * (256 + 4096));

	for (unsigned b = 0; b < 7; b++)
		for (unsigned s = 0; s < 4; s++)
			for (u64 procs = 1; procs <= 3; procs++) {
				struct regions r = { 256, spacings[s], buffers[b], 0 };

				EXPECT_EQ(
					read_all_data(fd, r, procs - 1, procs, data, sizeof(data)),
					sizeof(data));
				EXPECT_EQ(count_wrong(r, procs - 1, procs, data, sizeof(data)), 0);
			}
	close(fd);
}

struct reader {
	struct worker *w;
	pthread_t thread;
	struct request request, *ended;
	unsigned char data[40 * 256];
};

static void *read_thread(void *of)
{
	struct reader *r = of;

	r->request = (struct request){ .bytes = sizeof(r->data), .buffer = r->data };
	r->w->ended = &r->ended;
	engine_sieve.queue(r->w, &r->request);
	return NULL;
}

static void expect_all(int fd, struct regions regions, u64 procs)
{
	static struct reader readers[3];
	struct load_spec spec = { .regions = regions, .procs = procs };
	struct load *l = load_new(&spec, &fd, 1);

	ASSERT_TRUE(l);
	for (u64 i = 0; i < procs; i++) {
		readers[i] = (struct reader){ .w = &l->workers[i] };
		pthread_create(&readers[i].thread, NULL, read_thread, &readers[i]);
	}
	for (u64 i = 0; i < procs; i++) {
		pthread_join(readers[i].thread, NULL);
		EXPECT_EQ(readers[i].request.result, sizeof(readers[i].data));
		EXPECT_EQ(count_wrong(regions, i, procs, readers[i].data, sizeof(readers[i].data)),
			  0);
	}
	load_free(l);
}

TEST(regions_arrive_through_other_processes)
{
	static const u64 shared[] = { 7, 256, 300, 4096, 1 << 20 };
	static const u64 spacings[] = { 0, 8, 100, 4096 };
	int fd = made_file(3 * 40 * (256 + 4096));

	for (unsigned b = 0; b < 5; b++)
		for (unsigned s = 0; s < 4; s++)
			for (u64 procs = 1; procs <= 3; procs++)
				expect_all(fd, (struct regions){ 256, spacings[s], 0, shared[b] },
					   procs);
	close(fd);
}

/* If one process has ended, the others must fail instead of waiting for it for ever. */
TEST(a_process_that_has_ended)
{
	struct load_spec spec = { .regions = { 256, 8, 0, 4096 }, .procs = 2 };
	int fd = made_file(100 * 256);
	struct load *l = load_new(&spec, &fd, 1);
	struct reader r = { .w = &l->workers[0] };

	l->workers[1].stage = WORKER_ENDED;
	read_thread(&r);
	EXPECT_LT(r.request.result, 0);
	load_free(l);
	close(fd);
}

/* The file ends within the request. Only the bytes before the end of the file may be counted. */
TEST(the_end_of_the_file)
{
	static unsigned char data[10 * 256];
	int fd = made_file(4 * (256 + 100) + 30);

	for (u64 buffer = 0; buffer <= 1000; buffer += 500) {
		struct regions r = { 256, 100, buffer, 0 };

		EXPECT_EQ(read_all_data(fd, r, 0, 1, data, sizeof(data)), 4 * 256 + 30);
		EXPECT_EQ(count_wrong(r, 0, 1, data, 4 * 256 + 30), 0);
	}
	close(fd);
	EXPECT_LT(read_all_data(-1, (struct regions){ 256, 100, 1000, 0 }, 0, 1, data, 256), 0);
}

TEST_MAIN
