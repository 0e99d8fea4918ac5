// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests the names of containers from trees of files as the kubelet, Docker and Podman write them,
 * and from hostile ones. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/lib/harness.h"
#include "user/host/containers.h"

#define ID "3f4e1a9c0b7d5e6f8a9b0c1d2e3f405162738495a6b7c8d9eafb0c1d2e3f4051"
#define ID2 "a0b1c2d3e4f5061728394a5b6c7d8e9f00112233445566778899aabbccddeeff"
#define POD "8dbc0577-d0e2-4706-8787-57d52c03ddf2"
#define POD_ "8dbc0577_d0e2_4706_8787_57d52c03ddf2"
#define STATIC_POD "a15ac7a0c1ed49da9ddb1fc3bdda8a1c"

#define SLICE "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" POD_ ".slice"
#define IN_POD SLICE "/cri-containerd-" ID ".scope"
#define DOCKER "/system.slice/docker-" ID ".scope"
#define PODMAN "/machine.slice/libpod-" ID ".scope"
#define OF_USER "/user.slice/user-1234.slice/user@1234.service/user.slice/libpod-" ID ".scope"

#define DOCKER_FILE "var/lib/docker/containers/" ID "/config.v2.json"
#define PODMAN_FILE "var/lib/containers/storage/overlay-containers/containers.json"
#define USER_FILE "home/u/.local/share/containers/storage/overlay-containers/containers.json"
#define LINK "var/log/containers/web-0_shop_nginx-" ID ".log"

static void make_above(const char *path)
{
	char copy[PATH_MAX];

	snprintf(copy, sizeof(copy), "%s", path);
	for (char *slash = copy; (slash = strchr(slash, '/')); *slash++ = '/') {
		*slash = '\0';
		mkdir(copy, 0755);
	}
}

static void put(const char *path, const char *text)
{
	make_above(path);
	scratch_put(path, text);
}

static void put_link(const char *path)
{
	make_above(path);
	ASSERT_EQ(symlink("/var/log/pods/nowhere/0.log", path), 0);
}

static void put_dir(const char *path)
{
	make_above(path);
	ASSERT_EQ(mkdir(path, 0755), 0);
}

static char root[PATH_MAX];

/* Enters a new directory, which stands for the root directory of the host. */
static void begin(void)
{
	char name[] = "rootXXXXXX";

	scratch_enter();
	ASSERT_TRUE(mkdtemp(name) && !chdir(name));
	ASSERT_TRUE(getcwd(root, sizeof(root)) != NULL);
	ASSERT_EQ(containers_reset(root), 0);
}

#define EXPECT_NAMES(path, text) \
	do { \
		char *names = container_names(path); \
\
		EXPECT_STR(names, text); \
		free(names); \
	} while (0)

TEST(kubernetes_has_namespace_pod_and_container)
{
	begin();
	put_link(LINK);
	put_link("var/log/containers/web-0_shop_log.1-" ID2 ".log");
	put_dir("var/log/pods/shop_web-0_" POD "/nginx");
	put_dir("var/log/pods/kube-system_etcd-node1_" STATIC_POD);
	EXPECT_NAMES(SLICE, "shop/web-0/");
	EXPECT_NAMES(IN_POD, "shop/web-0/nginx");
	EXPECT_NAMES(IN_POD "/a", "shop/web-0/nginx");
	EXPECT_NAMES(SLICE "/crio-" ID2 ".scope", "shop/web-0/log.1");
	EXPECT_NAMES("/kubepods/besteffort/pod" POD "/" ID, "shop/web-0/nginx");
	EXPECT_NAMES("/kubepods/pod" STATIC_POD, "kube-system/etcd-node1/");
}

/* Each pod of Kubernetes has a container "POD", which has no link in /var/log/containers. For this
 * container, iospan must show only the names of the namespace and the pod. */
TEST(a_container_without_a_link_has_its_pod)
{
	begin();
	put_dir("var/log/pods/shop_web-0_" POD);
	EXPECT_NAMES(IN_POD, "shop/web-0/");
}

