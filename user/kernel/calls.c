// SPDX-License-Identifier: GPL-2.0-or-later
/* Attaches BPF programs to the kernel functions of system calls, for iospan's vfs layer. A kprobe
 * program is attached to all functions at once. With fentry, a copy of a small BPF program,
 * the stub, is attached to the kernel function of each call. The stub tail-calls the program that
 * does the work. */
#include "user/kernel/calls.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "user/base/err.h"
#include "user/kernel/btf.h"
#include "bpf/abi.h"

#define CALL(name, kind) \
	{ \
#name, SYS_##name, kind \
	}

static const struct {
	/* without a prefix such as "__x64_sys_" */
	const char *name;
	short number;
	unsigned char kind;
} calls[] = {
	CALL(read, CALL_READ),
	CALL(pread64, CALL_READ | CALL_AT),
	CALL(readv, CALL_READV),
	CALL(preadv, CALL_READV | CALL_AT),
	CALL(preadv2, CALL_READV | CALL_AT),
	CALL(write, CALL_WRITE),
	CALL(pwrite64, CALL_WRITE | CALL_AT),
	CALL(writev, CALL_WRITEV),
	CALL(pwritev, CALL_WRITEV | CALL_AT),
	CALL(pwritev2, CALL_WRITEV | CALL_AT),
	{ "sendfile64", SYS_sendfile, CALL_SENDFILE },
	CALL(splice, CALL_SPLICE),
	CALL(copy_file_range, CALL_SPLICE),
	CALL(fsync, CALL_SYNC_FD),
	CALL(fdatasync, CALL_SYNC_FD),
	CALL(sync_file_range, CALL_SYNC_FD),
	CALL(syncfs, CALL_SYNC_FS),
	CALL(msync, CALL_SYNC),
#ifdef SYS_open
	CALL(open, CALL_OPEN),
	CALL(creat, CALL_OPEN),
#endif
	CALL(openat, CALL_OPEN),
	CALL(openat2, CALL_OPEN),
	CALL(close, CALL_CLOSE),
	CALL(sync, CALL_SYNC),
	CALL(io_submit, CALL_IO_SUBMIT),
	CALL(io_getevents, CALL_IO_GETEVENTS),
	CALL(io_pgetevents, CALL_IO_GETEVENTS),
	CALL(io_destroy, CALL_IO_DESTROY),
};
#define CALLS_N (sizeof(calls) / sizeof(*calls))
_Static_assert(CALLS_N <= MAX_CALLS, "room for a program each");

static bool is_followed(size_t call, bool opens)
{
	return opens || (calls[call].kind != CALL_OPEN && calls[call].kind != CALL_CLOSE);
}

/* Returns false for sync(): its kernel function has no parameters, and so is not in the BTF. fentry
 * uses ksys_sync() instead. */
static bool has_function(size_t call)
{
	return calls[call].number != SYS_sync;
}

void calls_kinds(unsigned char *kinds, bool opens)
{
	for (size_t i = 0; i < CALLS_N; i++)
		if (is_followed(i, opens))
			kinds[calls[i].number] = calls[i].kind;
}

/* Sets @name to the BTF name of the kernel function of calls[@call], such as __x64_sys_read. */
static void function_name(size_t call, char *name, size_t size)
{
#ifdef __x86_64__
	snprintf(name, size, "__x64_sys_%s", calls[call].name);
#else
	snprintf(name, size, "__arm64_sys_%s", calls[call].name);
#endif
}

static int function_type(size_t call)
{
	char name[64];

	function_name(call, name, sizeof(name));
	return kernel_function_type(kernel_function(name));
}

/* Sets group[i] to the index of the struct call_group for calls[i]. The kernel functions of system
 * calls have two BTF types, so there are two groups. Returns false if a function is missing or has
 * a third type. */
static bool find_groups(unsigned char group[CALLS_N])
{
	int types[CALL_GROUPS] = { function_type(0), -1 };

	for (size_t i = 0; i < CALLS_N; i++)
		if (calls[i].kind == CALL_IO_SUBMIT)
			types[1] = function_type(i);
	for (size_t i = 0; i < CALLS_N; i++) {
		int type = has_function(i) ? function_type(i) : 0;

		group[i] = type != types[0] || (calls[i].kind & ~CALL_AT) >= CALL_IO_SUBMIT;
		if (type < 0 || (has_function(i) && type != types[group[i]]))
			return false;
	}
	return true;
}

bool calls_have_functions(void)
{
	unsigned char group[CALLS_N];

	return kernel_function("ksys_sync") >= 0 && find_groups(group);
}

