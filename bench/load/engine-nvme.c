// SPDX-License-Identifier: GPL-2.0-or-later
/* Sends NVMe commands through io_uring (--passthrough). w->fd is the block device of an NVMe
 * namespace, which bench/guard has checked. The commands go to the character device of the same
 * namespace. */
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/nvme_ioctl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "bench/load/engine-nvme.h"
#include "bench/load/engine-uring.h"
#include "user/host/disk.h"
#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/num.h"

#define PAGE 4096
enum { NVME_WRITE = 1, NVME_READ = 2 };

struct nvme_ring {
	/* must be first, because ring_open() and ring_reap() use w->engine as a struct ring */
	struct ring ring;
	u32 nsid;
	unsigned lba_shift;
};

/* Returns true if @name has the form of an NVMe character device, such as "ng0n1". */
static bool is_generic(const char *name)
{
	return !strncmp(name, "ng", 2) && name[2] >= '0' && name[2] <= '9';
}

char *nvme_block_device(char *path)
{
	char real[PATH_MAX];
	const char *name;
	struct stat st;

	if (!realpath(path, real) || stat(real, &st) || !S_ISCHR(st.st_mode))
		return path;
	name = strrchr(real, '/') + 1;
	if (!is_generic(name))
		return path;
	return need_text("%.*snvme%s", (int)(name - real), real, name + 2);
}

static int find_disk(int fd, struct disk *d)
{
	struct stat st;

	if (fstat(fd, &st) || !S_ISBLK(st.st_mode) || disk_by_dev(&this_host, st.st_rdev, d) ||
	    strncmp(d->name, "nvme", 4))
		return error(-ENOTSUP, "--passthrough is for NVMe disks only");
	if (d->partition[0])
		return error(-ENOTSUP,
			     "--passthrough is for whole disks, but '%s' is a "
			     "partition of '%s'",
			     d->partition, d->name);
	return 0;
}

/* Returns true if @fd is the character device of namespace @nsid of disk @d. Compares device
 * numbers, because a path in /dev may lead to any device. */
static bool is_generic_of(const struct disk *d, int fd, int nsid)
{
	char listed[32], own[32];
	struct stat st;

	if (fstat(fd, &st) || !S_ISCHR(st.st_mode) ||
	    !host_line(listed, sizeof(listed), "%s/class/nvme-generic/ng%s/dev", this_host.sys,
		       d->name + 4))
		return false;
	snprintf(own, sizeof(own), "%u:%u", major(st.st_rdev), minor(st.st_rdev));
	return !strcmp(own, listed) && ioctl(fd, NVME_IOCTL_ID) == nsid;
}

static int open_generic(const struct disk *d, int block, u32 *nsid)
{
	int flags = (fcntl(block, F_GETFL) & O_ACCMODE) | O_CLOEXEC, id, fd;
	char path[DISK_NAME + 16];

	snprintf(path, sizeof(path), "/dev/ng%s", d->name + 4);
	fd = open(path, flags);
	if (fd < 0)
		return error(-errno, "cannot open '%s' for --passthrough: %s", path,
			     strerror(errno));
	id = ioctl(block, NVME_IOCTL_ID);
	if (id <= 0 || !is_generic_of(d, fd, id)) {
		close(fd);
		return error(-ENOTSUP, "'%s' is not the character device of '%s'", path, d->name);
	}
	*nsid = id;
	return fd;
}

/* Refuses requests that exceed the limits of the disk. The block layer would split large requests,
 * but NVMe commands bypass it. Returns 0 or -errno; prints the error. */
static int check_limits(const struct worker *w, const struct disk *d, unsigned lba)
{
	u64 most = stream_most_bytes(&w->spec->stream);
	long long kib, segments, metadata;
	char text[NUM_TEXT];

	if (disk_number(d, "metadata_bytes", &metadata) && metadata)
		return error(-ENOTSUP,
			     "--passthrough does not support '%s': its blocks have metadata",
			     d->name);
	if (w->spec->stream.align % lba)
		return error(-EINVAL,
			     "--passthrough needs --align to be a multiple of the block "
			     "size of '%s', %u",
			     d->name, lba);
	if (disk_number(d, "queue/max_hw_sectors_kb", &kib) && most > (u64)kib << 10)
		return error(-EINVAL,
			     "a command to '%s' transfers at most %s: use smaller requests "
			     "with --passthrough",
			     d->name, num_size_arg(text, (u64)kib << 10));
	if (disk_number(d, "queue/max_segments", &segments) && most > (u64)segments * PAGE)
		return error(-EINVAL,
			     "a command to '%s' transfers at most %lld pages: use smaller "
			     "requests with --passthrough",
			     d->name, segments);
	return 0;
}

