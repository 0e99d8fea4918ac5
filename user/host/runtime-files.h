/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the names of containers from the files of the kubelet, Docker and Podman (sources). A user
 * may have made the files to attack iospan. So iospan follows no link that the user could have
 * made, opens files without waiting, and limits their size. */
#ifndef IOSPAN_HOST_RUNTIME_FILES_H
#define IOSPAN_HOST_RUNTIME_FILES_H

#include <stdbool.h>
#include <sys/types.h>

#define RUNTIME_ROOT (-1L) /* value for a uid: the files belong to the system, not to a user */

/* Called for each name found. @id is the id of a container or of a Kubernetes pod. @names is
 * "NAMESPACE/POD/CONTAINER", in which an unknown part is empty. */
typedef void runtime_found(void *arg, const char *id, const char *names);

struct runtime_source {
	/* path of the file or directory, relative to the root directory. If @of_users is true, it
	 * is relative to var/lib in the root directory or, for a user's file, to ~/.local/share. */
	const char *path;
	bool of_users; /* true: the system has such a file, and each user may have one */
	void (*read)(int fd, runtime_found *found, void *arg);
};

/* The directories and files that have the names of many containers. The last element has path
 * NULL. */
extern const struct runtime_source runtime_sources[];

/* Sets the root directory, below which the files of the system are opened. It is "/" at first.
 * Returns 0 or -errno. */
int runtime_set_root(const char *path);

/* Opens a source of the user @uid or, if @uid is RUNTIME_ROOT, of the system. Returns a descriptor
 * or -errno. */
int runtime_open(const struct runtime_source *s, long uid);

/* Looks for the file of the Docker container @id, and calls @found with the name in it. */
void runtime_docker(long uid, const char *id, runtime_found *found, void *arg);

/* Returns true if @name can be the name of a container, pod or namespace: letters, digits, '.', '_'
 * and '-'. */
bool runtime_is_name(const char *name);

#endif
