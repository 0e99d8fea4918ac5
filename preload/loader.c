// SPDX-License-Identifier: GPL-2.0-or-later
/* Interposed functions of the dynamic loader. dl_iterate_phdr() reports libiospan.so last, for
 * AddressSanitizer. dlopen() and dlmopen() count the libraries that bypass libiospan because of the
 * way in which the program loads them. */
#include "preload/fd.h"
#include <dlfcn.h>
#include <link.h>

/* State of the interposed dl_iterate_phdr(), which reports libiospan.so after all other libraries.
 * AddressSanitizer ends the program if any library is reported before its own. */
struct listing {
	int (*show)(struct dl_phdr_info *info, size_t size, void *data);
	void *data;
	struct dl_phdr_info own;
	size_t own_size; /* size of .own in bytes; 0: libiospan.so is not found yet */
};

/* Address of the ELF header of libiospan.so. The linker defines this symbol. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));

static int list_others(struct dl_phdr_info *info, size_t size, void *data)
{
	struct listing *l = data;

	if (info->dlpi_addr != (ElfW(Addr))__ehdr_start || size > sizeof(l->own))
		return l->show(info, size, l->data);
	__builtin_memcpy(&l->own, info, size);
	l->own_size = size;
	return 0;
}

EXPORT int dl_iterate_phdr(int (*show)(struct dl_phdr_info *info, size_t size, void *data),
			   void *data)
{
	__typeof__(dl_iterate_phdr) *next = NEXT("dl_iterate_phdr");
	struct listing l = { .show = show, .data = data };
	int ret = next(list_others, &l);

	return ret || !l.own_size ? ret : show(&l.own, l.own_size, data);
}

/* Counts a library in head.unbound if @unbound is true: it was loaded with RTLD_DEEPBIND or into
 * another namespace, so its calls bypass libiospan. If @mode has RTLD_NOLOAD, nothing was loaded,
 * so nothing is counted. */
static void note_load(bool unbound, int mode)
{
	if (area && unbound && !(mode & RTLD_NOLOAD))
		add(&area->head.unbound, 1);
}

/* libc's dlopen() and dlmopen() must be called by a jump (JUMPS_ON). They derive the search path
 * and the namespace from the address to which they return. So this address must be in the program,
 * not in libiospan. */

JUMPS_ON EXPORT void *dlopen(const char *file, int mode)
{
	__typeof__(dlopen) *next = NEXT("dlopen");

	note_load(mode & RTLD_DEEPBIND, mode);
	return next(file, mode);
}

JUMPS_ON EXPORT void *dlmopen(Lmid_t space, const char *file, int mode)
{
	__typeof__(dlmopen) *next = NEXT("dlmopen");

	note_load(space != LM_ID_BASE || mode & RTLD_DEEPBIND, mode);
	return next(space, file, mode);
}
