/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A session: one command in cgroups of its own. Makes the cgroups, runs the command in them and
 * removes them, even if iospan is killed. */
#ifndef IOSPAN_SESSION_H
#define IOSPAN_SESSION_H

#include <signal.h>
#include <sys/types.h>
#include "user/host/cgroup-tree.h"
#include "user/session/cleanup.h"
#include "user/kernel/tracer.h"

#define SESSION_GROUPS 3
struct session {
	struct cgroup target; /* cgroup (v2) in which the command runs */
	/* The cgroup to which the kernel charges I/O: target, or one of the v1 blkio hierarchy. Its
	 * path is "" if there is none. */
	struct cgroup charged;
	/* v1 memory cgroup that has the limit; path "": none */
	struct cgroup limited;
	const struct cgroup *groups[SESSION_GROUPS]; /* target, charged and limited */
	/* One entry for each cgroup in groups, with which the cgroup is found for its removal. The
	 * memory is shared with the cleanup process. */
	struct cgroup_place *places;
	pid_t child;
	/* write end of a pipe; before the exec, the child waits for a byte from it */
	int go;
	int exec_error; /* read end of a pipe; the child writes a failure to it */
	struct cleanup cleanup;
	int signals;	    /* file descriptor of a signalfd; -1 before session_spawn() */
	sigset_t mask;	    /* signals that were blocked before session_spawn() */
	int asked;	    /* signal that interrupted session_wait(); 0: none */
	bool child_ignored; /* true if SIGCHLD was ignored before session_begin() */
};

enum charge { CHARGE_AUTO, CHARGE_KERNEL, CHARGE_TASK };

/* Makes the cgroups below @parent; NULL means below the cgroup of this process. The cleanup process
 * removes them if this process ends before session_end(). @memory limits their memory, page cache
 * included, in bytes; 0 means no limit. Returns 0 or -errno, and prints the error. */
int session_begin(struct session *s, const char *parent, enum charge charge, u64 memory);

/* Sets the cgroups to measure and the attribution in @o. */
void session_target(const struct session *s, struct tracer_options *o);

/* Moves the caller into the session's cgroups. The caller is a child of the process that began the
 * session. Returns 0 or -errno, and prints nothing. */
int session_enter(const struct session *s);

/* The session's cgroups as paths, one per hierarchy; a path is "" if there is none. A process that
 * is not a child of the process that began the session can use them. */
struct session_groups {
	struct cgroup of[SESSION_GROUPS];
};
void session_groups(const struct session *s, struct session_groups *g);

/* Moves the caller into the cgroups @to. Unless @from is NULL, sets *@from to the cgroups that the
 * caller leaves. Returns 0 or -errno, and prints nothing. */
int session_move(const struct session_groups *to, struct session_groups *from);

/* Forks a child that enters the cgroups and waits for session_go() before it executes @argv. If
 * @app_fd >= 0, the child's environment loads @library for the app layer. It may be called again
 * after session_wait(). Returns 0 or -errno, and prints the error. */
int session_spawn(struct session *s, char **argv, int app_fd, const char *library);

/* Lets the child execute @name. Returns 0 if the command runs. Returns 126 or 127, as a shell does,
 * if @name cannot be executed. Returns -errno if the child failed before that. Prints errors. */
int session_go(struct session *s, const char *name);

/* Waits for the command and calls @poll(@arg) every @poll_ns. Returns the exit status as a shell
 * does: 128 + n after signal n. Passes SIGINT, SIGTERM and SIGHUP on to the command. The command
 * then has 2 s to exit, or until a second signal. If it still runs after that, returns 128 + n and
 * sets *@runs_on. */
int session_wait(struct session *s, void (*poll)(void *), void *arg, u64 poll_ns, bool *runs_on);

/* Removes the cgroups and restores the signal mask. Returns the number of processes that were still
 * in them; cgroup_remove() moves these to another cgroup. If a cgroup remains, prints a warning and
 * returns -errno. Does nothing on a session that is zeroed or has ended. */
int session_end(struct session *s);

#endif
