/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Readable names of cgroups: the container, pod or systemd unit that the path shows. */
#ifndef IOSPAN_CGROUP_NAMES_H
#define IOSPAN_CGROUP_NAMES_H

/* Returns "docker:0123456789ab" for "/system.slice/docker-0123456789ab....scope". A name has every
 * container, pod and unit in the path, outermost first, then the rest of the path unchanged.
 * Returns NULL if the path has none of these. The caller frees the name. */
char *cgroup_name(const char *path);

#endif
