/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the names of containers from the files of the kubelet, Docker and Podman. The files may be
 * hostile: no file is opened through a link, no open waits, and sizes are limited. */
#ifndef IOSPAN_HOST_RUNTIME_FILES_H
#define IOSPAN_HOST_RUNTIME_FILES_H

#include <stdbool.h>
#include <sys/types.h>

#define RUNTIME_ROOT (-1L) /* instead of a uid: files of the system, not of a user */

/* Called for each name found: @id is that of a container or a Kubernetes pod, and @names is
 * "NAMESPACE/POD/CONTAINER", in which an unknown part is empty. */
typedef void runtime_found(void *arg, const char *id, const char *names);

struct runtime_source {
	const char *path; /* below the root, or below the data directory of a user */
	bool of_users;	  /* users have the file as well as the system */
	void (*read)(int fd, runtime_found *found, void *arg);
};

/* Directories and files with many names; the last element has no path. */
extern const struct runtime_source runtime_sources[];

/* Sets the directory below which the files of the system are; "/" at first. Returns 0 or -errno. */
int runtime_set_root(const char *path);

/* Opens a source for the user @uid or for RUNTIME_ROOT. Returns a descriptor or -errno. */
int runtime_open(const struct runtime_source *s, long uid);

/* Looks for the file of the Docker container @id. */
void runtime_docker(long uid, const char *id, runtime_found *found, void *arg);

/* Returns true if @name can be the name of a container, pod or namespace: letters, digits, '.', '_'
 * and '-'. */
bool runtime_is_name(const char *name);

#endif
