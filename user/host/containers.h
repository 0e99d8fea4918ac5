/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the names of the container and pod of a cgroup. No container daemon is needed, because the
 * names are read from files (runtime-files.h). */
#ifndef IOSPAN_HOST_CONTAINERS_H
#define IOSPAN_HOST_CONTAINERS_H

/* Returns the names for the cgroup @path, as "NAMESPACE/POD/CONTAINER". An unknown part is empty.
 * If all parts are unknown, returns "". A cgroup below the cgroup of a container has the names of
 * the container. The caller frees the text.
 *
 * Names are cached. If an id is not in the cache, iospan reads the files that have changed since
 * they were read last. An id without a name is looked up again after 1 second, and then after waits
 * that double up to 64 seconds. */
char *container_names(const char *path);

/* Returns the readable name of the cgroup @path (cgroup_name()), with the names of its container.
 * If the cgroup has no readable name, returns a copy of @path. The caller frees the text. */
char *container_title(const char *path);

/* Prints a warning if this user may not read the names of containers of Docker or Podman. */
void containers_warn(void);

/* Empties the cache. From now on, files of the system are read below the directory @root, not below
 * "/". Returns 0 or -errno. */
int containers_reset(const char *root);

#endif
