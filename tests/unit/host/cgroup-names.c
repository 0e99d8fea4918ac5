// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the names that reports show for cgroups of containers, pods and units, from paths as
 * Docker, Kubernetes and others create them. */
#include <stdlib.h>

#include "user/host/cgroup-names.h"
#include "tests/lib/harness.h"

#define ID "3f4e1a9c0b7d5e6f8a9b0c1d2e3f405162738495a6b7c8d9eafb0c1d2e3f4051"
#define ID2 "a0b1c2d3e4f5061728394a5b6c7d8e9f00112233445566778899aabbccddeeff"
#define POD "8dbc0577-d0e2-4706-8787-57d52c03ddf2"
#define POD_ "8dbc0577_d0e2_4706_8787_57d52c03ddf2"

#define EXPECT_NAME(path, text) \
	do { \
		char *name = cgroup_name(path, ""); \
\
		EXPECT_STR(name, text); \
		free(name); \
	} while (0)
#define EXPECT_PATH(path) \
	do { \
		char *name = cgroup_name(path, ""); \
\
		EXPECT_TRUE(!name); \
		free(name); \
	} while (0)

TEST(docker)
{
	EXPECT_NAME("/system.slice/docker-" ID ".scope", "docker:3f4e1a9c0b7d");
	EXPECT_NAME("/docker/" ID, "docker:3f4e1a9c0b7d");
	EXPECT_NAME("/system.slice:docker:" ID, "docker:3f4e1a9c0b7d");
	EXPECT_NAME("/docker/buildkit/qk3v0x1u4r0c", "buildkit:qk3v0x1u4r0c");
	EXPECT_NAME("/user.slice/user-1000.slice/user@1000.service/user.slice/docker-" ID ".scope",
		    "user:1000/docker:3f4e1a9c0b7d");
	EXPECT_NAME("/docker/" ID "/docker/" ID2, "docker:3f4e1a9c0b7d/docker:a0b1c2d3e4f5");
	EXPECT_PATH("/docker");
}

TEST(podman)
{
	EXPECT_NAME("/machine.slice/libpod-" ID ".scope", "podman:3f4e1a9c0b7d");
	EXPECT_NAME("/machine.slice/libpod-" ID ".scope/container",
		    "podman:3f4e1a9c0b7d/container");
	EXPECT_NAME("/machine.slice/libpod-conmon-" ID ".scope", "podman-conmon:3f4e1a9c0b7d");
	EXPECT_NAME("/libpod_parent/libpod-" ID, "podman:3f4e1a9c0b7d");
	EXPECT_NAME("/libpod_parent/" ID2 "/libpod-" ID,
		    "podman-pod:a0b1c2d3e4f5/podman:3f4e1a9c0b7d");
	EXPECT_NAME("/machine.slice/machine-libpod_pod_" ID2 ".slice/libpod-" ID ".scope",
		    "podman-pod:a0b1c2d3e4f5/podman:3f4e1a9c0b7d");
	EXPECT_NAME("/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" ID
		    ".scope/container",
		    "user:1000/podman:3f4e1a9c0b7d/container");
}

TEST(kubernetes_with_the_driver_of_systemd)
{
	EXPECT_NAME("/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" POD_
		    ".slice/cri-containerd-" ID ".scope",
		    "pod:" POD "/containerd:3f4e1a9c0b7d");
	EXPECT_NAME("/kubepods.slice/kubepods-pod" POD_ ".slice/crio-" ID ".scope",
		    "pod:" POD "/cri-o:3f4e1a9c0b7d");
	EXPECT_NAME("/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod" POD_
		    ".slice/docker-" ID ".scope",
		    "pod:" POD "/docker:3f4e1a9c0b7d");
	EXPECT_NAME("/kubepods.slice/kubepods-pod" POD_ ".slice", "pod:" POD);
	/* the tool "kind" runs a Kubernetes node in a Docker container */
	EXPECT_NAME("/system.slice/docker-" ID2 ".scope/kubelet.slice/kubelet-kubepods.slice/"
		    "kubelet-kubepods-burstable.slice/kubelet-kubepods-burstable-pod" POD_
		    ".slice/cri-containerd-" ID ".scope",
		    "docker:a0b1c2d3e4f5/pod:" POD "/containerd:3f4e1a9c0b7d");
	/* a static pod, which has the hash of its file as id */
	EXPECT_NAME("/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod"
		    "a15ac7a0c1ed49da9ddb1fc3bdda8a1c.slice/cri-containerd-" ID ".scope",
		    "pod:a15ac7a0c1ed49da9ddb1fc3bdda8a1c/containerd:3f4e1a9c0b7d");
	EXPECT_PATH("/kubepods.slice/kubepods-burstable.slice");
}

