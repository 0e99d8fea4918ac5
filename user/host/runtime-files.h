/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the names of containers from the files of the kubelet, Docker and Podman. A user may have
 * made the files to attack iospan. So links that the user could have made are not followed, no
 * open(2) waits, and sizes are limited. */
#ifndef IOSPAN_HOST_RUNTIME_FILES_H
#define IOSPAN_HOST_RUNTIME_FILES_H

#include <stdbool.h>
#include <sys/types.h>

#define RUNTIME_ROOT (-1L) /* instead of a uid: files of the system, not of a user */

/* Called for each name found. @id is the id of a container or of a Kubernetes pod. @names is
 * "NAMESPACE/POD/CONTAINER", in which an unknown part is empty. */
typedef void runtime_found(void *arg, const char *id, const char *names);

struct runtime_source {
	/* path below the root directory; if @of_users is true, below var/lib there, or below
	 * ~/.local/share of a user */
	const char *path;
	bool of_users; /* true: a user can have this file as well as the system */
	void (*read)(int fd, runtime_found *found, void *arg);
};

/* The directories and files that have the names of many containers. The last element has path
 * NULL. */
extern const struct runtime_source runtime_sources[];

/* Sets the root directory, below which the files of the system are opened. It is "/" at first.
 * Returns 0 or -errno. */
int runtime_set_root(const char *path);

/* Opens a source for the user @uid or for RUNTIME_ROOT. Returns a descriptor or -errno. */
int runtime_open(const struct runtime_source *s, long uid);

/* Looks for the file of the Docker container @id, and calls @found with the name in it. */
void runtime_docker(long uid, const char *id, runtime_found *found, void *arg);

/* Returns true if @name can be the name of a container, pod or namespace: letters, digits, '.', '_'
 * and '-'. */
bool runtime_is_name(const char *name);

#endif
