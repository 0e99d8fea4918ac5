// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/beff/partition.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench/beff/rank.h"
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
