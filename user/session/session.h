/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A session: one command in cgroups of its own, which are removed even if iospan is killed. */
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
	/* cgroup charged: target, or a blkio cgroup (version 1); path "": attribution is by task */
	struct cgroup charged;
	/* memory cgroup (version 1) that limits the command's memory; path "": not used */
	struct cgroup limited;
	const struct cgroup *groups[SESSION_GROUPS];
	/* places[i], in shared memory, finds groups[i] for its removal, even if it was renamed */
	struct cgroup_place *places;
	pid_t child;
	/* write end of a pipe; the child executes the command when it reads a byte */
	int go;
	int exec_error; /* read end of a pipe; the child writes a struct failure if exec fails */
	struct cleanup cleanup;
	int signals;	    /* signalfd for SIGCHLD, SIGINT and others; -1 before session_spawn() */
	sigset_t mask;	    /* signal mask of this process before session_spawn() */
	int asked;	    /* signal that interrupted session_wait(); 0: none */
	bool child_ignored; /* true if iospan was started with SIGCHLD ignored */
};

enum charge { CHARGE_AUTO, CHARGE_KERNEL, CHARGE_TASK };

/* Makes cgroups below @parent (NULL: below this process's). The cleanup process removes them if
 * this process ends before session_end(). @memory limits the command, with its page cache, in
 * bytes; 0: no limit. Returns 0, or -errno after an error message. */
int session_begin(struct session *s, const char *parent, enum charge charge, u64 memory);

/* Sets in @o which cgroups to measure, and if I/O belongs to the one charged or to the task's. */
void session_target(const struct session *s, struct tracer_options *o);

/* Moves this child process into the session's cgroups. Returns 0 or -errno, prints nothing. */
int session_enter(const struct session *s);

/* Paths of the session's cgroups per hierarchy, for processes that are no children; "": none. */
struct session_groups {
	struct cgroup of[SESSION_GROUPS];
};
void session_groups(const struct session *s, struct session_groups *g);

/* Moves the calling process into @to, and stores its previous cgroups in @from (or NULL). Returns 0
 * or -errno, and prints nothing. */
int session_move(const struct session_groups *to, struct session_groups *from);

/* Forks a child that enters the cgroups and executes @argv after session_go(). If @app_fd >= 0, it
 * preloads @library, which measures the app layer into @app_fd. A session may run several commands
 * in turn. Returns 0, or -errno after an error message. */
int session_spawn(struct session *s, char **argv, int app_fd, const char *library);

/* Makes the child of session_spawn() execute the command @name. Returns 0 when it runs, 126 or 127
 * as a shell if it cannot be executed, -errno if the child failed before. Prints errors. */
int session_go(struct session *s, const char *name);

/* Waits for the command and calls @poll(@arg) every @poll_ns. Returns the exit status of a shell:
 * 128 + n after signal n.
 *
 * SIGINT, SIGTERM and SIGHUP also go to the command, which has 2 s to exit; a second signal ends
 * the wait. If it still runs, sets *@runs_on and returns 128 + n. */
int session_wait(struct session *s, void (*poll)(void *), void *arg, u64 poll_ns, bool *runs_on);

/* Removes the cgroups and restores the signal mask. Returns the number of processes moved out by
 * cgroup_remove(), or -errno after a warning. Does nothing if @s is zeroed or ended. */
int session_end(struct session *s);

#endif