TEST(a_pod_without_a_directory_is_known_by_its_containers)
{
	begin();
	put_link(LINK);
	EXPECT_NAMES(SLICE, "");
	EXPECT_NAMES(IN_POD, "shop/web-0/nginx");
}

/* CRI-O also keeps its containers in the store of Podman, where their names are longer. For a
 * container of Kubernetes, iospan must use the names of the kubelet instead. */
TEST(names_of_the_kubelet_precede_those_of_a_runtime)
{
	begin();
	put_link(LINK);
	put_dir("var/log/pods/shop_web-0_" POD);
	put(PODMAN_FILE,
	    "[{\"id\":\"" ID "\",\"names\":[\"k8s_nginx_web-0_shop\"]},"
	    "{\"id\":\"" ID2 "\",\"names\":[\"k8s_POD_web-0_shop\"]}]");
	EXPECT_NAMES(SLICE "/crio-" ID ".scope", "shop/web-0/nginx");
	EXPECT_NAMES(SLICE "/crio-" ID2 ".scope", "shop/web-0/");
}

TEST(docker)
{
	begin();
	put(DOCKER_FILE,
	    "{\"StreamConfig\":{},\"State\":{\"Running\":true,\"Pid\":4242},"
	    "\"ID\":\"" ID "\",\"Created\":\"2026-01-01T10:00:00.5Z\","
	    "\"Config\":{\"Hostname\":\"3f4e1a9c0b7d\",\"Image\":\"nginx\"},"
	    "\"Name\":\"/web_1\",\"Driver\":\"overlay2\"}");
	EXPECT_NAMES(DOCKER, "//web_1");
	EXPECT_NAMES(DOCKER "/docker/" ID2, "//web_1");
	EXPECT_NAMES("/docker/" ID2, "");
}

/* /var/lib/docker may be a link with an absolute target. iospan must look for this target below the
 * root directory of the host, which may differ from the root directory of iospan. */
TEST(the_directory_of_a_system_may_be_a_link)
{
	begin();
	put("data/docker/containers/" ID "/config.v2.json", "{\"Name\":\"/web\"}");
	put_dir("var/lib");
	ASSERT_EQ(symlink("/data/docker", "var/lib/docker"), 0);
	EXPECT_NAMES(DOCKER, "//web");
}

TEST(podman)
{
	begin();
	put(PODMAN_FILE,
	    "[{\"id\":\"" ID
	    "\",\"names\":[\"db\",\"alias\"],\"image\":\"2a4b\",\"layer\":\"d212\","
	    "\"metadata\":\"{\\\"image-name\\\":\\\"localhost/"
	    "web:1\\\"}\",\"flags\":{\"MountLabel\":\"\"}}]");
	put("var/lib/containers/storage/vfs-containers/volatile-containers.json",
	    "[{\"id\":\"" ID2 "\",\"names\":[\"short\"]}]");
	EXPECT_NAMES(PODMAN, "//db");
	EXPECT_NAMES(PODMAN "/container", "//db");
	EXPECT_NAMES("/libpod_parent/libpod-" ID2, "//short");
}

TEST(containers_of_a_user_are_in_the_home_directory)
{
	begin();
	put("etc/passwd", "root:x:0:0::/root:/bin/sh\nu:x:1234:1234:,,,:/home/u:/bin/sh\n");
	put(USER_FILE, "[{\"id\":\"" ID "\",\"names\":[\"mine\"]}]");
	put("home/u/.local/share/docker/containers/" ID2 "/config.v2.json", "{\"Name\":\"/too\"}");
	EXPECT_NAMES(OF_USER, "//mine");
	EXPECT_NAMES("/user.slice/user-1234.slice/docker-" ID2 ".scope", "//too");
	EXPECT_NAMES("/user.slice/user-1235.slice/libpod-" ID ".scope", "");
	/* a name in the store of a user must not be used for a container of the system */
	EXPECT_NAMES(PODMAN, "");
}

TEST(lxc_and_machines_have_their_names_in_the_path)
{
	begin();
	EXPECT_NAMES("/lxc.payload.web", "//web");
	EXPECT_NAMES("/lxc.payload.web/system.slice/nginx.service", "//web");
	EXPECT_NAMES("/machine.slice/machine-my\\x2ddebian.scope", "//my-debian");
	EXPECT_NAMES("/lxc.payload.a b", "");
}

