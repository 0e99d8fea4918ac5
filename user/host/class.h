/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The class of a disk's storage, such as hdd or nvme. Virtual disks are recognised by vendor and
 * model, because the hypervisor chooses the value of their attribute "rotational". */
#ifndef IOSPAN_CLASS_H
#define IOSPAN_CLASS_H

#include "user/host/disk.h"

/* Classes of storage, the slowest first. A disk that is stacked on several disks has the class of
 * the slowest of them. */
enum class_kind {
	CLASS_HDD,
	CLASS_VIRTUAL, /* emulated by a hypervisor, or reached through a network */
	CLASS_SSD,
	CLASS_NVME,
	CLASS_RAM,
	CLASS_UNKNOWN,
};

struct class
{
	enum class_kind kind;
	/* class that follows from the kernel's attributes alone, such as queue/rotational; .kind
	 * also depends on vendor and model */
	enum class_kind reported;
	const char *transport; /* "ata", "usb", "virtio" ...; NULL: unknown */
	/* hypervisor, cloud or driver, such as "QEMU"; NULL: none is known */
	const char *platform;
	char vendor[32], model[64]; /* strings that the disk reports; "": it reports none */
	/* Name of the disk that decides the class. For a loop, dm or md device, this is the slowest
	 * disk on which the device is stacked. Otherwise it is the disk itself. */
	char disk[DISK_NAME];
	bool mixed; /* true if the device is stacked on disks of different classes */
};

const char *class_name(enum class_kind kind);
/* Sets *@kind to the class called @name, and returns 0. If there is none, prints an error and
 * returns -EUSAGE. */
int class_by_name(const char *name, enum class_kind *kind);

/* Set @c to the class of disk @d, or of the disk or memory that stores @path. If this class is
 * unknown, c->kind is CLASS_UNKNOWN. */
void class_of_disk(const struct host *h, const struct disk *d, struct class *c);
void class_of_path(const struct host *h, const char *path, struct class *c);

/* Calls @fn for each disk on which @d is directly stacked: its slaves or, for a loop device, the
 * disk with the backing file. Returns the number of calls. */
unsigned class_each_below(const struct host *h, const struct disk *d,
			  void (*fn)(const struct disk *below, void *arg), void *arg);

#endif
