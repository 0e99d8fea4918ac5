/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What kind of storage a disk is. The kernel's word (rotational or not) is the
 * hypervisor's or the cloud's where there is one, so those are known by name. */
#ifndef IOSPAN_CLASS_H
#define IOSPAN_CLASS_H

#include "user/host/disk.h"

/* Slowest first: of several disks the slowest decides. */
enum class_kind {
	CLASS_HDD,
	CLASS_VIRTUAL, /* somebody emulates it, or it lies beyond a network */
	CLASS_SSD,
	CLASS_NVME,
	CLASS_RAM,
	CLASS_UNKNOWN,
};

struct class
{
	enum class_kind kind;
	enum class_kind claimed;    /* what the kernel takes it for */
	const char *transport;	    /* "ata", "usb", "virtio" ...; NULL: not known */
	const char *platform;	    /* who is behind it: "QEMU", "Amazon EBS"; or NULL */
	char vendor[32], model[64]; /* "": it names none */
	char disk[DISK_NAME];	    /* the one that decided: below loop, dm, md */
	bool mixed;		    /* disks of different classes lie below */
};

const char *class_name(enum class_kind kind); /* "hdd" */
/* -EINVAL: no such class. No message. */
int class_by_name(const char *name, enum class_kind *kind);

/* Of a disk, or of what @path is or lies on: its file system may be in memory. What
 * cannot be found out is unknown. */
void class_of_disk(const struct host *h, const struct disk *d, struct class *c);
void class_of_path(const struct host *h, const char *path, struct class *c);

/* Calls @fn for each disk that @d is made of: slaves, or what holds a loop device's
 * file. Returns how many. */
unsigned class_each_below(const struct host *h, const struct disk *d,
			  void (*fn)(const struct disk *below, void *arg), void *arg);

#endif
