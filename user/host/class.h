/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The class of storage of a disk. Where there is a hypervisor or a cloud, it decides whether the
 * kernel calls a disk rotational, so their disks are recognised by name. */
#ifndef IOSPAN_CLASS_H
#define IOSPAN_CLASS_H

#include "user/host/disk.h"

/* Slowest first. A disk made of several disks has the class of the slowest. */
enum class_kind {
	CLASS_HDD,
	CLASS_VIRTUAL, /* emulated, or reached through a network */
	CLASS_SSD,
	CLASS_NVME,
	CLASS_RAM,
	CLASS_UNKNOWN,
};

struct class
{
	enum class_kind kind;
	enum class_kind reported;   /* by the kernel's attributes alone */
	const char *transport;	    /* "ata", "usb", "virtio" ...; NULL: not known */
	const char *platform;	    /* hypervisor, cloud or driver: "QEMU"; NULL: none known */
	char vendor[32], model[64]; /* "": not given */
	char disk[DISK_NAME];	    /* the disk that decides, below loop, dm and md */
	bool mixed;		    /* the disks below have different classes */
};

const char *class_name(enum class_kind kind); /* "hdd" */
/* Returns -EINVAL if there is no such class. Prints nothing. */
int class_by_name(const char *name, enum class_kind *kind);

/* Set the class of disk @d, or of the disk or memory that holds @path. CLASS_UNKNOWN if it cannot
 * be determined. */
void class_of_disk(const struct host *h, const struct disk *d, struct class *c);
void class_of_path(const struct host *h, const char *path, struct class *c);

/* Calls @fn for each disk directly below @d: its slaves, or the disk that holds the backing file of
 * a loop device. Returns their number. */
unsigned class_each_below(const struct host *h, const struct disk *d,
			  void (*fn)(const struct disk *below, void *arg), void *arg);

#endif