int calls_attach_kprobe(int program, int end, bool opens)
{
	char names[CALLS_N][64];
	const char *list[CALLS_N];
	LIBBPF_OPTS(bpf_link_create_opts, opts, .kprobe_multi.syms = list,
		    .kprobe_multi.flags = end == CALL_EXIT ? BPF_F_KPROBE_MULTI_RETURN : 0);
	int link;

	for (size_t i = 0; i < CALLS_N; i++) {
		if (!is_followed(i, opens))
			continue;
		function_name(i, names[i], sizeof(names[i]));
		list[opts.kprobe_multi.cnt++] = names[i];
	}
	link = bpf_link_create(program, 0, BPF_TRACE_KPROBE_MULTI, &opts);
	return link < 0 ? -errno : link;
}

/* Sets @function as the attach target of the programs in @g, because the kernel loads no program
 * without a target. Any function with the BTF type of @g will do: attach_one() later attaches a
 * copy of the stub to each function. */
static int prepare_group(struct call_group *g, const char *function)
{
	int ret = 0;

	for (int end = 0; end < CALL_ENDS; end++) {
		bpf_program__set_autoattach(g->stub[end], false);
		bpf_program__set_autoattach(g->shared[end], false);
		ret |= bpf_program__set_attach_target(g->stub[end], 0, function);
		ret |= bpf_program__set_attach_target(g->shared[end], 0, function);
	}
	return ret;
}

int calls_prepare(struct call_programs *c)
{
	unsigned char group[CALLS_N];
	int ret = 0;

	if (!find_groups(group))
		return error(-ENOTSUP, "the kernel's BTF lacks functions of system calls");
	for (int g = 0; g < CALL_GROUPS; g++) {
		char name[64];
		size_t i = 0;

		while (!has_function(i) || group[i] != g)
			i++;
		function_name(i, name, sizeof(name));
		ret |= prepare_group(&c->groups[g], name);
	}
	return ret ? error(-ENOTSUP, "the kernel's BTF lacks functions of system calls") : 0;
}

/* Loads a copy of the stub and attaches it to the kernel function of calls[@call], until
 * calls_detach(). */
static int attach_one(struct call_programs *c, size_t call, int group, int end)
{
	struct bpf_program *stub = c->groups[group].stub[end];
	struct call_program *p = &c->list[c->n];
	LIBBPF_OPTS(bpf_prog_load_opts, opts,
		    .expected_attach_type = bpf_program__expected_attach_type(stub));
	char function[64];

	function_name(call, function, sizeof(function));
	opts.attach_btf_id = kernel_function(function);
	snprintf(p->name, sizeof(p->name), "%s%s", calls[call].name,
		 end == CALL_EXIT ? "_end" : "");
	p->program = bpf_prog_load(BPF_PROG_TYPE_TRACING, p->name, "GPL", bpf_program__insns(stub),
				   bpf_program__insn_cnt(stub), &opts);
	if (p->program < 0)
		return -errno;
	c->n++;
	p->link = bpf_raw_tracepoint_open(NULL, p->program);
	return p->link < 0 ? -errno : 0;
}

static int set_shared(const struct call_group *g)
{
	for (int end = 0; end < CALL_ENDS; end++) {
		int fd = bpf_program__fd(g->shared[end]);
		__u32 zero = 0;

		if (bpf_map_update_elem(bpf_map__fd(g->map[end]), &zero, &fd, BPF_ANY))
			return -errno;
	}
	return 0;
}

int calls_attach(struct call_programs *c)
{
	unsigned char group[CALLS_N];
	int ret = find_groups(group) ? 0 : -ENOTSUP;

	for (int g = 0; !ret && g < CALL_GROUPS; g++)
		ret = set_shared(&c->groups[g]);
	for (size_t i = 0; !ret && i < CALLS_N; i++) {
		if (!has_function(i) || !is_followed(i, c->opens))
			continue;
		/* The program at the exit is attached first. So each call that runs the program at
		 * its entry also runs the program at its exit. */
		ret = attach_one(c, i, group[i], CALL_EXIT);
		if (!ret)
			ret = attach_one(c, i, group[i], CALL_ENTRY);
	}
	return ret;
}

void calls_detach_in_background(const struct call_programs *c)
{
	if (!c->n || c->list[c->n - 1].link < 0 || fork())
		return;
	setsid();
	for (int fd = 0; fd <= c->list[c->n - 1].link; fd++)
		close(fd);
	_exit(0);
}

void calls_stop(struct call_programs *c)
{
	for (int end = 0; end < CALL_ENDS; end++) {
		if (c->kprobes[end] >= 0)
			close(c->kprobes[end]);
		c->kprobes[end] = -1;
	}
	for (unsigned i = c->n; i-- > 0;) {
		if (c->list[i].link >= 0)
			close(c->list[i].link);
		c->list[i].link = -1;
	}
}

void calls_detach(struct call_programs *c)
{
	calls_stop(c);
	for (unsigned i = 0; i < c->n; i++)
		close(c->list[i].program);
	c->n = 0;
}