static int try_sizes(struct worker *w)
{
	const struct stream_spec *s = &w->spec->stream;

	return ring_try(w, s->align) ?: ring_try(w, stream_most_bytes(s));
}

/* Tests if commands work with registered buffers. If not, the load uses unregistered buffers, which
 * are slightly slower. Linux 6.1 rejects registered buffers if a transfer is not a whole number of
 * pages, or if all registered pages together exceed the limit of one command. */
static int try_commands(struct worker *w, struct nvme_ring *r)
{
	int ret = try_sizes(w);

	if (ret == -EINVAL && r->ring.fixed) {
		r->ring.fixed = false;
		ret = try_sizes(w);
	}
	return ret ? error(ret, "a read with --passthrough fails (it needs Linux 6.1): %s",
			   strerror(-ret)) :
		     0;
}

static int nvme_open(struct worker *w)
{
	struct nvme_ring *r = calloc(1, sizeof(*r));
	struct disk disk;
	int ret, lba = 0;

	w->engine = r;
	if (!r)
		return error(-ENOMEM, "out of memory");
	ret = find_disk(w->fd, &disk);
	if (!ret && ioctl(w->fd, BLKSSZGET, &lba))
		ret = error(-errno, "cannot get the block size of '%s': %s", disk.name,
			    strerror(errno));
	if (!ret)
		ret = check_limits(w, &disk, lba);
	if (ret)
		return ret;
	r->lba_shift = __builtin_ctz(lba);
	r->ring.fd = open_generic(&disk, w->fd, &r->nsid);
	if (r->ring.fd < 0)
		return r->ring.fd;
	ret = ring_open(w, r->ring.fd, IORING_SETUP_SQE128 | IORING_SETUP_CQE32);
	return ret ?: try_commands(w, r);
}

static void nvme_queue(struct worker *w, struct request *q)
{
	struct nvme_ring *r = w->engine;
	struct io_uring_sqe *sqe = ring_next(&r->ring.ring);
	u64 lba = q->offset >> r->lba_shift;

	io_uring_prep_rw(IORING_OP_URING_CMD, sqe, 0, NULL, 0, 0);
	sqe->cmd_op = NVME_URING_CMD_IO;
	sqe->uring_cmd_flags = r->ring.fixed ? IORING_URING_CMD_FIXED : 0;
	io_uring_sqe_set_flags(sqe, IOSQE_FIXED_FILE);
	io_uring_sqe_set_data(sqe, q);
	*(struct nvme_uring_cmd *)sqe->cmd = (struct nvme_uring_cmd){
		.opcode = q->write ? NVME_WRITE : NVME_READ,
		.nsid = r->nsid,
		.addr = (uintptr_t)q->buffer,
		.data_len = q->bytes,
		.cdw10 = lba,
		.cdw11 = lba >> 32,
		.cdw12 = (q->bytes >> r->lba_shift) - 1,
	};
}

/* Works like ring_reap(), but converts results. The result of a command is 0, an NVMe status above
 * 0, or -errno. A load expects the number of bytes transferred, or -errno. */
static int nvme_reap(struct worker *w, bool wait, u64 until_ns)
{
	unsigned before = w->ended_n;
	int ret = ring_reap(w, wait, until_ns);

	for (unsigned i = before; i < w->ended_n; i++) {
		struct request *q = w->ended[i];

		q->result = q->result > 0 ? -EIO : q->result ?: (int)q->bytes;
	}
	return ret;
}

const struct engine engine_nvme = {
	.name = "uring",
	.can = ENGINE_BATCH | ENGINE_DEPTH | ENGINE_DATA | ENGINE_DIRECT | ENGINE_RING,
	.open = nvme_open,
	.close = ring_close,
	.queue = nvme_queue,
	.reap = nvme_reap,
};
