// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/load/room.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "bench/load/target.h"
#include "user/base/err.h"
#include "user/host/environment-cgroups.h"
#include "user/host/host.h"

#define FREE_PER_CENT 80 /* a load may use this percentage of the free space of a file system */

int room_on_target(const char *target, u64 *bytes)
{
	struct statvfs fs;
	struct stat st;

	if (stat(target, &st) || statvfs(target, &fs))
		return error(-errno, "cannot examine '%s': %s", target, strerror(errno));
	*bytes = target_room(target);
	if (S_ISDIR(st.st_mode)) /* a file system without a size limit reports 0 blocks */
		*bytes = fs.f_blocks ? fs.f_bavail * fs.f_frsize / 100 * FREE_PER_CENT : INT64_MAX;
	return 0;
}

u64 room_in_cache(u64 limit)
{
	u64 most = environment_memory_limit(), available;

	if (limit && limit < most)
		most = limit;
	if (host_memory(&this_host, "MemAvailable", &available) && available < most)
		most = available;
	return most;
}
