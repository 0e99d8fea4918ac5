// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the class of a disk (HDD, SSD, NVMe, cloud ...), for recorded sysfs trees and on this
 * machine. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/sysmacros.h>
#include "user/base/err.h"
#include "user/host/class.h"
#include "tests/unit/made-host.h"

static const struct machine {
	const char *device; /* directory below /sys/devices; the last part is the disk's name */
	const char *rotational, *vendor, *model, *transport_file;
	const char *kind, *reported, *transport, *platform;
} machines[] = {
	/* physical disks */
	{ "pci0000:00/0000:00:17.0/ata3/host2/target2:0:0/2:0:0:0/block/sda", "1", "ATA     ",
	  "ST8000NM0055-1RM", NULL, "hdd", "hdd", "ata", NULL },
	{ "pci0000:00/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0/block/sdb", "0", "ATA     ",
	  "Samsung SSD 870 ", NULL, "ssd", "ssd", "ata", NULL },
	{ "pci0000:00/0000:00:1d.0/0000:02:00.0/nvme/nvme0/nvme0n1", "0", NULL,
	  "Samsung SSD 980 PRO 1TB                 ", "pcie", "nvme", "nvme", "nvme", NULL },
	{ "virtual/nvme-fabrics/ctl/nvme1/nvme1n1", "0", NULL, "SomeArray", "tcp", "nvme", "nvme",
	  "nvme-tcp", NULL },
	{ "pci0000:00/0000:00:14.0/usb2/2-1/2-1:1.0/host6/target6:0:0/6:0:0:0/block/sdc", "1",
	  "WD      ", "Elements 25A1   ", NULL, "hdd", "hdd", "usb", NULL },
	{ "pci0000:00/0000:3b:00.0/host0/port-0:0/end_device-0:0/target0:0:0/0:0:0:0/block/sdd",
	  "1", "SEAGATE ", "ST12000NM0158   ", NULL, "hdd", "hdd", "sas", NULL },
	{ "platform/soc/fe340000.mmc/mmc_host/mmc0/mmc0:0001/block/mmcblk0", "0", NULL, NULL, NULL,
	  "ssd", "ssd", "mmc", NULL },
	/* emulated disks are virtual, even if the kernel reports that they rotate */
	{ "pci0000:00/0000:00:04.0/virtio1/block/vda", "1", "0x1af4", NULL, NULL, "virtual", "hdd",
	  "virtio", "virtio" },
	{ "pci0000:00/0000:00:04.0/virtio2/block/vdb", "0", "0x0554", NULL, NULL, "virtual", "ssd",
	  "virtio", "virtio" },
	{ "pci0000:00/0000:00:05.0/virtio3/host2/target2:0:0/2:0:0:0/block/sde", "1", "QEMU    ",
	  "QEMU HARDDISK   ", NULL, "virtual", "hdd", "virtio-scsi", "QEMU" },
	{ "pci0000:00/0000:00:01.1/ata5/host0/target0:0:0/0:0:0:0/block/sdf", "1", "ATA     ",
	  "QEMU HARDDISK   ", NULL, "virtual", "hdd", "ata", "QEMU" },
	{ "pci0000:00/0000:00:06.0/nvme/nvme2/nvme2n1", "0", NULL, "QEMU NVMe Ctrl", "pcie",
	  "virtual", "nvme", "nvme", "QEMU" },
	{ "pci0000:00/0000:00:0d.0/ata7/host2/target2:0:0/2:0:0:0/block/sdg", "1", "ATA     ",
	  "VBOX HARDDISK   ", NULL, "virtual", "hdd", "ata", "VirtualBox" },
	{ "pci0000:00/0000:00:10.0/host2/target2:0:0/2:0:0:0/block/sdh", "1", "VMware  ",
	  "Virtual disk    ", NULL, "virtual", "hdd", "scsi", "VMware" },
	{ "LNXSYSTM:00/LNXSYBUS:00/ACPI0004:00/VMBUS:00/00000000-0000-8899/host0/"
	  "target0:0:0/0:0:0:0/block/sdi",
	  "1", "Msft    ", "Virtual Disk    ", NULL, "virtual", "hdd", "vmbus", "Hyper-V" },
	{ "vbd-51712/block/xvda", "0", NULL, NULL, NULL, "virtual", "ssd", "xen", "Xen" },
	/* cloud disks */
	{ "pci0000:00/0000:00:07.0/nvme/nvme3/nvme3n1", "0", NULL,
	  "Amazon Elastic Block Store              ", "pcie", "virtual", "nvme", "nvme",
	  "Amazon EBS" },
	{ "pci0000:00/0000:00:1e.0/nvme/nvme4/nvme4n1", "0", NULL,
	  "Amazon EC2 NVMe Instance Storage        ", "pcie", "nvme", "nvme", "nvme",
	  "Amazon EC2" },
	{ "pci0000:00/0000:00:03.0/virtio0/host0/target0:0:1/0:0:1:0/block/sdj", "1", "Google  ",
	  "PersistentDisk  ", NULL, "virtual", "hdd", "virtio-scsi", "Google Persistent Disk" },
	{ "pci0000:00/0000:00:08.0/nvme/nvme5/nvme5n1", "0", NULL, "nvme_card-pd", "pcie",
	  "virtual", "nvme", "nvme", "Google Persistent Disk" },
	{ "pci0000:00/0000:00:09.0/nvme/nvme6/nvme6n1", "0", NULL, "nvme_card0", "pcie", "nvme",
	  "nvme", "nvme", "Google Local SSD" },
	{ "pci0000:00/0000:00:0a.0/nvme/nvme7/nvme7n1", "0", NULL, "MSFT NVMe Accelerator v1.0",
	  "pcie", "virtual", "nvme", "nvme", "Azure" },
	/* disks in memory */
	{ "virtual/block/zram0", "0", NULL, NULL, NULL, "ram", "ssd", NULL, "zram" },
	{ "virtual/block/ram0", "0", NULL, NULL, NULL, "ram", "ssd", NULL, "brd" },
	{ "LNXSYSTM:00/LNXSYBUS:00/ACPI0012:00/ndbus0/region0/namespace0.0/block/pmem0", "0", NULL,
	  NULL, NULL, "ram", "ssd", "nvdimm", "persistent memory" },
	{ "pseudo_0/adapter0/host3/target3:0:0/3:0:0:0/block/sdk", "1", "Linux   ",
	  "scsi_debug      ", NULL, "ram", "hdd", "memory", "scsi_debug" },
	/* remote and unknown disks */
	{ "virtual/block/nbd0", "0", NULL, NULL, NULL, "virtual", "ssd", NULL, "NBD" },
	{ "virtual/block/rbd0", "0", NULL, NULL, NULL, "virtual", "ssd", NULL, "Ceph RBD" },
	{ "platform/host4/session1/target4:0:0/4:0:0:1/block/sdl", "0", "LIO-ORG ",
	  "lun0            ", NULL, "virtual", "ssd", "iscsi", "Linux SCSI target" },
	{ "virtual/block/loop9", "1", NULL, NULL, NULL, "unknown", "hdd", NULL, NULL },
	{ "virtual/block/new0", NULL, NULL, NULL, NULL, "unknown", "unknown", NULL, NULL },
};

