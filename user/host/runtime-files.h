/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the names of containers from files of the kubelet, Docker and Podman. A source is a file or
 * directory with the names of many containers. A user may have made such a file to attack iospan.
 * So iospan follows no link that the user could have made, opens files without waiting, and limits
 * their size. */
#ifndef IOSPAN_HOST_RUNTIME_FILES_H
#define IOSPAN_HOST_RUNTIME_FILES_H

#include <stdbool.h>
#include <sys/types.h>

#define RUNTIME_ROOT (-1L) /* value for a uid: the files belong to the system, not to a user */

/* Called for each name found. @id is the id of a container or of a Kubernetes pod. @names is
 * "NAMESPACE/POD/CONTAINER", in which an unknown part is empty. */
typedef void runtime_found(void *arg, const char *id, const char *names);

struct runtime_source {
	/* Path of the file or directory. If .of_users is false, it is relative to the root
	 * directory (runtime_set_root()). If .of_users is true:
	 *
	 * - the file of the system is relative to var/lib in the root directory
	 * - the file of a user is relative to ~/.local/share */
	const char *path;
	bool of_users; /* true: the system and each user may have such a file */
	void (*read)(int fd, runtime_found *found, void *arg);
};

/* All sources, in the order in which they are searched. The last element has path NULL. */
extern const struct runtime_source runtime_sources[];

/* Sets the root directory, below which files of the system are opened. The default is "/". Returns
 * 0 or -errno. */
int runtime_set_root(const char *path);

/* Returns true if this user may list the containers of Docker and Podman. */
bool runtime_is_readable(void);

/* Opens the source @s of user @uid. If @uid is RUNTIME_ROOT, opens the source of the system.
 * Returns a descriptor or -errno. */
int runtime_open(const struct runtime_source *s, long uid);

/* Reads the file of the Docker container @id, which user @uid runs. If @uid is RUNTIME_ROOT, reads
 * the file of a container of the system. If the file has a name of the container, calls @found with
 * the name. */
void runtime_docker(long uid, const char *id, runtime_found *found, void *arg);

/* Returns true if @name can be the name of a container, pod or namespace: letters, digits, '.', '_'
 * and '-'. */
bool runtime_is_name(const char *name);

#endif
