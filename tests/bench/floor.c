// SPDX-License-Identifier: GPL-2.0-or-later
/* The least that a tracer of requests can cost: a program on their issue and one on their
 * completion, each of which reads the clock. Attached until it is ended. */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <stdio.h>
#include <unistd.h>

static int attach(const struct btf *btf, const char *event)
{
	static const struct bpf_insn code[] = {
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_ktime_get_ns },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_RAW_TP);
	int id = btf__find_by_name_kind(btf, event, BTF_KIND_TYPEDEF), fd;

	if (id < 0)
		return -1;
	opts.attach_btf_id = id;
	fd = bpf_prog_load(BPF_PROG_TYPE_TRACING, "floor", "GPL", code,
			   sizeof(code) / sizeof(*code), &opts);
	return fd < 0 ? fd : bpf_raw_tracepoint_open(NULL, fd);
}

int main(void)
{
	struct btf *btf = btf__parse("/sys/kernel/btf/vmlinux", NULL);

	if (!btf || attach(btf, "btf_trace_block_rq_issue") < 0 ||
	    attach(btf, "btf_trace_block_rq_complete") < 0) {
		perror("floor");
		return 1;
	}
	btf__free(btf);
	pause();
	return 0;
}
