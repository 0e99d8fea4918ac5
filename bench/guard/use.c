// SPDX-License-Identifier: GPL-2.0-or-later
/* Searches for users of the target, and of the disks and files that share bytes with it (the
 * victims, see victims.h). If another user has opened the target exclusively, guard.c cannot open
 * it, and the search finds the user for the error message. The search also finds users that do not
 * prevent an exclusive open, and users of the victims. */
#include "bench/guard/use.h"

#include <blkid/blkid.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "bench/guard/inode.h"
#include "bench/guard/processes.h"
#include "user/base/err.h"

static bool is_swap(struct victims *v)
{
	char path[PATH_MAX], *line = NULL;
	size_t size = 0;
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), "%s/swaps", v->host->proc);
	f = fopen(path, "re");
	while (f && !found && getline(&line, &size, f) > 0) {
		int i;

		if (line[0] != '/')
			continue;
		line[strcspn(line, " \t\n")] = '\0';
		i = victim_by_path(v, host_unescape(line));
		found = i >= 0 && victim_is(v, i, "is used as swap");
	}
	if (f)
		fclose(f);
	free(line);
	return found;
}

static bool has_holder(struct victims *v)
{
	char holders[1][DISK_NAME], dir[DISK_NAME + 16];

	for (unsigned i = 0; i < v->n; i++) {
		struct disk d;

		if (v->at[i].file || v->at[i].held || disk_by_dev(v->host, v->at[i].dev, &d))
			continue;
		snprintf(dir, sizeof(dir), "%s/holders", d.partition[0] ? d.partition : ".");
		if (disk_list(&d, dir, holders, 1))
			return victim_is(v, i, "is part of '%s'", holders[0]);
	}
	return false;
}

/* Returns true if a loop device stores its data on the target, as after "losetup /dev/sdb". */
static bool is_below_loop(struct victims *v)
{
	for (unsigned i = 0; i < v->n; i++) {
		unsigned source = v->at[i].source;

		if (v->at[i].relation == VICTIM_ABOVE && v->at[source].own)
			return victim_is(v, source, "is what '%.60s' is made of", v->at[i].name);
	}
	return false;
}

/* Returns true if somebody has opened device @dev exclusively. Returns false for a disk with
 * partitions. An exclusive open of such a disk would prove nothing, because it fails even if only
 * one partition is in use. */
static bool is_claimed(const struct disk *d, dev_t dev)
{
	int fd;

	if (!d->partition[0] && disk_partitions(d, NULL, 0))
		return false;
	fd = node_open(d->partition[0] ? d->partition : d->name, dev, O_EXCL);
	if (fd >= 0)
		close(fd);
	return fd == -EBUSY;
}

/* Returns true if somebody has opened a disk in @v exclusively. Ignores the disks on which .own is
 * set, such as the target, because guard.c itself has opened them. */
static bool has_claim(struct victims *v)
{
	for (unsigned i = 0; i < v->n; i++) {
		struct disk d;

		if (!v->at[i].file && !v->at[i].own && !v->at[i].held &&
		    !disk_by_dev(v->host, v->at[i].dev, &d) && is_claimed(&d, v->at[i].dev))
			return victim_is(
				v, i, "a file system, swap, another disk or a program has claimed");
	}
	return false;
}

static bool find_use(const struct host *h, const struct victim *target, struct guard_use *use)
{
	struct victims v = { .host = h, .use = use };
	bool found;

	use->why[0] = '\0';
	victims_find(&v, target);
	found = victims_mounted(&v) || is_swap(&v) || has_holder(&v) || is_below_loop(&v) ||
		victims_written(&v) || has_claim(&v);
	victims_release(&v);
	return found;
}

bool guard_find_use(const struct host *h, dev_t dev, struct guard_use *use)
{
	struct victim target = { .dev = dev };

	return find_use(h, &target, use);
}

bool guard_find_file_use(const struct host *h, int fd, const struct stat *file,
			 struct guard_use *use)
{
	struct victim target = { .file = true,
				 .dev = file->st_dev,
				 .inode = file->st_ino,
				 .mount = file->st_dev };
	char link[32];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, target.name, PATH_MAX - 1);
	target.name[len < 0 ? 0 : len] = '\0';
	file_find_mount(h, &target);
	return find_use(h, &target, use);
}

/* ---- signatures, found by libblkid; a device may have several, such as an old and a new one
 * ---- */

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
