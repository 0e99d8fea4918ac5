// SPDX-License-Identifier: GPL-2.0-or-later
/* Looks up the libc functions that libiospan calls. The program may replace dlsym() and dlopen().
 * So libiospan finds libc's own dlsym() and dlopen() in libc's symbol table. */
#include "preload/system.h"
#include <link.h>

/* weak, because libcs other than glibc do not have this symbol */
#pragma weak _r_debug

/* Before glibc 2.34, libc.so.6 has no dlsym() and dlerror(), so the references are weak. They name
 * the first version of these symbols, which later versions of glibc also have. */
#ifdef __x86_64__
#define FIRST_VERSION "GLIBC_2.2.5"
#else
#define FIRST_VERSION "GLIBC_2.17"
#endif
#pragma weak dlsym
#pragma weak dlerror
__asm__(".symver dlsym, dlsym@" FIRST_VERSION);
__asm__(".symver dlerror, dlerror@" FIRST_VERSION);

struct symbols {
	const ElfW(Sym) * table;
	const char *names;
	const ElfW(Half) * versions;
	const u32 *hash; /* hash table of section .gnu.hash */
};

static bool symbols_of(const struct link_map *m, struct symbols *s)
{
	*s = (struct symbols){ 0 };
	for (const ElfW(Dyn) *d = m->l_ld; d->d_tag != DT_NULL; d++) {
		/* On some architectures, the loader does not relocate this address. It is then
		 * relative to m->l_addr. */
		ElfW(Addr) at = d->d_un.d_ptr + (d->d_un.d_ptr < m->l_addr ? m->l_addr : 0);

		if (d->d_tag == DT_SYMTAB)
			s->table = (const void *)at;
		else if (d->d_tag == DT_STRTAB)
			s->names = (const void *)at;
		else if (d->d_tag == DT_VERSYM)
			s->versions = (const void *)at;
		else if (d->d_tag == DT_GNU_HASH)
			s->hash = (const void *)at;
	}
	return s->table && s->names && s->versions && s->hash;
}

/* bit in the version of a symbol: only programs linked with an older libc use this symbol */
#define OLD_VERSION 0x8000

static const ElfW(Sym) * symbol_find(const struct symbols *s, const char *name)
{
	u32 buckets_n = s->hash[0], first = s->hash[1], bloom_n = s->hash[2], hash = 5381, i;
	const u32 *buckets = s->hash + 4 + bloom_n * (sizeof(ElfW(Addr)) / sizeof(u32));
	const u32 *chain = buckets + buckets_n;

	for (const char *c = name; *c; c++)
		hash = hash * 33 + (unsigned char)*c;
	i = buckets[hash % buckets_n];
	if (i < first)
		return NULL;
	for (;; i++) {
		if ((chain[i - first] | 1) == (hash | 1) && !(s->versions[i] & OLD_VERSION) &&
		    is_same(s->names + s->table[i].st_name, name))
			return &s->table[i];
		if (chain[i - first] & 1)
			return NULL;
	}
}

static bool is_called(const struct link_map *m, const char *name)
{
	const char *base = m->l_name;

	for (const char *c = base; *c; c++)
		if (*c == '/')
			base = c + 1;
	return is_same(base, name);
}

/* Returns glibc's function @name, or @other if there is none. Before glibc 2.34, some functions,
 * such as dlopen(), are in libdl.so.2. */
static void *glibc_find(const char *name, void *other)
{
	const struct link_map *m = &_r_debug ? _r_debug.r_map : NULL;
	const ElfW(Sym) * found;
	struct symbols s;

	for (; m; m = m->l_next) {
		if ((!is_called(m, "libc.so.6") && !is_called(m, "libdl.so.2")) ||
		    !symbols_of(m, &s))
			continue;
		found = symbol_find(&s, name);
		if (found && found->st_shndx != SHN_UNDEF)
			return (void *)(m->l_addr + found->st_value);
	}
	return other;
}

/* Before glibc 2.34, dlsym() is in libdl.so.2, and pthread_key_create() in libpthread.so.0. This
 * function loads both if the program has not. Only these glibc versions have
 * __libc_dlopen_mode(). */
static void load_parts(void)
{
	void *(*open_library)(const char *file, int mode) = glibc_find("__libc_dlopen_mode", NULL);

	if (!open_library)
		return;
	open_library("libdl.so.2", RTLD_NOW | RTLD_GLOBAL);
	open_library("libpthread.so.0", RTLD_NOW | RTLD_GLOBAL);
}

void *symbol_in(void *handle, const char *name)
{
	static __typeof__(dlsym) *find;
	static __typeof__(dlerror) *error;
	void *function;

	if (!find) {
		load_parts();
		error = glibc_find("dlerror", dlerror);
		find = glibc_find("dlsym", dlsym);
	}
	function = find(handle, name);
	if (!function)
		/* removes the error message, so that the program's dlerror() does not return it */
		error();
	return function;
}

static void *libc_handle(void)
{
	static void *handle;
	__typeof__(dlopen) *open_library;

	if (!handle) {
		open_library = glibc_find("dlopen", NULL);
		handle = open_library ? open_library("libc.so.6", RTLD_LAZY | RTLD_NOLOAD) : NULL;
	}
	return handle ?: RTLD_NEXT;
}

void *next_find(struct next *n)
{
	int saved = errno;
	void *function = n->of_libc ? symbol_in(libc_handle(), n->name) : NULL;

	/* before glibc 2.34, some functions are in libpthread.so.0 */
	if (!function)
		function = symbol_in(RTLD_NEXT, n->name);

	__atomic_store_n(&n->function, function, __ATOMIC_RELAXED);
	errno = saved;
	return function;
}

extern struct next __start_next_functions[] __attribute__((visibility("hidden")));
extern struct next __stop_next_functions[] __attribute__((visibility("hidden")));

void next_find_all(void)
{
	/* the linker defines the start and end of section next_functions */
	/* cppcheck-suppress comparePointers */
	for (struct next *n = __start_next_functions; n < __stop_next_functions; n++)
		if (!n->function)
			next_find(n);
}

clock_fn *clock_read;

int clock_by_system_call(clockid_t clock, struct timespec *now)
{
	return OWN_CALL(clock_gettime, clock, now);
}
