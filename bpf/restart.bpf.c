// SPDX-License-Identifier: GPL-2.0-only
/* Counts system calls that a signal has interrupted. If a signal handler runs, the kernel restarts
 * the call or makes it fail with EINTR. Without a handler, the kernel restarts the call or ends the
 * thread. */
#include "bpf/call.bpf.h"

__noinline int call_fail(void)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct call *call = bpf_task_storage_get(&calls, task, NULL, 0);
	u32 ops;

	if (!call || !call->interrupted.ops)
		return 0;
	ops = call->interrupted.ops;
	call->interrupted.ops = 0;
	call->start_ns = call->interrupted.start_ns;
	__builtin_memcpy(call->cells, call->interrupted.cells, sizeof(call->cells));
	__builtin_memcpy(call->at, call->interrupted.at, sizeof(call->at));
	if (recording)
		record_ops(ops, call->interrupted.end_ns, call->interrupted.bytes, TRACE_FAILED);
	add_ops(call, ops, call->interrupted.bytes, true,
		call->interrupted.end_ns - call->start_ns);
	return 0;
}

/* Returns true if a call fails with EINTR because a signal handler runs. @code is the result of the
 * interrupted call. @flags are the flags of the handler. */
static __always_inline bool handler_ends_call(long code, u64 flags)
{
	if (code == -ERESTARTSYS)
		return !(flags & SA_RESTART);
	return code == -ERESTARTNOHAND || code == -ERESTART_RESTARTBLOCK;
}

/* Runs before each signal handler. Only the first handler decides if the interrupted call fails.
 * So the program then sets .code to 0, and further handlers have no effect on the call. */
SEC("tp_btf/signal_deliver")
int BPF_PROG(on_signal, int sig, void *info, struct k_sigaction *action)
{
	struct call *call = bpf_task_storage_get(&calls, bpf_get_current_task_btf(), NULL, 0);
	u64 handler = (u64)action->sa.sa_handler;
	long code;

	if (!call || !call->interrupted.ops || handler == SIG_DFL || handler == SIG_IGN)
		return 0;
	code = call->interrupted.code;
	call->interrupted.code = 0;
	if (handler_ends_call(code, action->sa.sa_flags))
		call_fail();
	return 0;
}