TEST(kubernetes_with_the_driver_of_cgroupfs)
{
	EXPECT_NAME("/kubepods/burstable/pod" POD "/" ID, "pod:" POD "/container:3f4e1a9c0b7d");
	EXPECT_NAME("/kubepods/pod" POD "/crio-" ID, "pod:" POD "/cri-o:3f4e1a9c0b7d");
	EXPECT_NAME("/kubepods/besteffort/pod" POD, "pod:" POD);
	EXPECT_NAME("/system.slice/containerd.service/kubepods-burstable-pod" POD_
		    ".slice:cri-containerd:" ID,
		    "containerd.service/pod:" POD "/containerd:3f4e1a9c0b7d");
	EXPECT_PATH("/kubepods/besteffort");
}

TEST(containerd_without_kubernetes)
{
	EXPECT_NAME("/system.slice/nerdctl-" ID ".scope", "nerdctl:3f4e1a9c0b7d");
	EXPECT_NAME("/default/" ID, "container:3f4e1a9c0b7d");
	EXPECT_NAME("/ecs/9781c248a1c4/" ID, "ecs:9781c248a1c4/container:3f4e1a9c0b7d");
}

TEST(machines)
{
	EXPECT_NAME("/lxc.payload.web/system.slice/nginx.service", "lxc:web/nginx.service");
	EXPECT_NAME("/lxc/web", "lxc:web");
	EXPECT_NAME("/machine.slice/machine-debian.scope/payload", "machine:debian/payload");
	EXPECT_NAME("/machine.slice/machine-qemu\\x2d3\\x2dmail.scope/libvirt/vcpu0",
		    "qemu:3-mail/libvirt/vcpu0");
	EXPECT_NAME("/machine.slice/systemd-nspawn@web.service/payload", "machine:web/payload");
}

TEST(units)
{
	EXPECT_NAME("/system.slice/nginx.service", "nginx.service");
	EXPECT_NAME("/init.scope", "init.scope");
	EXPECT_NAME("/system.slice/a\\x9b\\x00b.service", "a\\x9b\\x00b.service");
	EXPECT_NAME("/user.slice/user-1000.slice/session-3.scope", "user:1000/session-3.scope");
	EXPECT_NAME("/user.slice/user-1000.slice/user@1000.service/app.slice/app-a\\x2db.scope",
		    "user:1000/app-a-b.scope");
	EXPECT_NAME("/system.slice/system-getty.slice/getty@tty1.service", "getty@tty1.service");
	EXPECT_NAME("/system.slice/docker.service", "docker.service");
	EXPECT_NAME("/system.slice/run-user.mount", "run-user.mount");
	EXPECT_PATH("/system.slice");
}

#define EXPECT_NAMED(path, names, text) \
	do { \
		char *name = cgroup_name(path, names); \
\
		EXPECT_STR(name, text); \
		free(name); \
	} while (0)

TEST(names_replace_the_ids_of_the_first_container_and_its_pod)
{
	EXPECT_NAMED("/kubepods/burstable/pod" POD "/" ID, "shop/web-0/nginx",
		     "pod:shop/web-0/container:nginx");
	EXPECT_NAMED("/kubepods/burstable/pod" POD "/" ID, "shop/web-0/",
		     "pod:shop/web-0/container:3f4e1a9c0b7d");
	EXPECT_NAMED("/kubepods/burstable/pod" POD, "shop/web-0/", "pod:shop/web-0");
	EXPECT_NAMED("/docker/" ID "/docker/" ID2, "//web", "docker:web/docker:a0b1c2d3e4f5");
	EXPECT_NAMED("/docker/" ID "/pod" POD, "a/b/web", "docker:web/pod:" POD);
	EXPECT_NAMED("/machine.slice/machine-libpod_pod_" ID2 ".slice/libpod-" ID ".scope", "//web",
		     "podman-pod:a0b1c2d3e4f5/podman:web");
	EXPECT_NAMED("/machine.slice/libpod-conmon-" ID ".scope", "//web",
		     "podman-conmon:3f4e1a9c0b7d");
	EXPECT_NAMED("/lxc.payload.db/a.service", "//db", "lxc:db/a.service");
}

#define EXPECT_IDS(path, pod_id, container_id, own_name, is_below) \
	do { \
		struct cgroup_ids ids = cgroup_ids(path); \
\
		EXPECT_STR(ids.pod, pod_id); \
		EXPECT_STR(ids.container, container_id); \
		EXPECT_STR(ids.name, own_name); \
		EXPECT_EQ(ids.below, is_below); \
	} while (0)

