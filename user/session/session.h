/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A session is a set of new cgroups in which a command runs. The cleanup process is a child of
 * iospan. It removes the cgroups even if iospan is killed. */
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
	/* Cgroup to which the kernel charges I/O: the cgroup in which the command runs, or a blkio
	 * cgroup (version 1). If its path is "", I/O is attributed to the cgroup of the submitting
	 * task instead. */
	struct cgroup charged;
	/* memory cgroup (version 1) that limits the command's memory; path "": not used */
	struct cgroup limited;
	const struct cgroup *groups[SESSION_GROUPS];
	/* places[i] identifies groups[i] for its removal, even if this cgroup was renamed. The
	 * array is in memory shared with the cleanup process. */
	struct cgroup_place *places;
	pid_t child;
	/* write end of a pipe; the child executes the command after it has read a byte from the
	 * pipe */
	int go;
	int exec_error; /* read end of a pipe; the child writes a struct failure if exec fails */
	struct cleanup cleanup;
	int signals;	    /* signalfd for SIGCHLD, SIGINT and others; -1 before command_spawn() */
	sigset_t mask;	    /* signal mask of this process before command_spawn() */
	int asked;	    /* signal that interrupted command_wait(); 0: none */
	bool child_ignored; /* true if iospan was started with SIGCHLD ignored */
};

enum charge { CHARGE_AUTO, CHARGE_KERNEL, CHARGE_TASK };

/* Makes the session's cgroups below @parent (NULL: below the cgroup of this process). The cleanup
 * process removes them if this process ends before session_end(). @memory limits the command's
 * memory, including its page cache, in bytes; 0: no limit. Returns 0 or -errno; prints the
 * error. */
int session_begin(struct session *s, const char *parent, enum charge charge, u64 memory);

/* Sets in @o the cgroups that the tracer measures. Also sets the attribution of I/O: to the cgroup
 * that the kernel charges, or to the cgroup of the submitting task. */
void session_target(const struct session *s, struct tracer_options *o);

/* Moves this process into the session's cgroups. This process must be a child of the process that
 * called session_begin(). Returns 0 or -errno; prints nothing. */
int session_enter(const struct session *s);

/* Paths of the session's cgroups, one per hierarchy; "": there is no such cgroup. A process that is
 * not a child of iospan needs these paths to enter the cgroups. */
struct session_groups {
	struct cgroup of[SESSION_GROUPS];
};
void session_groups(const struct session *s, struct session_groups *g);

/* Moves the calling process into the cgroups @to. Stores its previous cgroups in @from, unless
 * @from is NULL. Returns 0 or -errno; prints nothing. */
int session_move(const struct session_groups *to, struct session_groups *from);

/* Removes the session's cgroups and restores the signal mask. Returns the number of processes that
 * were still in the cgroups and were moved out. If a cgroup cannot be removed, prints a warning and
 * returns -errno. Does nothing if @s is zeroed or was ended before. */
int session_end(struct session *s);

#endif
