/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes seccomp filters (lists of forbidden system calls) for the test programs that run with the
 * preloaded library (libiospan.so). */
#ifndef IOSPAN_TESTS_PRELOAD_FILTER_H
#define IOSPAN_TESTS_PRELOAD_FILTER_H

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include "tests/unit/preload/preloaded.h"

/* If @allowed is true, only the @n system calls in @calls are allowed. Otherwise, only these calls
 * are forbidden. A forbidden call kills the process. */
static inline void filter_make(struct sock_fprog *p, const int *calls, int n, int allowed)
{
	const unsigned yes = SECCOMP_RET_ALLOW, no = SECCOMP_RET_KILL_PROCESS;
	struct sock_filter *f = p->filter;

	*f++ = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0);
	for (int i = 0; i < n; i++) {
		*f++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[i], 0, 1);
		*f++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, allowed ? yes : no);
	}
	*f++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, allowed ? no : yes);
	p->len = f - p->filter;
}

enum filter_way { BY_PRCTL, BY_SECCOMP, BY_BARE_CALL };

static inline void filter_install(const int *calls, int n, int allowed, enum filter_way way)
{
	struct sock_filter room[64];
	struct sock_fprog p = { .filter = room };

	filter_make(&p, calls, n, allowed);
	CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
	if (way == BY_BARE_CALL)
		CHECK(bare_call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, (long)&p) == 0);
	else if (way == BY_SECCOMP)
		CHECK(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &p) == 0);
	else
		CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p) == 0);
}

#define COUNT(a) (int)(sizeof(a) / sizeof(*(a)))

#endif
