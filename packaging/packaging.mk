# SPDX-License-Identifier: GPL-2.0-or-later
# Makes the tarball, the packages and the release. The Makefile includes this file.

# Debian packages that "make deb" needs beside BUILD_DEPS.
PACKAGE_DEPS := debhelper dpkg-dev libmpich-dev python3-docutils

dist: ## make the tarball build/iospan-VERSION.tar.gz from the last commit
	$Qpackaging/dist.sh $(VERSION) build

# Unpacks the tarball in build/$(1).
unpack = rm -rf build/$(1) && mkdir -p build/$(1) && tar -xzf build/iospan-$(VERSION).tar.gz -C build/$(1)

deb: dist ## build the Debian packages in build/deb
	$Qtests/deps.sh $(BUILD_DEPS) $(PACKAGE_DEPS)
	$Q$(call unpack,deb)
	$Qcd build/deb/iospan-$(VERSION) && \
		env -u MAKEFLAGS -u MAKELEVEL -u MAKEOVERRIDES dpkg-buildpackage -us -uc -b
	$Qls build/deb/*.deb

# The distribution's rpm does not know the packages that are installed here, hence --nodeps.
rpm: dist ## build the RPM packages in build/rpm
	$Qtests/deps.sh $(BUILD_DEPS) $(PACKAGE_DEPS) rpm
	$Qenv -u MAKEFLAGS -u MAKELEVEL -u MAKEOVERRIDES rpmbuild -ta --nodeps \
		--define "_topdir $(abspath build/rpm)" build/iospan-$(VERSION).tar.gz
	$Qls build/rpm/RPMS/*/*.rpm

check-deb: dist ## the Debian packages: built in clean roots, installed in others or a VM, purged
	$Qtests/deps.sh $(ARM64_DEPS)
	$Q$(arm64_root) && IOSPAN_VM_ROOT="$$root" tests/run $(select) --limit 7200 tests/packages/deb.sh

# systemd changes the cgroups and disks of its VM, so no other test runs there.
check-systemd: deps-vm ## the unit of the exporter, started by systemd in a VM with Linux 6.12
	$Q$(MAKE) --no-print-directory $(jobs) build-tests
	$Qtests/run $(select) --vm 6.12 tests/vm/unit.py

release: ## make, test and tag the release VERSION; push nothing
	$Qpackaging/release.sh $(VERSION)

.PHONY: dist deb rpm check-deb check-systemd release
