/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes readable names of containers, pods and systemd units from paths of cgroups. */
#ifndef IOSPAN_CGROUP_NAMES_H
#define IOSPAN_CGROUP_NAMES_H

/* Returns the readable name of a cgroup, such as "docker:0123456789ab" for
 * "/system.slice/docker-0123456789ab....scope". It has each container, pod and unit in @path, then
 * the rest of the path. NULL: @path has none of these. The caller frees the name. */
char *cgroup_name(const char *path);

#endif
