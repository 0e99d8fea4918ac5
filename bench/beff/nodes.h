/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machines (nodes) on which the processes of b_eff_io (ranks) run. */
#ifndef IOSPAN_BEFF_NODES_H
#define IOSPAN_BEFF_NODES_H

#include <stdbool.h>
#include "bpf/types.h"

struct beff_node {
	/* A node is known by the identity of its running kernel and its name. Containers with
	 * names of their own are nodes, so that no cache is missed. */
	char boot[40], host[64];
	u64 cache_bytes; /* bytes of file data that the page cache can hold */
};

/* The following functions take the node of each rank in @of. */
struct beff_node beff_this_node(void);
/* Returns true if no rank with a lower number runs on the node of @rank. */
bool beff_node_is_first(const struct beff_node *of, unsigned rank);
/* Returns the number of ranks below @ranks that run on the node of @rank. */
unsigned beff_node_ranks(const struct beff_node *of, unsigned ranks, unsigned rank);
/* Returns the bytes of file data that the caches of all nodes together can hold. */
u64 beff_nodes_cache(const struct beff_node *of, unsigned ranks);

#endif
