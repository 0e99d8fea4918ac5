/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the file that a bio reads or writes, for `iospan record`. */
#ifndef IOSPAN_BIO_FILE_BPF_H
#define IOSPAN_BIO_FILE_BPF_H

#include "bpf/record.bpf.h"

/* bio_file() goes at most this number of times from a part of a split bio to the bio that was
 * split */
#define CHAIN_MOST 4
#define MAPPING_FLAGS 3UL /* flags of page->mapping; if any is set, the page belongs to no file */
#define VECTORS_MOST 256u /* maximum number of pages in a bio: BIO_MAX_VECS of the kernel */

/* Addresses of two kernel functions: end_of_direct is iomap_dio_bio_end_io(), end_of_split is
 * bio_chain_endio(). 0: not known. If bio->bi_end_io is end_of_direct, bio->bi_private is a struct
 * iomap_dio. If bio->bi_end_io is end_of_split, bio->bi_private is the bio that was split. */
extern const volatile u64 end_of_direct, end_of_split;

/* Returns the inode of the file of @bio's first page, or NULL if that page is not in the page
 * cache. The kernel locks a page of the cache for a read, and sets PG_writeback for a write. A page
 * without these flags is a buffer of the program for direct I/O. The result is then NULL, because
 * the buffer may be a mapping of another file. */
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
	/* page->flags is the first field; its type changed in 6.18 */
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

/* Returns the inode that @bio reads or writes by direct I/O of iomap. */
static __always_inline struct inode *direct_inode(struct bio *bio)
{
	struct iomap_dio *dio = BPF_CORE_READ(bio, bi_private);

	return BPF_CORE_READ(dio, iocb, ki_filp, f_inode);
}

/* Finds the file of the bio at @address, stores the file's inode and device in @at, and records the
 * file's path. Does not change @at for:
 * - direct I/O without iomap or below a stacked disk, which copies bios;
 * - metadata, and accesses to a block device without a file system;
 * - compressed or encrypted data, which is not in the page cache. */
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