TEST(no_container_has_no_names)
{
	begin();
	EXPECT_NAMES("/", "");
	EXPECT_NAMES("/system.slice/nginx.service", "");
}

/* Waits until @path has the names @text, because iospan looks for new files only now and then. */
static void expect_soon(const char *path, const char *text)
{
	char *names = container_names(path);

	for (int i = 0; i < 500 && strcmp(names, text); i++) {
		free(names);
		usleep(100000);
		names = container_names(path);
	}
	EXPECT_STR(names, text);
	free(names);
}

TEST(a_name_is_found_that_is_written_later)
{
	begin();
	put_dir("var/log/containers");
	put(PODMAN_FILE, "[]");
	EXPECT_NAMES(IN_POD, "");
	EXPECT_NAMES(PODMAN, "");
	EXPECT_NAMES(DOCKER "x", "");
	put_link(LINK);
	put("new.json", "[{\"id\":\"" ID2 "\",\"names\":[\"new\"]}]");
	ASSERT_EQ(rename("new.json", PODMAN_FILE), 0);
	expect_soon(IN_POD, "shop/web-0/nginx");
	expect_soon("/machine.slice/libpod-" ID2 ".scope", "//new");
}

/* A removed container keeps its name, for the last I/O that it caused. */
TEST(a_name_stays_known)
{
	begin();
	put(DOCKER_FILE, "{\"Name\":\"/web\"}");
	EXPECT_NAMES(DOCKER, "//web");
	ASSERT_EQ(unlink(DOCKER_FILE), 0);
	EXPECT_NAMES(DOCKER, "//web");
}

/* For an unknown id, iospan reads the directory. For the next unknown id, it must not read the
 * directory again if the modification time is the same. The test adds an entry and restores the old
 * time, so iospan must not find the entry. */
TEST(a_directory_that_did_not_change_is_not_read_again)
{
	const struct timespec old[] = { { 1000000000, 0 }, { 1000000000, 0 } };

	begin();
	put_dir("var/log/containers");
	ASSERT_EQ(utimensat(AT_FDCWD, "var/log/containers", old, 0), 0);
	EXPECT_NAMES("/docker/" ID2, "");
	put_link(LINK);
	ASSERT_EQ(utimensat(AT_FDCWD, "var/log/containers", old, 0), 0);
	usleep(1200000);
	EXPECT_NAMES("/docker/" ID, "");
	ASSERT_EQ(utimensat(AT_FDCWD, "var/log/containers", NULL, 0), 0);
	expect_soon("/docker/" ID, "shop/web-0/nginx");
}

/* ---- hostile files must give no name ---- */

static void expect_no_docker(const char *text)
{
	begin();
	put(DOCKER_FILE, text);
	EXPECT_NAMES(DOCKER, "");
}

TEST(a_malformed_file_gives_no_name)
{
	expect_no_docker("");
	expect_no_docker("{");
	expect_no_docker("[]");
	expect_no_docker("\"/web\"");
	expect_no_docker("{\"Name\":7}");
	expect_no_docker("{\"Name\":\"web\"}");
	expect_no_docker("{\"Name\":\"/\"}");
	expect_no_docker("{\"Name\":\"/a\",\"Name\":\"/b\"}");
	expect_no_docker("{\"Name\":\"/a\\u0000b\"}");
}

TEST(a_name_with_other_characters_is_no_name)
{
	expect_no_docker("{\"Name\":\"/a\\u001b[31mb\"}");
	expect_no_docker("{\"Name\":\"/a\\nb\"}");
	expect_no_docker("{\"Name\":\"/a/b\"}");
	expect_no_docker("{\"Name\":\"/a\\\"b\"}");
	expect_no_docker("{\"Name\":\"/\\u202eb\"}");
}

TEST(a_huge_file_is_not_read)
{
	begin();
	put(DOCKER_FILE, "{\"Name\":\"/web\"}");
	ASSERT_EQ(truncate(DOCKER_FILE, 1LL << 40), 0);
	EXPECT_NAMES(DOCKER, "");
}