static void make_machine(const struct machine *m, const char *number)
{
	made_disk(m->device, number);
	made_file(m->rotational, "devices/%s/queue/rotational", m->device);
	made_file(m->vendor, "devices/%s/device/vendor", m->device);
	made_file(m->model, "devices/%s/device/model", m->device);
	made_file(m->transport_file, "devices/%s/device/transport", m->device);
}

TEST(every_machine)
{
	struct host h = made_host();

	for (unsigned i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
		const struct machine *m = &machines[i];
		char number[16];
		struct disk d;
		struct class c;

		snprintf(number, sizeof(number), "8:%u", 16 * i);
		make_machine(m, number);
		ASSERT_EQ(disk_by_dev(&h, makedev(8, 16 * i), &d), 0);
		class_of_disk(&h, &d, &c);
		printf("%s\n", m->device);
		EXPECT_STR(d.name, strrchr(m->device, '/') + 1);
		EXPECT_STR(c.disk, d.name);
		EXPECT_STR(class_name(c.kind), m->kind);
		EXPECT_STR(class_name(c.reported), m->reported);
		EXPECT_STR(c.transport, m->transport);
		EXPECT_STR(c.platform, m->platform);
		EXPECT_TRUE(!c.mixed);
		/* sysfs may have only a PCI vendor id, such as 0x1af4, which is not a vendor's
		 * name */
		EXPECT_TRUE(strncmp(c.vendor, "0x", 2) != 0);
	}
}

