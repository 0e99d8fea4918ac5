/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The class of a disk's storage, such as hdd or nvme. The kernel's rotational attribute is the
 * hypervisor's choice, so virtual disks are recognised by vendor and model. */
#ifndef IOSPAN_CLASS_H
#define IOSPAN_CLASS_H

#include "user/host/disk.h"

/* Slowest first: a stacked disk has the class of the slowest disk below it. */
enum class_kind {
	CLASS_HDD,
	CLASS_VIRTUAL, /* of a hypervisor or network */
	CLASS_SSD,
	CLASS_NVME,
	CLASS_RAM,
	CLASS_UNKNOWN,
};

struct class
{
	enum class_kind kind;
	/* by the kernel's attributes only, such as queue/rotational */
	enum class_kind reported;
	const char *transport; /* "ata", "usb", "virtio" ...; NULL: unknown */
	/* hypervisor, cloud or driver, such as "QEMU"; NULL: unknown */
	const char *platform;
	char vendor[32], model[64]; /* as reported; "": none */
	/* decides the class; for loop, dm and md the slowest disk below */
	char disk[DISK_NAME];
	bool mixed; /* the disks below differ in class */
};

const char *class_name(enum class_kind kind); /* such as "hdd" */
/* Sets *@kind to the class @name, or returns -EINVAL. Prints nothing. */
int class_by_name(const char *name, enum class_kind *kind);

/* Set @c for disk @d, or for the disk or memory that stores @path. CLASS_UNKNOWN if
 * undetermined. */
void class_of_disk(const struct host *h, const struct disk *d, struct class *c);
void class_of_path(const struct host *h, const char *path, struct class *c);

/* Calls @fn for each disk directly below @d: its slaves, or the disk with a loop device's backing
 * file. Returns their number. */
unsigned class_each_below(const struct host *h, const struct disk *d,
			  void (*fn)(const struct disk *below, void *arg), void *arg);

#endif
