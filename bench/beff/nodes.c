// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/beff/nodes.h"

#include <string.h>
#include <unistd.h>

#include "bench/load/target.h"
#include "user/host/host.h"

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

	/* from the nearest rank on, because mpirun often puts successive ranks on one node */
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
