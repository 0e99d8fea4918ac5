// SPDX-License-Identifier: GPL-2.0-or-later
/* Probes BPF features. A probe returns true if the kernel has the feature. Many probes look up the
 * arguments of a trace event in the kernel's type information (BTF). */
#include "user/kernel/feature-bpf.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "user/kernel/btf.h"
#include "user/kernel/calls.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

bool has_btf(void)
{
	return kernel_btf() != NULL;
}

/* Returns the BTF type of the function that the kernel calls at trace event @event. Its parameters
 * from the second on are the arguments of the event. Returns NULL if the kernel has no such
 * event. */
static const struct btf_type *event_type(const char *event)
{
	const struct btf *btf = kernel_btf();
	const struct btf_type *type;
	char name[64];
	int id;

	if (!btf)
		return NULL;
	snprintf(name, sizeof(name), "btf_trace_%s", event);
	id = btf__find_by_name_kind(btf, name, BTF_KIND_TYPEDEF);
	if (id < 0)
		return NULL;
	type = btf__type_by_id(btf, btf__type_by_id(btf, id)->type);
	if (!type || !btf_is_ptr(type))
		return NULL;
	type = btf__type_by_id(btf, type->type);
	return type && btf_is_func_proto(type) ? type : NULL;
}

/* Returns the type to which argument @i of @event points; it may be void. Returns NULL if the
 * argument is no pointer. */
static const struct btf_type *pointer_arg(const char *event, unsigned i)
{
	const struct btf_type *proto = event_type(event), *arg;

	if (!proto || i + 1 >= btf_vlen(proto))
		return NULL;
	arg = btf__type_by_id(kernel_btf(), btf_params(proto)[i + 1].type);
	return btf_is_ptr(arg) ? btf__type_by_id(kernel_btf(), arg->type) : NULL;
}

static bool points_to(const char *event, unsigned i, const char *structure)
{
	const struct btf_type *type = pointer_arg(event, i);

	return type && strcmp(btf__name_by_offset(kernel_btf(), type->name_off), structure) == 0;
}

/* Since 5.11, the first argument of these events is the request. Before a54895fa057c ("block:
 * remove the request_queue to argument request based tracepoints"), it was the queue. */
bool has_tp_btf_block(void)
{
	return points_to("block_rq_issue", 0, "request") &&
		points_to("block_rq_complete", 0, "request");
}

bool has_block_io_start(void)
{
	return points_to("block_io_start", 0, "request");
}

/* Returns false on older kernels: their io_uring events have the user_data of the request, but not
 * its address. */
bool has_io_uring_req_events(void)
{
	return pointer_arg("io_uring_complete", 1) &&
		(points_to("io_uring_submit_req", 0, "io_kiocb") ||
		 points_to("io_uring_submit_sqe", 0, "io_kiocb"));
}

bool has_io_uring_cqe_overflow(void)
{
	return event_type("io_uring_cqe_overflow") != NULL;
}

/* before 6.4, this event had the name io_uring_submit_sqe */
bool has_io_uring_submit_req(void)
{
	return points_to("io_uring_submit_req", 0, "io_kiocb");
}

/* Since 6.16, the result is in an argument that points to the completion queue entry (cqe). Before,
 * it was itself an argument of the event. */
bool has_io_uring_complete_cqe(void)
{
	return points_to("io_uring_complete", 2, "io_uring_cqe");
}

static bool has_args(const char *event, unsigned n)
{
	const struct btf_type *proto = event_type(event);

	return proto && btf_vlen(proto) == n + 1;
}

/* Older kernels pass five numbers to the event. Later kernels pass a structure instead, so that
 * there are fewer arguments. */
bool has_dirty_pages_list(void)
{
	return has_args("balance_dirty_pages", 12);
}

bool has_dirty_pages_struct(void)
{
	return has_args("balance_dirty_pages", 8) &&
		points_to("balance_dirty_pages", 1, "dirty_throttle_control");
}

static bool close_if_open(int fd)
{
	if (fd < 0)
		return false;
	close(fd);
	return true;
}

