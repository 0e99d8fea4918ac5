// SPDX-License-Identifier: GPL-2.0
/* The maps and knobs that the layers share. */
#include "maps.bpf.h"

char LICENSE[] SEC("license") = "GPL";

struct spans_map spans SEC(".maps");
struct cells_map cells SEC(".maps");
struct slots_map slots SEC(".maps");
struct app_map app SEC(".maps");
struct pending_map pending SEC(".maps");
struct buckets_map buckets SEC(".maps");
struct disks_map disks SEC(".maps");
struct rows_map rows SEC(".maps");

const volatile u64 target_id = 0;
const volatile int target_level = 0;

struct losses losses = {};
struct notes notes = {};
