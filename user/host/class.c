// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the class of a disk's storage (hdd, ssd, nvme, virtual, ram) by its attributes in sysfs,
 * such as driver, transport, vendor and model. A stacked disk gets the class of the slowest disk
 * below it. */
#include "user/base/words.h"
#include "user/host/class.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

/* largest number of levels of a stack of disks; the kernel permits fewer levels */
#define DEPTH 16

static const char *const names[] = {
	[CLASS_HDD] = "hdd",   [CLASS_VIRTUAL] = "virtual", [CLASS_SSD] = "ssd",
	[CLASS_NVME] = "nvme", [CLASS_RAM] = "ram",	    [CLASS_UNKNOWN] = "unknown",
};

/* Transports of disks, such as ata. A disk has a transport if its path in sysfs contains .part,
 * followed by a digit, as in "/ata1". The first match is used. */
static const struct {
	const char *part, *transport;
} transports[] = {
	{ "/usb", "usb" },	   { "/ata", "ata" },	      { "/session", "iscsi" },
	{ "/rport-", "fc" },	   { "/end_device-", "sas" }, { "/VMBUS:", "vmbus" },
	{ "/MSFT1000:", "vmbus" }, { "/mmc", "mmc" },	      { "/vbd-", "xen" },
	{ "/ndbus", "nvdimm" },	   { "/pseudo_", "memory" },  { "/virtio", "virtio" },
	{ "/host", "scsi" },
};

/* Virtual disks and disks in memory. The name of such a disk in sysfs is the .name of its driver
 * and a number, as in "zram0". */
static const struct {
	const char *name;
	enum class_kind kind;
	const char *platform;
} drivers[] = {
	{ "zram", CLASS_RAM, "zram" },
	{ "ram", CLASS_RAM, "brd" },
	{ "pmem", CLASS_RAM, "persistent memory" },
	{ "nullb", CLASS_RAM, "null_blk" },
	{ "nbd", CLASS_VIRTUAL, "NBD" },
	{ "rbd", CLASS_VIRTUAL, "Ceph RBD" },
	{ "drbd", CLASS_VIRTUAL, "DRBD" },
	{ "ublkb", CLASS_VIRTUAL, "ublk" },
	{ "zd", CLASS_VIRTUAL, "ZFS volume" },
};

/* Disks of hypervisors and clouds, by the vendor and model that the disk reports. The first match
 * is used. */
