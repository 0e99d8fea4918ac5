/* SPDX-License-Identifier: GPL-2.0-only OR GPL-2.0-or-later */
/* Pseudo file systems. Their regular files are not on a disk: the kernel generates them. */
#ifndef IOSPAN_FSMAGIC_H
#define IOSPAN_FSMAGIC_H

#include "bpf/types.h"

static inline int fs_is_pseudo(u64 magic)
{
	switch (magic) {
	case 0x9fa0:	 /* proc */
	case 0x62656572: /* sysfs */
	case 0x27e0eb:	 /* cgroup */
	case 0x63677270: /* cgroup2 */
	case 0x64626720: /* debugfs */
	case 0x74726163: /* tracefs */
	case 0x73636673: /* securityfs */
	case 0xcafe4a11: /* bpf */
	case 0x62656570: /* configfs */
	case 0xde5e81e4: /* efivarfs */
	case 0xf97cff8c: /* selinuxfs */
	case 0x43415d53: /* smackfs */
	case 0x5a3c69f0: /* apparmorfs */
	case 0x6165676c: /* pstore */
	case 0x19800202: /* mqueue */
	case 0x1cd1:	 /* devpts */
	case 0x42494e4d: /* binfmt_misc */
	case 0x0187:	 /* autofs */
	case 0x6e736673: /* nsfs */
	case 0x50494446: /* pidfs */
	case 0x07655821: /* resctrl */
	case 0x65735543: /* fusectl */
	case 0x67596969: /* rpc_pipefs */
	case 0x6e667364: /* nfsd */
	case 0xabba1974: /* xenfs */
	/* Files of eventfd, io_uring and similar. They are regular files since Linux 6.16. */
	case 0x09041934: /* anon_inodefs */
	case 0x50495045: /* pipefs */
	case 0x534f434b: /* sockfs */
		return 1;
	}
	return 0;
}

#endif
