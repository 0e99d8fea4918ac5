/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes readable names of cgroups from their paths: of containers, pods and systemd units. */
#ifndef IOSPAN_CGROUP_NAMES_H
#define IOSPAN_CGROUP_NAMES_H

/* Returns the readable name of a cgroup, such as "docker:0123456789ab" for
 * "/system.slice/docker-0123456789ab....scope". The name has every container, pod and unit in
 * @path, outermost first, and then the rest of the path unchanged. Returns NULL if @path has none
 * of these. The caller frees the name. */
char *cgroup_name(const char *path);

#endif
