/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One command in a cgroup of its own: made, started, waited for, cleaned up,
 * whatever happens to us in between. */
#ifndef IOSPAN_SESSION_H
#define IOSPAN_SESSION_H

#include <signal.h>
#include <sys/types.h>
#include "user/host/cgroup.h"
#include "user/session/janitor.h"
#include "user/kernel/tracer.h"

#define SESSION_GROUPS 3
struct session {
	struct cgroup target;  /* v2 */
	struct cgroup charged; /* whom the kernel charges: target, a v1 blkio group, or
				 * nothing (path "") */
	struct cgroup limited; /* a v1 memory group with a limit, or nothing */
	const struct cgroup *groups[SESSION_GROUPS]; /* these; a process is in each */
	pid_t child;
	int go;		/* write end: the child waits for it */
	int exec_error; /* read end: errno of a failed exec */
	struct janitor janitor;
	int signals;	    /* signalfd; -1 before session_spawn() */
	sigset_t mask;	    /* blocked when we came */
	int asked;	    /* to end, by this signal, while we waited; 0: not */
	bool child_ignored; /* SIGCHLD was, when we came */
};

enum charge { CHARGE_AUTO, CHARGE_KERNEL, CHARGE_TASK };

/* Makes the group(s) below @parent (NULL: below our own), watched by a process
 * that removes them when we end, in whatever way. In them there are @memory bytes, page
 * cache included (0: no limit). Errors are printed. */
int session_begin(struct session *s, const char *parent, enum charge charge, u64 memory);

/* Whose accesses count: those of the group(s). */
void session_target(const struct session *s, struct tracer_options *o);

/* Moves the caller, a child of ours, into the group(s). No message. */
int session_enter(const struct session *s);

/* Its groups, as they can be told to a process that is no child of ours; or those that such a
 * one came from. "": none. */
struct session_places {
	struct cgroup of[SESSION_GROUPS];
};
void session_places(const struct session *s, struct session_places *p);

/* Moves the caller there; where it comes from is in *@from then, unless that is NULL. No
 * message. */
int session_move(const struct session_places *to, struct session_places *from);

/* Starts @argv up to the point of exec, in the group(s), with the environment
 * of the app layer when @app_fd >= 0. Errors are printed. After session_wait() another may
 * follow. */
int session_spawn(struct session *s, char **argv, int app_fd, const char *library);

/* Lets it go. 0: it runs. When @name cannot be executed, the status that a shell
 * gives, 126 or 127; a negative errno when it did not come so far. Printed. */
int session_go(struct session *s, const char *name);

/* Waits; @poll(@arg) is called every @poll_ns. Returns the command's status as a
 * shell gives it (128 + n for signal n). After SIGINT, SIGTERM or SIGHUP, which a
 * command that does not have them from the terminal is sent too, it has GRACE to
 * end; if it goes on, 128 + n, and *@runs_on is set. */
int session_wait(struct session *s, void (*poll)(void *), void *arg, u64 poll_ns, bool *runs_on);

/* Removes the groups, and gives signals their old meaning. Returns how many processes were still in
 * the groups: they go on, in the group above. -errno: groups are left, which a warning says; the
 * result of the command holds. Safe on a session that never began. */
int session_end(struct session *s);

#endif
