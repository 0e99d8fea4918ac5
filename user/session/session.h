/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A session is one command in cgroups of its own. The cgroups are removed even if iospan is
 * killed. */
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
	/* Cgroup to which the kernel charges I/O: .target, or a blkio cgroup (version 1). If its
	 * path is "", I/O is attributed to the cgroup of the submitting task instead. */
	struct cgroup charged;
	/* memory cgroup (version 1) that limits the command's memory; path "": not used */
	struct cgroup limited;
	const struct cgroup *groups[SESSION_GROUPS];
	/* places[i] finds groups[i] for its removal, even if the cgroup was renamed; the array is
	 * in memory shared with the cleanup process */
	struct cgroup_place *places;
	pid_t child;
	/* write end of a pipe; the child executes the command after it has read a byte from the
	 * pipe */
	int go;
	int exec_error; /* read end of a pipe; the child writes a struct failure if exec fails */
	struct cleanup cleanup;
	int signals;	    /* signalfd for SIGCHLD, SIGINT and others; -1 before session_spawn() */
	sigset_t mask;	    /* signal mask of this process before session_spawn() */
	int asked;	    /* signal that interrupted session_wait(); 0: none */
	bool child_ignored; /* true if iospan was started with SIGCHLD ignored */
};

enum charge { CHARGE_AUTO, CHARGE_KERNEL, CHARGE_TASK };

/* Makes the session's cgroups below @parent (NULL: below the cgroup of this process). The cleanup
 * process removes them if this process ends before session_end(). @memory limits the memory of the
 * command, with its page cache, in bytes; 0: no limit. Returns 0 or -errno; prints the error. */
int session_begin(struct session *s, const char *parent, enum charge charge, u64 memory);

/* Sets in @o the cgroups that the tracer measures, and the attribution of I/O: to the cgroup that
 * the kernel charges, or to the cgroup of the submitting task. */
void session_target(const struct session *s, struct tracer_options *o);

/* Moves this process, a child of the one that called session_begin(), into the session's cgroups.
 * Returns 0 or -errno; prints nothing. */
int session_enter(const struct session *s);

/* Paths of the session's cgroups, one per hierarchy; "": there is no such cgroup. With these paths,
 * a process that is no child of iospan can enter the cgroups. */
struct session_groups {
	struct cgroup of[SESSION_GROUPS];
};
void session_groups(const struct session *s, struct session_groups *g);

/* Moves the calling process into the cgroups @to. Stores its previous cgroups in @from, unless
 * @from is NULL. Returns 0 or -errno; prints nothing. */
int session_move(const struct session_groups *to, struct session_groups *from);

/* Forks a child that enters the session's cgroups, waits for session_go(), and then executes @argv.
 * If @app_fd >= 0, the child preloads @library, which writes the app layer's counters to @app_fd. A
 * session may run several commands in turn. Returns 0 or -errno; prints the error. */
int session_spawn(struct session *s, char **argv, int app_fd, const char *library);

/* Makes the child of session_spawn() execute the command; @name is for messages. Returns 0 when the
 * command runs. If the command cannot be executed, returns 126 or 127, as a shell does. If the
 * child failed before exec, returns -errno. Prints errors. */
int session_go(struct session *s, const char *name);

/* Waits until the command exits, and calls @poll(@arg) every @poll_ns. Returns the exit status of
 * the command or, if signal n ended the command, 128 + n.
 *
 * SIGINT, SIGTERM and SIGHUP also reach the command, which then has 2 s to exit. A second signal
 * ends the wait at once. If the command still runs when the wait ends, sets *@runs_on and returns
 * 128 + n. */
int session_wait(struct session *s, void (*poll)(void *), void *arg, u64 poll_ns, bool *runs_on);

/* Removes the session's cgroups and restores the signal mask. Returns the number of processes that
 * were still in the cgroups and were moved out. If a cgroup cannot be removed, prints a warning and
 * returns -errno. Does nothing if @s is zeroed or was ended before. */
int session_end(struct session *s);

#endif
