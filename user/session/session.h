/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One command in cgroups of its own: makes them, runs the command in them and removes them, even if
 * iospan is killed. */
#ifndef IOSPAN_SESSION_H
#define IOSPAN_SESSION_H

#include <signal.h>
#include <sys/types.h>
#include "user/host/cgroup-tree.h"
#include "user/session/cleanup.h"
#include "user/kernel/tracer.h"

#define SESSION_GROUPS 3
struct session {
	struct cgroup target;  /* v2 */
	struct cgroup charged; /* the cgroup that the kernel charges: target, or one of v1 blkio;
				* path "": none */
	struct cgroup limited; /* v1 memory cgroup with the limit; path "": none */
	const struct cgroup *groups[SESSION_GROUPS]; /* the three above */
	struct cgroup_place *places; /* of the cgroups that are made; shared with the cleanup
				      * process */
	pid_t child;
	int go;		/* write end; the child waits for a byte before exec */
	int exec_error; /* read end; the child reports a failure here */
	struct cleanup cleanup;
	int signals;	    /* signalfd; -1 before session_spawn() */
	sigset_t mask;	    /* signals blocked before session_spawn() */
	int asked;	    /* signal that interrupted session_wait(); 0: none */
	bool child_ignored; /* SIGCHLD was ignored before session_begin() */
};

enum charge { CHARGE_AUTO, CHARGE_KERNEL, CHARGE_TASK };

/* Makes the cgroups below @parent (NULL: below the cgroup of this process). A cleanup process
 * removes them if this process ends first. @memory limits their memory, page cache included, in
 * bytes (0: no limit). -errno, printed. */
int session_begin(struct session *s, const char *parent, enum charge charge, u64 memory);

/* Sets the cgroups of @o and the attribution. */
void session_target(const struct session *s, struct tracer_options *o);

/* Moves the caller, a child of the session's process, into the cgroups. -errno, silent. */
int session_enter(const struct session *s);

/* Cgroups by path, one per hierarchy: a process that is not a child of the session's can use them.
 * Path "": none. */
struct session_groups {
	struct cgroup of[SESSION_GROUPS];
};
void session_groups(const struct session *s, struct session_groups *g);

/* Moves the caller into the cgroups @to. *@from receives those that it leaves, unless it is NULL.
 * -errno, silent. */
int session_move(const struct session_groups *to, struct session_groups *from);

/* Forks a child that enters the cgroups and waits before it executes @argv. If @app_fd >= 0, the
 * child's environment loads @library for the app layer. May be called again after session_wait().
 * -errno, printed. */
int session_spawn(struct session *s, char **argv, int app_fd, const char *library);

/* Lets the child execute @name. Returns 0 if it runs. If @name cannot be executed, returns 126 or
 * 127 as a shell does. -errno if the child failed before. Errors are printed. */
int session_go(struct session *s, const char *name);

/* Waits for the command and calls @poll(@arg) every @poll_ns. Returns the exit status as a shell
 * does: 128 + n for signal n. SIGINT, SIGTERM and SIGHUP also reach the command, which has 2 s, or
 * until a second signal, to end. If it still runs, returns 128 + n and sets *@runs_on. */
int session_wait(struct session *s, void (*poll)(void *), void *arg, u64 poll_ns, bool *runs_on);

/* Removes the cgroups and restores the signal mask. Returns the number of processes that were still
 * in them; these go on in another cgroup, see cgroup_remove(). Returns -errno, with a warning, if a cgroup remains.
 * Does nothing on a session that is zeroed or has ended. */
int session_end(struct session *s);

#endif
