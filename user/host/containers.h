/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the names of the container and pod of a cgroup. Reads them from files (runtime-files.h), so
 * it needs no container daemon. */
#ifndef IOSPAN_HOST_CONTAINERS_H
#define IOSPAN_HOST_CONTAINERS_H

/* Returns the names for the cgroup @path, as "NAMESPACE/POD/CONTAINER". An unknown part is empty.
 * If all parts are unknown, returns "". A cgroup below the cgroup of a container has the names of
 * the container. The caller frees the text.
 *
 * Answers are cached. Files are read only for an unknown id, and only if they have changed; an id
 * without a name is looked up again after 1 s to 64 s. */
char *container_names(const char *path);

/* Returns the readable name of the cgroup @path (cgroup_name()), with the names of its container.
 * If the cgroup has no readable name, returns a copy of @path. The caller frees the text. */
char *container_title(const char *path);

/* Empties the cache. From now on, files of the system are read below the directory @root, not below
 * "/". Returns 0 or -errno. */
int containers_reset(const char *root);

#endif
