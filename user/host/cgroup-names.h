/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes readable names of containers, pods and systemd units from paths of cgroups. */
#ifndef IOSPAN_CGROUP_NAMES_H
#define IOSPAN_CGROUP_NAMES_H

#include <limits.h>
#include <stdbool.h>

#define CGROUP_CONTAINER_ID 64 /* hexadecimal digits in the id of a container */
/* length of the id of a pod; ids of static pods have 32 digits and no '-' */
#define CGROUP_POD_ID_MIN 32
#define CGROUP_POD_ID_MAX 36

/* Returns the readable name of a cgroup, such as "docker:web" for
 * "/system.slice/docker-0123456789ab....scope". The name has each container, pod and systemd unit
 * in @path. If @path continues after the last of these, the name ends with the rest of @path.
 * @names is the result of container_names(). If @names is "", the container is shown by its id:
 * "docker:0123456789ab". Returns NULL if @path has no container, pod or unit. The caller frees the
 * name. */
char *cgroup_name(const char *path, const char *names);

/* The ids that cgroup_ids() finds in the path of a cgroup: of the first pod and of the first
 * container. */
struct cgroup_ids {
	char pod[CGROUP_POD_ID_MAX + 1];	 /* "": none */
	char container[CGROUP_CONTAINER_ID + 1]; /* "": none */
	/* name of the container, if the path has its name instead of its id; "": none */
	char name[NAME_MAX + 1];
	bool has_user;
	unsigned uid; /* user who runs the container, if has_user */
	/* true: the cgroup is below the cgroup of its container. If it has no container: it is
	 * below the cgroup of its pod. */
	bool below;
};
struct cgroup_ids cgroup_ids(const char *path);

/* Parts of "NAMESPACE/POD/CONTAINER", the text that container_names() returns. */
enum cgroup_names_part { CGROUP_NAMESPACE, CGROUP_POD, CGROUP_CONTAINER, CGROUP_NAMES_PARTS };
extern const char *const cgroup_names_parts[CGROUP_NAMES_PARTS + 1];

/* Returns one part of @names, such as the pod for CGROUP_POD. @names is the result of
 * container_names() for the cgroup @path. The caller frees the text. Special cases:
 *
 * - The part is unknown: returns "".
 * - Only the name of the container is unknown: returns the start of the container's id.
 * - The cgroup is below the cgroup of a container or pod: returns "". So a table shows the names of
 *   a container only once. */
char *cgroup_names_part(const char *path, const char *names, enum cgroup_names_part part);

#endif