TEST(a_long_name_is_no_name)
{
	char text[400] = "{\"Name\":\"/";

	begin();
	memset(text + strlen(text), 'a', 300);
	strcat(text, "\"}");
	put(DOCKER_FILE, text);
	EXPECT_NAMES(DOCKER, "");
}

TEST(a_link_a_fifo_or_a_directory_is_no_file)
{
	begin();
	put("name", "{\"Name\":\"/web\"}");
	make_above(DOCKER_FILE);
	ASSERT_EQ(symlink("/name", DOCKER_FILE), 0);
	EXPECT_NAMES(DOCKER, "");
	begin();
	make_above(DOCKER_FILE);
	ASSERT_EQ(mkfifo(DOCKER_FILE, 0600), 0);
	EXPECT_NAMES(DOCKER, "");
	begin();
	put_dir(DOCKER_FILE);
	EXPECT_NAMES(DOCKER, "");
	begin();
	make_above("var/log/containers");
	ASSERT_EQ(mkfifo("var/log/containers", 0600), 0);
	EXPECT_NAMES(DOCKER, "");
}

/* iospan looks for a user's containers below the user's home directory. It must not follow a link
 * there, because the link could lead to the containers of other users. */
TEST(a_link_of_a_user_is_not_followed)
{
	begin();
	put("etc/passwd", "u:x:1234:1234::/home/u:/bin/sh\n");
	put(PODMAN_FILE, "[{\"id\":\"" ID "\",\"names\":[\"other\"]}]");
	put_dir("home/u/.local");
	ASSERT_EQ(symlink("../../../var/lib", "home/u/.local/share"), 0);
	EXPECT_NAMES(OF_USER, "");
	begin();
	put("etc/passwd", "u:x:1234:1234::/home/u:/bin/sh\n");
	put("other", "[{\"id\":\"" ID "\",\"names\":[\"other\"]}]");
	make_above(USER_FILE);
	ASSERT_EQ(symlink("../../../../../../../../other", USER_FILE), 0);
	EXPECT_NAMES(OF_USER, "");
}

TEST(malformed_entries_of_podman_are_skipped)
{
	begin();
	put(PODMAN_FILE,
	    "[7,null,{},[],{\"id\":\"x\",\"names\":[\"a\"]},{\"id\":\"" ID2 "\"},"
	    "{\"id\":\"" ID2 "\",\"names\":{\"a\":\"b\"}},{\"id\":\"" ID2
	    "\",\"names\":[7]},{\"id\":\"" ID "\",\"names\":[\"web\"]}]");
	EXPECT_NAMES("/docker/" ID2, "");
	EXPECT_NAMES(PODMAN, "//web");
}

TEST(malformed_entries_of_the_kubelet_are_skipped)
{
	begin();
	put_link("var/log/containers/web-0_shop_nginx-" ID);
	put_link("var/log/containers/web-0_shop_nginx-3f4e1a9c0b7d.log");
	put_link("var/log/containers/web-0_nginx-" ID ".log");
	put_link("var/log/containers/a_b_c_d-" ID ".log");
	put_link("var/log/containers/_shop_nginx-" ID ".log");
	put_link("var/log/containers/web-0_shop_-" ID ".log");
	put_link("var/log/containers/web-0_sh\x1bop_nginx-" ID ".log");
	put_link("var/log/containers/.log");
	put_dir("var/log/pods/shop_web-0");
	put_dir("var/log/pods/shop_web-0_x");
	put_dir("var/log/pods/a_shop_web-0_" POD);
	put_dir("var/log/pods/_web-0_" POD);
	put_dir("var/log/pods/sh\x1bop_web-0_" POD);
	EXPECT_NAMES(IN_POD, "");
}

/* After more ids than the cache has room for, iospan must still find names. */
TEST(the_cache_is_bounded)
{
	char path[128];

	begin();
	put(DOCKER_FILE, "{\"Name\":\"/web\"}");
	for (int i = 0; i < 40000; i++) {
		snprintf(path, sizeof(path), "/docker/%064x", i);
		EXPECT_NAMES(path, "");
	}
	EXPECT_NAMES(DOCKER, "//web");
}

TEST_MAIN
