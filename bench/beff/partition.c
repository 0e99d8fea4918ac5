// SPDX-License-Identifier: GPL-2.0-or-later
/* The partitions of a run, and the machines (nodes) on which their ranks run. */
#include "bench/beff/beff.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/beff/engine.h"
#include "bench/load/target.h"
#include "user/base/need.h"
#include "user/base/num.h"
#include "user/host/host.h"

int beff_add_partition(struct beff *b, u64 ranks)
{
	if (!ranks || ranks > BEFF_RANKS)
		return error(-EUSAGE, "a partition has 1 to %d processes", BEFF_RANKS);
	if (b->partitions_n == BEFF_PARTITIONS)
		return error(-EUSAGE, "there are %d partitions at most", BEFF_PARTITIONS);
	b->partitions[b->partitions_n++].shape.ranks = ranks;
	if (b->setup.ranks < ranks)
		b->setup.ranks = ranks;
	return 0;
}

int beff_add_partitions(struct beff *b, const char *list)
{
	char *copy = need(strdup(list)), *rest = copy, *word;
	int ret = 0;

	while (!ret && (word = strsep(&rest, ","))) {
		u64 n = 0;

		ret = num_uint(word, &n) ? error(-EUSAGE, "'%s' is no number of processes", word) :
					   beff_add_partition(b, n);
	}
	free(copy);
	return ret;
}

int beff_set_memory(struct beff *b, u64 bytes)
{
	u64 there = room_in_cache(0), total = 0;
	char a[NUM_TEXT], c[NUM_TEXT];

	host_memory(&this_host, "MemTotal", &total);
	b->memory = bytes ?: total / b->setup.ranks;
	b->setup.mpart = beff_mpart(b->memory);
	for (unsigned i = 0; i < b->partitions_n; i++)
		b->partitions[i].shape.mpart = b->setup.mpart;
	if (beff_buffer_bytes(&b->setup) * b->setup.ranks <= there / 2)
		return 0;
	return error(-ENOMEM,
		     "buffers of %s for each of %u processes are more than half of the "
		     "%s of memory that there are; ask for less (--memory)",
		     num_bytes_text(a, beff_buffer_bytes(&b->setup)), b->setup.ranks,
		     num_bytes_text(c, there));
}

struct beff_node beff_this_node(void)
{
	struct beff_node n = { .cache_bytes = room_in_cache(0) };

	gethostname(n.host, sizeof(n.host) - 1);
	host_line(n.boot, sizeof(n.boot), "%s/sys/kernel/random/boot_id", this_host.proc);
	return n;
}

static bool is_same(const struct beff_node *a, const struct beff_node *b)
{
	return !strcmp(a->boot, b->boot) && !strcmp(a->host, b->host);
}

bool beff_node_is_first(const struct beff_node *of, unsigned rank)
{
	unsigned i = rank;

	/* Search backwards from the nearest rank, because mpirun often puts successive ranks on one
	 * node. */
	while (i && !is_same(&of[i - 1], &of[rank]))
		i--;
	return !i;
}

unsigned beff_node_ranks(const struct beff_node *of, unsigned ranks, unsigned rank)
{
	unsigned n = 0;

	for (unsigned i = 0; i < ranks; i++)
		n += is_same(&of[i], &of[rank]);
	return n;
}

u64 beff_nodes_cache(const struct beff_node *of, unsigned ranks)
{
	u64 bytes = 0;

	for (unsigned i = 0; i < ranks; i++)
		if (beff_node_is_first(of, i))
			bytes += of[i].cache_bytes;
	return bytes;
}