TEST(ids_are_those_of_the_first_container_and_its_pod)
{
	EXPECT_IDS("/kubepods/burstable/pod" POD, POD, "", "", false);
	EXPECT_IDS("/kubepods/burstable/pod" POD "/crio-conmon-" ID, POD, "", "", true);
	EXPECT_IDS("/kubepods/pod" POD "/" ID, POD, ID, "", false);
	EXPECT_IDS("/kubepods/pod" POD "/" ID "/a", POD, ID, "", true);
	EXPECT_IDS("/docker/" ID "/pod" POD "/" ID2, "", ID, "", true);
	EXPECT_IDS("/lxc.payload.web", "", "", "web", false);
	EXPECT_IDS("/lxc.payload.web/docker/" ID, "", "", "web", true);
	EXPECT_IDS("/system.slice/nginx.service", "", "", "", false);
	EXPECT_IDS("/", "", "", "", false);
}

TEST(the_user_is_that_of_the_slice_at_the_top)
{
	EXPECT_EQ(cgroup_ids("/user.slice/user-1000.slice/docker-" ID ".scope").uid, 1000);
	EXPECT_TRUE(cgroup_ids("/user.slice/user-1000.slice/docker-" ID ".scope").has_user);
	EXPECT_TRUE(!cgroup_ids("/a/user.slice/user-1000.slice/docker-" ID ".scope").has_user);
	EXPECT_TRUE(!cgroup_ids("/user.slice/user-1000.slices/docker-" ID ".scope").has_user);
}

#define EXPECT_PART(path, names, part, text) \
	do { \
		char *name = cgroup_names_part(path, names, part); \
\
		EXPECT_STR(name, text); \
		free(name); \
	} while (0)

TEST(each_container_has_its_names_once)
{
	EXPECT_PART("/kubepods/pod" POD "/" ID, "shop/web-0/nginx", CGROUP_NAMESPACE, "shop");
	EXPECT_PART("/kubepods/pod" POD "/" ID, "shop/web-0/nginx", CGROUP_POD, "web-0");
	EXPECT_PART("/kubepods/pod" POD "/" ID, "shop/web-0/nginx", CGROUP_CONTAINER, "nginx");
	EXPECT_PART("/kubepods/pod" POD "/" ID "/a", "shop/web-0/nginx", CGROUP_CONTAINER, "");
	EXPECT_PART("/kubepods/pod" POD, "shop/web-0/", CGROUP_POD, "web-0");
	EXPECT_PART("/kubepods/pod" POD, "shop/web-0/", CGROUP_CONTAINER, "");
	EXPECT_PART("/docker/" ID, "//web", CGROUP_NAMESPACE, "");
	EXPECT_PART("/docker/" ID, "//web", CGROUP_POD, "");
	EXPECT_PART("/docker/" ID, "//web", CGROUP_CONTAINER, "web");
	/* a container without a name is shown by the start of its id */
	EXPECT_PART("/docker/" ID, "", CGROUP_CONTAINER, "3f4e1a9c0b7d");
	EXPECT_PART("/docker/" ID, "", CGROUP_POD, "");
	EXPECT_PART("/docker/" ID "/a", "", CGROUP_CONTAINER, "");
	EXPECT_PART("/kubepods/pod" POD "/" ID, "shop/web-0/", CGROUP_CONTAINER, "3f4e1a9c0b7d");
	EXPECT_PART("/system.slice/web.service", "", CGROUP_CONTAINER, "");
	/* a damaged trace may have names like these */
	EXPECT_PART("/docker/" ID, "web", CGROUP_POD, "");
	EXPECT_PART("/docker/" ID, "a/b", CGROUP_CONTAINER, "3f4e1a9c0b7d");
}

/* A path that only resembles those of Docker or Kubernetes must be shown unchanged. */
TEST(what_is_not_known_keeps_its_path)
{
	EXPECT_PATH("/default/" ID ".bak");
	EXPECT_PATH("/machine.slice/libpod-" ID "-extra");
	EXPECT_PATH("/");
	EXPECT_PATH("");
	EXPECT_PATH("/job/a");
	EXPECT_PATH("/docker/" ID "0");
	EXPECT_PATH("/docker/3f4e1a9c0b7d");
	EXPECT_PATH("/kubepods/pod8dbc0577");
	EXPECT_PATH("/kubepods/pod" POD "0");
	EXPECT_PATH("/.service");
	EXPECT_PATH("/lxc.payload.");
	EXPECT_PATH("/%h/*");
	EXPECT_NAME("/a/b.scope/c/d", "b.scope/c/d");
	EXPECT_NAME("/a\\x2.scope", "a\\x2.scope");
	EXPECT_NAME("/a\\xzz.scope", "a\\xzz.scope");
}

TEST_MAIN
