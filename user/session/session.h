/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A session is one command in cgroups of its own. This file makes the cgroups, runs the command in
 * them and removes them, even if iospan is killed. */
#ifndef IOSPAN_SESSION_H
#define IOSPAN_SESSION_H

#include <signal.h>
#include <sys/types.h>
#include "user/host/cgroup-tree.h"
#include "user/session/cleanup.h"
#include "user/kernel/tracer.h"

#define SESSION_GROUPS 3
struct session {
	struct cgroup target; /* cgroup of version 2 in which the command runs */
	/* The cgroup to which the kernel charges the command's I/O: the same as target, or a cgroup
	 * of the blkio hierarchy (version 1). If its path is "", I/O is attributed to the cgroup of
	 * the task that submits it. */
	struct cgroup charged;
	/* cgroup of the memory hierarchy (version 1) that limits the command's memory; path "": not
	 * used */
	struct cgroup limited;
	const struct cgroup *groups[SESSION_GROUPS]; /* pointers to target, charged and limited */
	/* places[i] says how the cleanup process finds groups[i] to remove it, even if somebody
	 * renamed it. The array is in memory shared with the cleanup process. */
	struct cgroup_place *places;
	pid_t child;
	/* Write end of a pipe. The child executes the command when it reads a byte from this
	 * pipe. */
	int go;
	int exec_error; /* read end of a pipe; the child writes a struct failure if exec fails */
	struct cleanup cleanup;
	int signals;	    /* signalfd for SIGCHLD, SIGINT and others; -1 before session_spawn() */
	sigset_t mask;	    /* signal mask of this process before session_spawn() */
	int asked;	    /* signal that interrupted session_wait(); 0: none */
	bool child_ignored; /* true if iospan was started with SIGCHLD ignored */
};

enum charge { CHARGE_AUTO, CHARGE_KERNEL, CHARGE_TASK };

/* Makes the session's cgroups below the cgroup @parent; NULL means below the cgroup of this
 * process. If this process ends before session_end(), the cleanup process removes them. @memory is
 * the limit of the command's memory in bytes, page cache included; 0 means no limit. Returns 0 or
 * -errno, and prints the error. */
int session_begin(struct session *s, const char *parent, enum charge charge, u64 memory);

/* Sets in @o which cgroups the tracer measures, and whether it attributes I/O to the cgroup that
 * the kernel charges or to the cgroup of the submitting task. */
void session_target(const struct session *s, struct tracer_options *o);

/* Moves the calling process, a child of the process that called session_begin(), into the session's
 * cgroups. Returns 0 or -errno, and prints nothing. */
int session_enter(const struct session *s);

/* Paths of the session's cgroups, one for each hierarchy: version 2, blkio and memory of version 1.
 * A path is "" if there is no such cgroup. With these paths, a process that is no child of the
 * session's process can enter the cgroups too. */
struct session_groups {
	struct cgroup of[SESSION_GROUPS];
};
void session_groups(const struct session *s, struct session_groups *g);

/* Moves the calling process into the cgroups @to. If @from is not NULL, stores the previous cgroups
 * of the process there, so that it can return. Returns 0 or -errno, and prints nothing. */
int session_move(const struct session_groups *to, struct session_groups *from);

/* Forks a child that enters the session's cgroups and waits for session_go() before it executes
 * @argv. If @app_fd >= 0, the child preloads @library, which measures the app layer and gets
 * @app_fd for its results. A session may run several commands one after the other, each with
 * session_spawn(), session_go() and session_wait(). Returns 0 or -errno, and prints the error. */
int session_spawn(struct session *s, char **argv, int app_fd, const char *library);

/* Lets the child of session_spawn() execute the command. @name is the command, for errors. Returns
 * 0 when it runs. If it cannot be executed, returns 126 or 127 as a shell does. If the child failed
 * before exec, returns -errno. Prints errors. */
int session_go(struct session *s, const char *name);

/* Waits until the command exits, and calls @poll(@arg) every @poll_ns. Returns the exit status as a
 * shell does: 128 + n if signal n killed the command.
 *
 * If this process gets SIGINT, SIGTERM or SIGHUP, the command gets the signal too, and has 2 s to
 * exit; a second signal ends the wait at once. If the command still runs then, sets *@runs_on and
 * returns 128 + n. */
int session_wait(struct session *s, void (*poll)(void *), void *arg, u64 poll_ns, bool *runs_on);

/* Removes the session's cgroups and restores the signal mask. Returns the number of processes that
 * were still in them; cgroup_remove() moves these to another cgroup. If a cgroup cannot be removed,
 * prints a warning and returns -errno. Does nothing if @s is zeroed or was ended before. */
int session_end(struct session *s);

#endif
