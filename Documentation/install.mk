# SPDX-License-Identifier: GPL-2.0-or-later
# Builds the manual pages, and defines the target "install". The Makefile defines the variables.
UNITDIR ?= $(PREFIX)/lib/systemd/system

$O/man/%.1: Documentation/%.rst Documentation/man.sed
	$(call say,MAN,$@)
	$Qmkdir -p $(@D) && rst2man $< $@ && sed -i -f Documentation/man.sed $@

install: all $(if $(shell command -v rst2man),$(pages:Documentation/%.rst=$O/man/%.1))
install: ## install below DESTDIR and PREFIX
	install -D -m 755 $O/iospan $(DESTDIR)$(BINDIR)/iospan
	install -D -m 755 -t $(DESTDIR)$(LIBDIR) $(libs)
	for place in bash/bash-completion/completions/iospan zsh/zsh/site-functions/_iospan \
		fish/fish/vendor_completions.d/iospan.fish; do \
		$O/iospan completion $${place%%/*} | install -D -m 644 /dev/stdin $(DESTDIR)$(SHAREDIR)/$${place#*/}; \
	done
	install -D -m 644 -t $(DESTDIR)$(SHAREDIR)/iospan/schema $(wildcard Documentation/schema/*.json)
	install -D -m 644 -t $(DESTDIR)$(SHAREDIR)/iospan/prometheus \
		$(filter-out %.service,$(wildcard Documentation/prometheus/*))
	sed 's|/usr/local/bin/|$(BINDIR)/|' Documentation/prometheus/iospan-exporter.service | \
		install -D -m 644 /dev/stdin $(DESTDIR)$(UNITDIR)/iospan-exporter.service
	$(if $(filter %.1,$^),install -D -m 644 -t $(DESTDIR)$(MANDIR)/man1 $(filter %.1,$^))
