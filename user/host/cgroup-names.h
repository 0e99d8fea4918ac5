/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What people call a cgroup: its container, pod or systemd unit, from its path. */
#ifndef IOSPAN_CGROUP_NAMES_H
#define IOSPAN_CGROUP_NAMES_H

/* "docker:0123456789ab" for "/system.slice/docker-0123456789ab....scope": each part of the path
 * that is a container, pod or unit, from the outermost on, and what lies below the last one as
 * it is. NULL: nothing in it is known. The caller frees it. */
char *cgroup_name(const char *path);

#endif
