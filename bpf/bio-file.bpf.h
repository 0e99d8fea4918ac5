/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the file that a bio reads or writes, for `iospan record`. */
#ifndef IOSPAN_BIO_FILE_BPF_H
#define IOSPAN_BIO_FILE_BPF_H

#include "bpf/record.bpf.h"

/* Maximum number of splits of a bio that bio_file() undoes. A part of a split bio has a pointer to
 * the bio that was split. */
#define CHAIN_MOST 4
#define MAPPING_FLAGS 3UL /* flags of page->mapping; if any is set, the page belongs to no file */
#define VECTORS_MOST 256u /* maximum number of pages in a bio: BIO_MAX_VECS of the kernel */

/* Addresses of two kernel functions; 0: not known. If bio->bi_end_io is end_of_direct
 * (iomap_dio_bio_end_io()), bio->bi_private points to a struct iomap_dio. If it is end_of_split
 * (bio_chain_endio()), bio->bi_private points to the bio that was split. */
extern const volatile u64 end_of_direct, end_of_split;

/* Returns the inode of the file to which @bio's first page belongs. Returns NULL if that page is
 * not in the page cache. A page in the cache is locked during a read, and has PG_writeback during a
 * write. A page without these flags is a buffer for direct I/O. Such a buffer may be mapped from
 * another file, so the result is NULL. */
static __always_inline struct inode *cached_inode(struct bio *bio)
{
	u32 index = BPF_CORE_READ(bio, bi_iter.bi_idx);
	u64 head, flags = 0, vector = (u64)BPF_CORE_READ(bio, bi_io_vec), mapping;
	struct bio_vec *first = (void *)(vector + index * bpf_core_type_size(struct bio_vec));
	struct page *page;

	if (!vector || index >= VECTORS_MOST)
		return NULL;
	page = BPF_CORE_READ(first, bv_page);
	head = BPF_CORE_READ(page, compound_head);
	if (head & 1)
		page = (void *)(head - 1);
	/* Reads page->flags, the first field, without its name: its type changed in Linux 6.18. */
	bpf_probe_read_kernel(&flags, sizeof(flags), page);
	if (!(flags &
	      (1UL << bpf_core_enum_value(enum pageflags, PG_locked) |
	       1UL << bpf_core_enum_value(enum pageflags, PG_writeback))))
		return NULL;
	mapping = (u64)BPF_CORE_READ(page, mapping);
	if (mapping & MAPPING_FLAGS)
		return NULL;
	return BPF_CORE_READ((struct address_space *)mapping, host);
}

static __always_inline struct inode *direct_inode(struct bio *bio)
{
	struct iomap_dio *dio = BPF_CORE_READ(bio, bi_private);

	return BPF_CORE_READ(dio, iocb, ki_filp, f_inode);
}

/* Finds the file of the bio at @address. Stores the file's inode and device in @at, and records
 * the file's path. In these cases, the file is not found, and @at is unchanged:
 * - for direct I/O without iomap, or below a stacked disk, which copies bios;
 * - for metadata, and for accesses to a block device without a file system;
 * - for compressed or encrypted data, which is not in the page cache. */
static __noinline int bio_file(u64 address, struct file_at *at, u64 at_ns)
{
	struct bio *bio = (void *)address;
	struct inode *inode;

	if (!bio || !at)
		return 0;
	for (u32 i = 0; i < CHAIN_MOST && end_of_split; i++) {
		if ((u64)BPF_CORE_READ(bio, bi_end_io) != end_of_split)
			break;
		bio = BPF_CORE_READ(bio, bi_private);
	}
	if (end_of_direct && (u64)BPF_CORE_READ(bio, bi_end_io) == end_of_direct)
		inode = direct_inode(bio);
	else
		inode = cached_inode(bio);
	if (!inode || (BPF_CORE_READ(inode, i_mode) & S_IFMT) != S_IFREG)
		return 0;
	return record_inode((u64)inode, at, at_ns);
}

#endif
