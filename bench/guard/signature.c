// SPDX-License-Identifier: GPL-2.0-or-later
/* Refuses to overwrite a device with a signature: the mark of a file system, swap, a partition
 * table, LVM, md, ZFS or bcache. libblkid finds signatures. iospan checks all signatures, because a
 * device may have an old and a new signature. */
#include <blkid/blkid.h>
#include <stdio.h>
#include <string.h>
#include "bench/guard/signature.h"
#include "user/base/err.h"

static bool is_allowed(const char *name, const char *list)
{
	size_t len = strlen(name);

	while (list && *list) {
		size_t word = strcspn(list, ",");

		if (word == len && !strncmp(list, name, len))
			return true;
		list += word + (list[word] == ',');
	}
	return false;
}

static int refuse(const char *path, const char *name)
{
	return error(-EEXIST,
		     "'%s' has a signature of '%s': it will not be written "
		     "unless --signature names it",
		     path, name);
}

/* Returns the name of the signature that @probe has just found, such as "ext4". Sets *@table to
 * true if the signature is a partition table. */
static const char *found_name(blkid_probe probe, bool *table)
{
	const char *name = NULL;

	*table = !blkid_probe_lookup_value(probe, "PTTYPE", &name, NULL);
	if (!*table)
		blkid_probe_lookup_value(probe, "TYPE", &name, NULL);
	return name;
}

static int check_signatures(const char *path, blkid_probe probe, const char *allowed,
			    bool has_partitions)
{
	bool any_table = false;
	int step;

	while ((step = blkid_do_probe(probe)) == 0) {
		bool table;
		const char *name = found_name(probe, &table);

		if (name && !is_allowed(name, allowed))
			return refuse(path, name);
		any_table |= table;
	}
	if (step < 0)
		return error(-EIO,
			     "cannot look for signatures on '%s': it will not be "
			     "written",
			     path);
	/* the kernel shows partitions, but libblkid finds no partition table; addpart(8) makes such
	 * partitions */
	if (has_partitions && !any_table && !is_allowed("partitions", allowed))
		return refuse(path, "partitions");
	return 0;
}

int guard_check_signature(const char *path, int fd, const char *allowed, bool has_partitions)
{
	blkid_probe probe = need(blkid_new_probe());
	int ret;

	if (blkid_probe_set_device(probe, fd, 0, 0)) {
		ret = error(-EIO, "cannot look for signatures on '%s'", path);
		goto out;
	}
	/* these flags also report damaged signatures: bad checksums, and a GPT without its
	 * protective MBR */
	blkid_probe_enable_superblocks(probe, 1);
	blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_BADCSUM);
	blkid_probe_enable_partitions(probe, 1);
	blkid_probe_set_partitions_flags(probe, BLKID_PARTS_FORCE_GPT);
	ret = check_signatures(path, probe, allowed, has_partitions);
out:
	blkid_free_probe(probe);
	return ret;
}