#define ATA "pci0000:00/ata1/host0/block/sda"
#define NVME "pci0000:00/nvme/nvme0/nvme0n1"

static void make_two(void)
{
	made_disk(ATA, "8:0");
	made_file("1", "devices/" ATA "/queue/rotational");
	made_file("ATA", "devices/" ATA "/device/vendor");
	made_file("Spinning", "devices/" ATA "/device/model");
	made_disk(ATA "/sda3", "8:3");
	made_file("3", "devices/" ATA "/sda3/partition");
	made_disk(NVME, "259:0");
	made_file("0", "devices/" NVME "/queue/rotational");
}

TEST(a_partition_is_its_disk)
{
	struct host h = made_host();
	struct class c;
	struct disk d;

	make_two();
	ASSERT_EQ(disk_by_dev(&h, makedev(8, 3), &d), 0);
	EXPECT_STR(d.name, "sda");
	EXPECT_STR(d.partition, "sda3");
	EXPECT_TRUE(d.dev == makedev(8, 0));
	class_of_disk(&h, &d, &c);
	EXPECT_STR(class_name(c.kind), "hdd");
	EXPECT_STR(c.vendor, "ATA");
	EXPECT_STR(c.model, "Spinning");
	EXPECT_EQ(disk_by_dev(&h, makedev(8, 4), &d), -ENOENT);
}

static void make_mapped(const char *name, const char *number, const char *a, const char *b)
{
	char device[64];

	snprintf(device, sizeof(device), "virtual/block/%s", name);
	made_disk(device, number);
	made_file("0", "devices/%s/queue/rotational", device);
	made_file("", "devices/%s/slaves/%s/x", device, a);
	if (b)
		made_file("", "devices/%s/slaves/%s/x", device, b);
}

static struct class class_of_number(const struct host *h, unsigned major, unsigned minor)
{
	struct class c;
	struct disk d;

	ASSERT_EQ(disk_by_dev(h, makedev(major, minor), &d), 0);
	class_of_disk(h, &d, &c);
	return c;
}

/* The kernel reports that device-mapper disks do not rotate. So iospan must take the class of a
 * stacked disk from the disks below it. */
TEST(disks_on_disks)
{
	struct host h = made_host();
	struct class c;

	make_two();
	make_mapped("dm-0", "252:0", "sda3", NULL);
	make_mapped("md0", "9:0", "nvme0n1", NULL);
	make_mapped("dm-1", "252:1", "md0", "dm-0");
	make_mapped("dm-2", "252:2", "nvme0n1", "md0");
	make_mapped("dm-3", "252:3", "nvme0n1", "sda3");
	c = class_of_number(&h, 252, 0);
	EXPECT_STR(class_name(c.kind), "hdd");
	EXPECT_STR(c.disk, "sda");
	EXPECT_TRUE(!c.mixed);
	c = class_of_number(&h, 252, 1);
	EXPECT_STR(class_name(c.kind), "hdd");
	EXPECT_STR(c.disk, "sda");
	EXPECT_TRUE(c.mixed);
	c = class_of_number(&h, 252, 2);
	EXPECT_STR(class_name(c.kind), "nvme");
	EXPECT_TRUE(!c.mixed);
	c = class_of_number(&h, 252, 3);
	/* the slowest disk below a stacked disk decides, even if it is the last one in the list */
	EXPECT_STR(class_name(c.kind), "hdd");
	EXPECT_TRUE(c.mixed);
}

TEST(disks_in_a_circle_end)
{
	struct host h = made_host();

	make_mapped("dm-0", "252:0", "dm-1", NULL);
	make_mapped("dm-1", "252:1", "dm-0", NULL);
	class_of_number(&h, 252, 0);
}

static const char *class_of_loop(const struct host *h, unsigned n, const char *file)
{
	char name[64], number[16];

	snprintf(name, sizeof(name), "virtual/block/loop%u", n);
	snprintf(number, sizeof(number), "7:%u", n);
	made_disk(name, number);
	made_file(file, "devices/%s/loop/backing_file", name);
	return class_name(class_of_number(h, 7, n).kind);
}

