// SPDX-License-Identifier: GPL-2.0-or-later
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "user/kernel/calls.h"
#include "user/kernel/feature-bpf.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* ---- the kernel's own types ---- */

/* Read once, kept until the program ends: some 5 MB that take a while. */
static const struct btf *vmlinux(void)
{
	static struct btf *btf;
	static bool tried;

	if (!tried)
		btf = btf__parse("/sys/kernel/btf/vmlinux", NULL);
	tried = true;
	return btf;
}

int kernel_function(const char *name)
{
	return vmlinux() ? btf__find_by_name_kind(vmlinux(), name, BTF_KIND_FUNC) : -ENOENT;
}

int kernel_function_type(int function)
{
	return function < 0 ? function : (int)btf__type_by_id(vmlinux(), function)->type;
}

bool has_btf(void)
{
	return vmlinux() != NULL;
}

/* What a program on trace event @event gets: a function type whose first
 * parameter is not passed on. NULL: the kernel has no such event. */
static const struct btf_type *event_type(const char *event)
{
	const struct btf *btf = vmlinux();
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

/* Argument @i of @event, if it is a pointer: the type that it points to (void
 * is one too). */
static const struct btf_type *pointer_arg(const char *event, unsigned i)
{
	const struct btf_type *proto = event_type(event), *arg;

	if (!proto || i + 1 >= btf_vlen(proto))
		return NULL;
	arg = btf__type_by_id(vmlinux(), btf_params(proto)[i + 1].type);
	return btf_is_ptr(arg) ? btf__type_by_id(vmlinux(), arg->type) : NULL;
}

static bool points_to(const char *event, unsigned i, const char *structure)
{
	const struct btf_type *type = pointer_arg(event, i);

	return type && strcmp(btf__name_by_offset(vmlinux(), type->name_off), structure) == 0;
}

/* Until a54895fa057c ("block: remove the request_queue to argument request based
 * tracepoints"), 5.11, block_rq_issue had the queue before the request. */
bool has_tp_btf_block(void)
{
	return points_to("block_rq_issue", 0, "request") &&
		points_to("block_rq_complete", 0, "request");
}

bool has_block_io_start(void)
{
	return points_to("block_io_start", 0, "request");
}

/* Both ends of a request must name it. Older kernels have the events with the
 * application's user_data, a number that need not be unique, in its place. */
bool has_io_uring_req_events(void)
{
	return pointer_arg("io_uring_complete", 1) &&
		(points_to("io_uring_submit_req", 0, "io_kiocb") ||
		 points_to("io_uring_submit_sqe", 0, "io_kiocb"));
}

/* Since 5.19. */
bool has_io_uring_cqe_overflow(void)
{
	return event_type("io_uring_cqe_overflow") != NULL;
}

/* Named io_uring_submit_sqe before 6.4. */
bool has_io_uring_submit_req(void)
{
	return points_to("io_uring_submit_req", 0, "io_kiocb");
}

/* Before 6.16 the result was an argument of its own. */
bool has_io_uring_complete_cqe(void)
{
	return points_to("io_uring_complete", 2, "io_uring_cqe");
}

/* ---- programs and maps ---- */

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
	return vmlinux() && btf__find_by_name_kind(vmlinux(), "bpf_rdonly_cast", BTF_KIND_FUNC) > 0;
}

bool has_bpf_task_storage(void)
{
	return libbpf_probe_bpf_map_type(BPF_MAP_TYPE_TASK_STORAGE, NULL) == 1;
}

/* Kernels exist that load such a program and then refuse to attach it, so an
 * empty one is attached, for a moment, to a function that is seldom called. */
bool has_bpf_prog_fentry(void)
{
	static const struct bpf_insn code[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_FENTRY);
	int id = kernel_function("ksys_sync");
	bool attached;
	int fd;

	if (id < 0 || !calls_have_functions())
		return false;
	opts.attach_btf_id = id;
	fd = bpf_prog_load(BPF_PROG_TYPE_TRACING, "iospan_probe", "GPL", code, ARRAY_SIZE(code),
			   &opts);
	if (fd < 0)
		return false;
	attached = close_if_open(bpf_raw_tracepoint_open(NULL, fd));
	close(fd);
	return attached;
}