bool has_bpf_cmpxchg(void)
{
	static const struct bpf_insn code[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_STX | BPF_MEM | BPF_DW,
		  .dst_reg = BPF_REG_10,
		  .src_reg = BPF_REG_0,
		  .off = -8 },
		{ .code = BPF_STX | BPF_ATOMIC | BPF_DW,
		  .dst_reg = BPF_REG_10,
		  .src_reg = BPF_REG_0,
		  .off = -8,
		  .imm = BPF_CMPXCHG },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	return close_if_open(bpf_prog_load(BPF_PROG_TYPE_SOCKET_FILTER, "iospan_probe", "GPL", code,
					   ARRAY_SIZE(code), NULL));
}

bool has_bpf_mmapable_array(void)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_MMAPABLE);
	size_t size = sysconf(_SC_PAGESIZE);
	int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "iospan_probe", sizeof(__u32), size, 1, &opts);
	void *map;

	if (fd < 0)
		return false;
	map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map != MAP_FAILED)
		munmap(map, size);
	close(fd);
	return map != MAP_FAILED;
}

bool has_bpf_loop(void)
{
	return libbpf_probe_bpf_helper(BPF_PROG_TYPE_SOCKET_FILTER, BPF_FUNC_loop, NULL) == 1;
}

bool has_bpf_rdonly_cast(void)
{
	return kernel_btf() &&
		btf__find_by_name_kind(kernel_btf(), "bpf_rdonly_cast", BTF_KIND_FUNC) > 0;
}

bool has_bpf_task_storage(void)
{
	return libbpf_probe_bpf_map_type(BPF_MAP_TYPE_TASK_STORAGE, NULL) == 1;
}

static const struct bpf_insn return_0[] = {
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
	{ .code = BPF_JMP | BPF_EXIT },
};

/* Attaches a program for a moment, because some kernels load such a program but refuse to attach
 * it. The program is on a function that is seldom called. */
bool has_bpf_prog_fentry(void)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_FENTRY);
	int id = kernel_function("ksys_sync");
	bool attached;
	int fd;

	if (id < 0 || !calls_have_functions())
		return false;
	opts.attach_btf_id = id;
	fd = bpf_prog_load(BPF_PROG_TYPE_TRACING, "iospan_probe", "GPL", return_0,
			   ARRAY_SIZE(return_0), &opts);
	if (fd < 0)
		return false;
	attached = close_if_open(bpf_raw_tracepoint_open(NULL, fd));
	close(fd);
	return attached;
}

/* Returns true if the kernel takes an entry from a pool for each call in flight. It does so before
 * Linux 6.14 (member rethook of struct fprobe). If the pool is empty, the kernel does not run the
 * programs for the call. */
static bool has_pool(void)
{
	const struct btf *btf = kernel_btf();
	int id = btf ? btf__find_by_name_kind(btf, "fprobe", BTF_KIND_STRUCT) : -1;
	const struct btf_type *type = id > 0 ? btf__type_by_id(btf, id) : NULL;

	for (int i = 0; type && i < btf_vlen(type); i++)
		if (!strcmp(btf__name_by_offset(btf, btf_members(type)[i].name_off), "rethook"))
			return true;
	return !type;
}

/* With kernel.ftrace_enabled = 0, programs can be attached to functions, but the kernel does not
 * run them. */
static bool runs_ftrace(void)
{
	FILE *f = fopen("/proc/sys/kernel/ftrace_enabled", "re");
	int on = f ? getc(f) : '1';

	if (f)
		fclose(f);
	return on != '0';
}

/* Tests the feature by attaching a program to the functions of all measured calls for a moment. */
bool has_kprobe_multi(void)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_KPROBE_MULTI);
	bool attached;
	int fd;

	if (has_pool() || !runs_ftrace())
		return false;
	fd = bpf_prog_load(BPF_PROG_TYPE_KPROBE, "iospan_probe", "GPL", return_0,
			   ARRAY_SIZE(return_0), &opts);
	if (fd < 0)
		return false;
	attached = close_if_open(calls_attach_kprobe(fd, CALL_EXIT, true));
	close(fd);
	return attached;
}