/* iospan must use only the list of mounts to find the file system of a loop device's file. It must
 * not access the file, because a network file system may hang. So the files of this test do not
 * exist. */
TEST(a_loop_device_has_the_class_of_its_file_system)
{
	struct host h = made_host();

	made_disk(ATA, "8:0");
	made_file("1", "devices/" ATA "/queue/rotational");
	made_disk("virtual/block/zram0", "253:0");
	made_file("20 1 8:0 / / rw - ext4 /dev/sda rw\n"
		  "21 20 0:40 / /srv rw - nfs4 server:/srv rw\n"
		  "22 21 0:41 / /srv/memory rw - tmpfs tmpfs rw\n"
		  "23 20 253:0 / /with\\040space rw - ext4 /dev/zram0 rw\n"
		  "24 20 0:42 / /hidden rw - tmpfs tmpfs rw\n"
		  "25 24 8:0 / /hidden rw - ext4 /dev/sda rw",
		  "self/mountinfo");
	EXPECT_STR(class_of_loop(&h, 0, "/image"), "hdd");
	EXPECT_STR(class_of_loop(&h, 1, "/srvimage (deleted)"), "hdd");
	EXPECT_STR(class_of_loop(&h, 2, "/srv/image"), "unknown");
	EXPECT_STR(class_of_loop(&h, 3, "/srv/memory/image"), "ram");
	EXPECT_STR(class_of_loop(&h, 4, "/with space/image"), "ram");
	EXPECT_STR(class_of_loop(&h, 5, "/hidden/image"), "hdd");
	EXPECT_STR(class_of_loop(&h, 6, "/memfd:x (deleted)"), "ram");
}

TEST(names)
{
	enum class_kind kind = CLASS_UNKNOWN;

	for (unsigned i = 0; i < CLASS_UNKNOWN; i++) {
		ASSERT_EQ(class_by_name(class_name(i), &kind), 0);
		EXPECT_EQ(kind, i);
	}
	EXPECT_EQ(class_by_name("unknown", &kind), -EUSAGE);
	EXPECT_EQ(class_by_name("HDD", &kind), -EUSAGE);
	EXPECT_EQ(class_by_name("", &kind), -EUSAGE);
}

/* lsblk and iospan must find the same disk below the scratch directory. */
TEST(the_disk_below_a_path)
{
	struct result r =
		run_command("lsblk -no KNAME \"$(findmnt -no SOURCE -T %s)\"", scratch_dir());
	char name[64] = "", node[80];
	struct class c;
	struct disk d;

	NEEDS(r.status == 0 && sscanf(r.out, "%63s", name) == 1, "lsblk knows no disk");
	ASSERT_EQ(disk_by_path(&this_host, scratch_dir(), &d), 0);
	EXPECT_STR(*d.partition ? d.partition : d.name, name);
	snprintf(node, sizeof(node), "/dev/%s", name);
	if (!access(node, F_OK)) {
		ASSERT_EQ(disk_by_path(&this_host, node, &d), 0);
		EXPECT_STR(*d.partition ? d.partition : d.name, name);
	}
	class_of_path(&this_host, scratch_dir(), &c);
	EXPECT_NE(c.kind, CLASS_UNKNOWN);
	if (!strncmp(name, "vd", 2)) {
		EXPECT_STR(class_name(c.kind), "virtual");
		EXPECT_STR(c.transport, "virtio");
	}
	run_free(&r);
}

TEST(memory_is_no_disk)
{
	struct class c;
	struct disk d;

	NEEDS(access("/dev/shm", W_OK) == 0, "no /dev/shm");
	EXPECT_EQ(disk_by_path(&this_host, "/dev/shm", &d), -ENOENT);
	class_of_path(&this_host, "/dev/shm", &c);
	EXPECT_STR(class_name(c.kind), "ram");
	class_of_path(&this_host, "/proc", &c);
	EXPECT_STR(class_name(c.kind), "unknown");
	class_of_path(&this_host, "/nosuch", &c);
	EXPECT_STR(class_name(c.kind), "unknown");
}

TEST_MAIN
