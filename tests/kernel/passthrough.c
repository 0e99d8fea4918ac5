// SPDX-License-Identifier: GPL-2.0-or-later
/* passthrough scsi|nvme DISK COUNT: sends COUNT reads of 4 KiB and COUNT commands without data to
 * the disk, as pass-through commands by ioctl(). */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/nvme_ioctl.h>
#include <scsi/sg.h>
#include <sys/ioctl.h>

#define SIZE 4096
#define NVME_READ 2
#define NVME_FLUSH 0

static void scsi(int fd, void *buffer)
{
	unsigned char read[10] = { 0x28, [8] = SIZE / 512 }, ready[6] = {}, sense[32];
	struct sg_io_hdr h = {
		.interface_id = 'S',
		.dxfer_direction = buffer ? SG_DXFER_FROM_DEV : SG_DXFER_NONE,
		.cmdp = buffer ? read : ready,
		.cmd_len = buffer ? sizeof(read) : sizeof(ready),
		.dxferp = buffer,
		.dxfer_len = buffer ? SIZE : 0,
		.sbp = sense,
		.mx_sb_len = sizeof(sense),
		.timeout = 20000,
	};

	if (ioctl(fd, SG_IO, &h) || h.status)
		err(1, "SG_IO, status %d", h.status);
}

static void nvme(int fd, void *buffer)
{
	struct nvme_passthru_cmd c = {
		.opcode = buffer ? NVME_READ : NVME_FLUSH,
		.nsid = 1,
		.addr = (unsigned long)buffer,
		.data_len = buffer ? SIZE : 0,
		.cdw12 = buffer ? SIZE / 512 - 1 : 0,
	};

	if (ioctl(fd, NVME_IOCTL_IO_CMD, &c))
		err(1, "NVME_IOCTL_IO_CMD");
}

int main(int argc, char **argv)
{
	void *buffer = aligned_alloc(SIZE, SIZE);
	int fd = argc == 4 ? open(argv[2], O_RDWR) : -1;

	if (fd < 0)
		err(2, "passthrough scsi|nvme DISK COUNT");
	for (int i = 0; i < 2 * atoi(argv[3]); i++)
		(strcmp(argv[1], "nvme") ? scsi : nvme)(fd, i % 2 ? buffer : NULL);
	return 0;
}
