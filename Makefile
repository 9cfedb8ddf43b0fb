# make demo   everything from set-up to reading sample photographs
# make test   set-up and every check
# make lint   style and types only
# make test-camera    the Pi camera's adapter on the real Picamera2 and virtual cameras (root)
# make test-firmware  the Pi's install script in a Debian root (root)
# make words  gather the pages' words, and compile their translations
# Tests run on two cores; make JOBS=4 test takes more
# Python: python3 where it is 3.11 to 3.13, else the newest of these; or make PYTHON=/path/to/python3

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null \
	&& echo $$p && break; done)
JOBS ?= 2
RUN := .venv/bin/python -m
VISION := .venv/bin/sonora-vision
READY := .venv/installed.stamp

.PHONY: help demo test lint words clean real-picamera2 test-camera test-firmware
.DELETE_ON_ERROR:

help:
	@sed -n 's/^# \?//p; /^$$/q' Makefile

demo: $(READY)
	rm -rf demo_output
	$(VISION) calibrate sample_images/mesa --out demo_output/mesa.profile
	$(VISION) read sample_images/mesa/photos --profile demo_output/mesa.profile \
		--json demo_output/readings --annotate demo_output/pictures
	@echo
	@echo 'What was seen is drawn in:'
	@ls -1 demo_output/pictures/*.png | sed 's/^/  /'
	@echo
	@echo 'A whole round in the browser, with these photographs as the camera:'
	@echo '  $(VISION) serve --profile demo_output/mesa.profile --data demo_output/table \'
	@echo '      --camera sample_images/mesa/photos --hold 0 --host 0.0.0.0'
	@echo 'It says where it is and the PIN to sign in with. Begin a game there, let phones scan its codes,'
	@echo 'press "Read now" when you like what lies there ("Next photo" shows another table), settle, record.'

test: lint node_modules/axe-core
	@command -v chromium >/dev/null || command -v google-chrome >/dev/null || \
		echo '*** chromium is not installed: the pages are NOT tested in a browser (apt install chromium chromium-driver) ***'
	@command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || \
		echo '*** PostgreSQL is not installed: a database of a club is NOT tested (apt install postgresql) ***'
	$(RUN) pytest -n $(JOBS) --dist loadfile

node_modules/axe-core:
	@command -v npm >/dev/null && \
		npm install --prefix . --no-save --no-package-lock --no-audit --no-fund --silent axe-core@4.14.1 || \
		echo '*** axe-core is not installed: the accessibility of the pages is NOT tested (it needs npm) ***'

lint: $(READY)
	$(RUN) ruff check .
	$(RUN) ruff format --check .
	$(RUN) mypy

WORDS := sonora_vision/web/translations
BABEL := .venv/bin/pybabel -q

words: $(READY)
	$(BABEL) extract -F $(WORDS)/babel.cfg -k lazy_gettext -k phrase --no-location --sort-output \
		-o $(WORDS)/messages.pot .
	$(BABEL) update -i $(WORDS)/messages.pot -d $(WORDS) --no-fuzzy-matching --ignore-obsolete \
		--ignore-pot-creation-date --width 100
	$(BABEL) compile -d $(WORDS)
	rm $(WORDS)/messages.pot

real-picamera2: $(READY)
	@sh tests/camera/install_real_picamera2.sh .venv/bin/python .venv/picamera2 || test $$? = 3

test-camera: real-picamera2
	$(RUN) pytest -q tests/camera
	sh tests/camera/virtual/run.sh .venv/debian13

test-firmware: $(READY)
	SONORA_TEST_FIRMWARE=1 $(RUN) pytest -q -rs tests/firmware

clean:
	rm -rf demo_output dist .pytest_cache .mypy_cache .ruff_cache

$(READY): pyproject.toml | .venv/bin/python
	.venv/bin/python -m pip --version >/dev/null 2>&1 || .venv/bin/python -m ensurepip
	.venv/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

.venv/bin/python:
	@test -n '$(PYTHON)' || { echo 'make: Python 3.11, 3.12 or 3.13 is needed and was not found; on Debian: sudo apt install python3 python3-venv' >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { v=$$($(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
		echo "make: $(PYTHON) comes without venv; on Debian: sudo apt install python3-venv (or python$$v-venv)" >&2; exit 1; }
	$(PYTHON) -m venv .venv