static const struct {
	/* patterns of fnmatch(3) for the disk's transport, vendor and model */
	const char *transport, *vendor, *model;
	enum class_kind kind;
	const char *platform;
} platforms[] = {
	{ "nvme*", "*", "Amazon Elastic Block Store", CLASS_VIRTUAL, "Amazon EBS" },
	{ "nvme*", "*", "Amazon EC2 NVMe Instance Storage", CLASS_NVME, "Amazon EC2" },
	{ "nvme*", "*", "nvme_card-pd", CLASS_VIRTUAL, "Google Persistent Disk" },
	{ "nvme*", "*", "nvme_card*", CLASS_NVME, "Google Local SSD" },
	{ "nvme*", "*", "MSFT NVMe Accelerator*", CLASS_VIRTUAL, "Azure" },
	{ "nvme*", "*", "Microsoft NVMe Direct Disk*", CLASS_NVME, "Azure" },
	{ "nvme*", "*", "Alibaba Cloud Elastic Block*", CLASS_VIRTUAL, "Alibaba Cloud" },
	{ "nvme*", "*", "ORCL-VBOX-NVME*", CLASS_VIRTUAL, "VirtualBox" },
	{ "nvme*", "*", "Linux", CLASS_VIRTUAL, "Linux NVMe target" },
	{ "*", "QEMU", "*", CLASS_VIRTUAL, "QEMU" },
	{ "*", "*", "QEMU *", CLASS_VIRTUAL, "QEMU" },
	{ "*", "*", "VBOX *", CLASS_VIRTUAL, "VirtualBox" },
	{ "*", "VBOX", "*", CLASS_VIRTUAL, "VirtualBox" },
	{ "*", "VMware*", "*", CLASS_VIRTUAL, "VMware" },
	{ "*", "*", "VMware*", CLASS_VIRTUAL, "VMware" },
	{ "*", "Msft", "*", CLASS_VIRTUAL, "Hyper-V" },
	{ "*", "MSFT", "*", CLASS_VIRTUAL, "Hyper-V" },
	{ "*", "*", "Virtual HD", CLASS_VIRTUAL, "Hyper-V" },
	{ "*", "Google", "EphemeralDisk", CLASS_SSD, "Google Local SSD" },
	{ "*", "Google", "*", CLASS_VIRTUAL, "Google Persistent Disk" },
	{ "*", "DO", "Volume", CLASS_VIRTUAL, "DigitalOcean" },
	{ "*", "HC", "Volume", CLASS_VIRTUAL, "Hetzner Cloud" },
	{ "*", "ORACLE", "BlockVolume", CLASS_VIRTUAL, "Oracle Cloud" },
	{ "*", "NUTANIX", "*", CLASS_VIRTUAL, "Nutanix" },
	{ "*", "BHYVE", "*", CLASS_VIRTUAL, "bhyve" },
	{ "*", "LIO-ORG", "*", CLASS_VIRTUAL, "Linux SCSI target" },
	{ "*", "Linux", "scsi_debug", CLASS_RAM, "scsi_debug" },
	{ "virtio*", "*", "*", CLASS_VIRTUAL, "virtio" },
	{ "vmbus", "*", "*", CLASS_VIRTUAL, "Hyper-V" },
	{ "xen", "*", "*", CLASS_VIRTUAL, "Xen" },
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

const char *class_name(enum class_kind kind)
{
	return names[kind];
}

int class_by_name(const char *name, enum class_kind *kind)
{
	const char *known[CLASS_UNKNOWN + 1] = {};
	int i;

	memcpy(known, names, sizeof(*names) * CLASS_UNKNOWN);
	i = words_index("class", known, name);
	if (i < 0)
		return i;
	*kind = i;
	return 0;
}

/* Returns true if @text contains @word, followed by a digit. If @start is true, @word must be at
 * the start of @text. */
static bool before_number(const char *text, const char *word, bool start)
{
	size_t len = strlen(word);
	const char *at = text;

	while ((at = strstr(at, word)) && !isdigit((unsigned char)at[len]))
		at++;
	return at && (!start || at == text);
}

static const char *transport_of(const struct disk *d)
{
	char text[16];

	if (before_number(d->name, "nvme", true)) {
		disk_line(d, "device/transport", text, sizeof(text));
		return !strcmp(text, "tcp")   ? "nvme-tcp" :
			!strcmp(text, "rdma") ? "nvme-rdma" :
			!strcmp(text, "fc")   ? "nvme-fc" :
			!strcmp(text, "loop") ? "nvme-loop" :
						"nvme";
	}
	if (before_number(d->dir, "/virtio", false) && before_number(d->dir, "/host", false))
		return "virtio-scsi";
	for (unsigned i = 0; i < COUNT(transports); i++)
		if (before_number(d->dir, transports[i].part, false))
			return transports[i].transport;
	return NULL;
}

static enum class_kind reported_of(const struct disk *d, const char *transport)
{
	long long rotational;

	if (transport && !strncmp(transport, "nvme", 4))
		return CLASS_NVME;
	if (!disk_number(d, "queue/rotational", &rotational))
		return CLASS_UNKNOWN;
	return rotational ? CLASS_HDD : CLASS_SSD;
}

/* Sets the class of a disk that is not stacked on other disks. */
static void class_alone(const struct disk *d, struct class *c)
{
	strcpy(c->disk, d->name);
	c->transport = transport_of(d);
	c->kind = c->reported = reported_of(d, c->transport);
	if (!disk_line(d, "device/model", c->model, sizeof(c->model)))
		/* an MMC card has its model in "device/name" */
		disk_line(d, "device/name", c->model, sizeof(c->model));
	disk_line(d, "device/vendor", c->vendor, sizeof(c->vendor));
	if (!strncmp(c->vendor, "0x", 2))
		/* "0x..." is the number of a PCI or virtio vendor. It is left out, because it is no
		 * name. */
		c->vendor[0] = '\0';
	for (unsigned i = 0; i < COUNT(drivers); i++) {
		if (before_number(d->name, drivers[i].name, true)) {
			c->kind = drivers[i].kind;
			c->platform = drivers[i].platform;
			return;
		}
	}
	for (unsigned i = 0; i < COUNT(platforms); i++) {
		if (!fnmatch(platforms[i].transport, c->transport ?: "", 0) &&
		    !fnmatch(platforms[i].vendor, c->vendor, 0) &&
		    !fnmatch(platforms[i].model, c->model, 0)) {
			c->kind = platforms[i].kind;
			c->platform = platforms[i].platform;
			return;
		}
	}
}

unsigned class_each_below(const struct host *h, const struct disk *d,
			  void (*fn)(const struct disk *below, void *arg), void *arg)
{
	char slaves[64][DISK_NAME];
	unsigned n = disk_list(d, "slaves", slaves, COUNT(slaves)), found = 0;
	struct disk below;

	for (unsigned i = 0; i < n && i < COUNT(slaves); i++) {
		if (disk_by_name(h, slaves[i], &below))
			continue;
		fn(&below, arg);
		found++;
	}
	if (!disk_behind(h, d, &below)) {
		fn(&below, arg);
		found++;
	}
	return found;
}

struct merge {
	const struct host *host;
	struct class *class;
	unsigned depth, seen;
};

static void class_at(const struct host *h, const struct disk *d, unsigned depth, struct class *c);

static void merge_below(const struct disk *below, void *arg)
{
	struct merge *m = arg;
	bool mixed = m->class->mixed;
	struct class c;

	class_at(m->host, below, m->depth + 1, &c);
	mixed |= c.mixed || (m->seen && c.kind != m->class->kind);
	if (!m->seen++ || c.kind < m->class->kind)
		*m->class = c;
	m->class->mixed = mixed;
}

static bool is_memory(const struct mount *m, void *arg)
{
	(void)arg;
	return !strcmp(m->type, "tmpfs") || !strcmp(m->type, "ramfs");
}

static void class_at(const struct host *h, const struct disk *d, unsigned depth, struct class *c)
{
	struct merge m = { .host = h, .class = c, .depth = depth };
	char file[PATH_MAX];
	struct class own = { .kind = CLASS_UNKNOWN, .reported = CLASS_UNKNOWN };

	*c = own;
	if (depth < DEPTH && class_each_below(h, d, merge_below, &m))
		return;
	class_alone(d, c);
	if (disk_backing_file(d, file, sizeof(file)))
		c->kind = disk_is_memfd(file) || !host_mount_by_text(h, file, is_memory, NULL) ?
			CLASS_RAM :
			CLASS_UNKNOWN;
	else if (!c->platform && before_number(d->name, "loop", true))
		c->kind = CLASS_UNKNOWN;
}

void class_of_disk(const struct host *h, const struct disk *d, struct class *c)
{
	class_at(h, d, 0, c);
}

void class_of_path(const struct host *h, const char *path, struct class *c)
{
	struct disk d;

	*c = (struct class){ .kind = CLASS_UNKNOWN, .reported = CLASS_UNKNOWN };
	if (!disk_by_path(h, path, &d))
		class_of_disk(h, &d, c);
	else if (!host_mount_of(h, path, is_memory, NULL))
		c->kind = CLASS_RAM;
}
