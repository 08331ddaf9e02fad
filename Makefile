# Everything here needs make and a C compiler; targets that need more say so.
CC ?= cc
OPT ?= -O2
FLAGS = -std=c99 $(OPT) -Wall -Wextra -pedantic
EXAMPLE_FLAGS = $(FLAGS) -Wno-missing-field-initializers -DRECORD_PAGE='"$(CURDIR)/examples/replay.html"'
OUT = build
STEPS = 1000000
FIRST = 0
COUNT = 1000000
EXAMPLES = $(patsubst examples/%.c,%,$(wildcard examples/*.c))
SUITES = $(wildcard dvc_impl_tests/*.c dvc_impl_tests/*.h)

.PHONY: help demo test test-page walk check check-machines clouds analysis examples gallery experiments soak fuzz fuzz-libfuzzer nightly bench bench-count bench-lcp bench-friction bench-peers bench-speed-peers sanitize float clean
.DEFAULT_GOAL := help

help: ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 16

$(OUT)/%: examples/%.c dvc.h examples/record.h examples/stills.h
	@mkdir -p $(OUT)
	$(CC) $(EXAMPLE_FLAGS) $< -o $@ -lm

demo: $(OUT)/03_stack ## ten boxes and a row of tiles under three contact models: makes pages for your browser
	@cd $(OUT) && ./03_stack && echo "the pages: $$(pwd)/stack.html, $$(pwd)/tiles.html" && echo "a picture: $$(pwd)/stack.svg"

examples: $(addprefix $(OUT)/,$(EXAMPLES)) ## builds and runs all examples
	@cd $(OUT) && for e in $(EXAMPLES); do echo "== $$e"; ./$$e || exit 1; done

gallery: examples ## a page with all replay pages and their pictures: build/gallery/index.html (needs python3)
	@python3 bench/page/gallery.py $(OUT)

test-page: examples ## the replay page in a real browser: needs node, python3 and chromium, no packages
	@node bench/page/page_test.mjs $(OUT)/stack.html $(OUT)/pour.html $(OUT)/conveyor.html

$(OUT)/tests: $(SUITES) dvc.h
	@mkdir -p $(OUT)
	$(CC) $(FLAGS) -Wshadow -Wconversion dvc_impl_tests/main.c -o $@ -lm

$(OUT)/clouds: dvc_impl_tests/clouds.c dvc_impl_tests/clouds.h dvc.h
	@mkdir -p $(OUT)
	$(CC) $(FLAGS) -Wshadow -Wconversion dvc_impl_tests/clouds.c -o $@ -lm

clouds: $(OUT)/clouds ## hulls of a million hard clouds of points, judged (COUNT=1000000 FIRST=0)
	@$(OUT)/clouds $(FIRST) $(COUNT)

test: $(OUT)/tests ## all tests of the engine, and the contract programs: about a minute
	@$(OUT)/tests
	@CC="$(CC)" dvc_impl_tests/check_contract.sh

check: ## layers, compilers, languages, number types, symbols, quick starts, and the same bits from all of them
	@if command -v python3 >/dev/null; then python3 dvc_impl_tests/check_layers.py; else echo "skipped layers: needs python3"; fi
	@CC="$(CC)" dvc_impl_tests/check_builds.sh
	@CC="$(CC)" dvc_impl_tests/check_bits.sh

check-machines: ## the same bits on other machines, by qemu, wine and node, from all compilers (half an hour; QUICK=quick: minutes)
	@CC="$(CC)" dvc_impl_tests/check_machines.sh $(QUICK) $(LEAST)

analysis: ## static analysers, valgrind, ThreadSanitizer, how deep calls go: clean, or with a reason in dvc_impl_tests/analysis.txt
	@CC="$(CC)" dvc_impl_tests/analysis.sh

sanitize: ## the tests under address and undefined-behaviour sanitizers
	@mkdir -p $(OUT)
	$(CC) -std=c99 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all dvc_impl_tests/main.c -o $(OUT)/tests_sanitize -lm
	@$(OUT)/tests_sanitize

$(OUT)/walk: dvc_impl_tests/walk.c dvc.h
	@mkdir -p $(OUT)
	$(CC) -std=c99 -O1 -g -Wall -Wextra -pedantic -Wshadow -Wconversion -fsanitize=address,undefined -fno-sanitize-recover=all dvc_impl_tests/walk.c -o $@ -lm

walk: $(OUT)/walk ## each field of each struct set to what it should not be, under sanitizers: two minutes (POSIX)
	@ASAN_OPTIONS=detect_leaks=0 $(OUT)/walk

float: ## a short test of the engine in single precision
	@mkdir -p $(OUT)
	$(CC) $(FLAGS) -Wconversion -DDVC_REAL=float dvc_impl_tests/float.c -o $(OUT)/tests_float -lm
	@$(OUT)/tests_float

experiments: ## the experiments of the literature, measured against expected; pictures and table in build/experiments (7 minutes)
	@CC="$(CC)" bench/experiments/run.sh $(OUT)/experiments

soak: ## a million steps of random scenes and machines, judged by oracles outside the engine (STEPS=1000000)
	@mkdir -p $(OUT)
	$(CC) $(FLAGS) -Wshadow -Wconversion -I. bench/experiments/soak.c -o $(OUT)/soak -lm
	@$(OUT)/soak $(STEPS)

# What the report tells of energy decides what the driver holds it to.
FUZZ = dvc_impl_tests/fuzz
FUZZ_FLAGS = -std=c99 -g $(if $(shell grep -s 'dvc_real energy_gain;' dvc.h),-DFUZZ_ENERGY_GAIN)
FUZZ_SOURCES = $(wildcard $(FUZZ)/*.c $(FUZZ)/*.h)
FUZZ_TARGETS = step lcp hull read ask
SECONDS = 60

$(OUT)/fuzz/fuzz: $(FUZZ_SOURCES) dvc.h
	@mkdir -p $(OUT)/fuzz
	$(CC) $(FUZZ_FLAGS) $(OPT) -Wall -Wextra -pedantic -c $(FUZZ)/engine.c -o $(OUT)/fuzz/engine.o
	$(CC) $(FUZZ_FLAGS) $(OPT) -Wall -Wextra -pedantic -Wshadow -Wconversion -c $(FUZZ)/main.c -o $(OUT)/fuzz/main.o
	$(CC) $(OUT)/fuzz/engine.o $(OUT)/fuzz/main.o -o $@ -lm

fuzz: $(OUT)/fuzz/fuzz ## random worlds, problems, hulls, texts and questions, judged; half on seeds that are new (SECONDS=60)
	@$(OUT)/fuzz/fuzz all $(SECONDS)

$(OUT)/fuzz/fuzz_%: $(FUZZ_SOURCES) dvc.h
	@mkdir -p $(OUT)/fuzz
	clang $(FUZZ_FLAGS) -O1 -fsanitize=fuzzer-no-link,$* -fno-sanitize-recover=all -DFUZZ_LIBFUZZER -c $(FUZZ)/engine.c -o $(OUT)/fuzz/engine_$*.o
	clang $(FUZZ_FLAGS) -O1 -fsanitize=fuzzer-no-link,$* -fno-sanitize-recover=all -DFUZZ_LIBFUZZER -c $(FUZZ)/main.c -o $(OUT)/fuzz/main_$*.o
	clang -fsanitize=fuzzer,$* $(OUT)/fuzz/engine_$*.o $(OUT)/fuzz/main_$*.o -o $@ -lm

fuzz-libfuzzer: $(OUT)/fuzz/fuzz_address $(OUT)/fuzz/fuzz_undefined $(OUT)/fuzz/fuzz_memory ## the same inputs grown by coverage, under three sanitizers (SECONDS=60 each): needs clang
	@for kind in address undefined memory; do for target in $(FUZZ_TARGETS); do mkdir -p $(OUT)/fuzz/corpus_$$target; \
	  echo "== $$target, $$kind"; FUZZ_TARGET=$$target $(OUT)/fuzz/fuzz_$$kind -max_total_time=$(SECONDS) -max_len=4096 -len_control=0 -timeout=60 -verbosity=0 \
	    -artifact_prefix=$(OUT)/fuzz/$$target-$$kind- $(OUT)/fuzz/corpus_$$target || exit 1; done; done

# `make nightly SECONDS=60` fuzzes for a minute, whatever a default of SECONDS is for.
NIGHTLY_SECONDS = $(if $(filter command environment,$(firstword $(origin SECONDS))),$(SECONDS),3600)

nightly: ## all that takes longer than a change can wait, and its table, build/nightly/RESULTS.md (STEPS, COUNT, SECONDS=3600, QUICK=quick, ONLY="soak bench")
	@CC="$(CC)" STEPS=$(STEPS) COUNT=$(COUNT) FUZZ=$(NIGHTLY_SECONDS) QUICK=$(QUICK) ONLY="$(ONLY)" bench/nightly.sh $(OUT)/nightly

bench-peers: ## other engines on the same scenes, those whose packages are installed
	@$(MAKE) -s -C bench/peers OUT=$(abspath $(OUT))/peers

SPEED = bench/speed
SPEED_SOURCES = $(SPEED)/speed.c $(SPEED)/own_scenes.c bench/peers/scenes.c bench/peers/peer_dvc.c
SPEED_HEADERS = $(SPEED)/own_scenes.h $(SPEED)/scenes_speed.h $(SPEED)/stages.h bench/peers/peers.h bench/peers/run.h bench/peers/peer_dvc.h

$(OUT)/speed/speed: $(SPEED_SOURCES) $(SPEED_HEADERS) dvc.h
	@mkdir -p $(OUT)/speed
	$(CC) $(FLAGS) -Wshadow -Wconversion -I. -Ibench/peers $(SPEED_SOURCES) -o $@ -lm

bench: $(OUT)/speed/speed ## what a step and its stages cost, scene by scene: a table, and all numbers in build/speed/speed.csv
	@$(OUT)/speed/speed table $(OUT)/speed/speed.csv

bench-speed-peers: ## speed and accuracy beside other engines: build/speed/table.md
	@mkdir -p $(OUT)/speed
	@$(MAKE) -s -C bench/peers OUT=$(abspath $(OUT))/peers speed | tee $(OUT)/speed/table.md

bench-count: ## instructions per step by valgrind, against bench/speed/counts.txt, and the shares of the stages
	@CC="$(CC)" bench/speed/count.sh $(OUT)/speed

bench-lcp: ## the solver family on its problem suite; with Siconos and ODE where their packages are installed
	@bench/run_lcp.sh $(OUT)

bench-friction: ## friction problems with round cones, stacks to heaps; with Siconos where its package is installed (THOUSANDS=2)
	@CC="$(CC)" bench/run_friction.sh $(OUT) $(or $(THOUSANDS),2)

clean: ## removes what was built
	rm -rf $(OUT)
