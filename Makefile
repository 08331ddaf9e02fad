# Everything here needs make and a C compiler; targets that need more say so.
CC ?= cc
OPT ?= -O2
FLAGS = -std=c99 $(OPT) -Wall -Wextra -pedantic
EXAMPLE_FLAGS = $(FLAGS) -Wno-missing-field-initializers
OUT = build
STEPS = 1000000
EXAMPLES = $(patsubst examples/%.c,%,$(wildcard examples/*.c))
SUITES = $(wildcard dvc_impl_tests/*.c dvc_impl_tests/*.h)

.PHONY: help demo test check examples experiments soak bench-lcp bench-peers sanitize float clean
.DEFAULT_GOAL := help

help: ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 16

$(OUT)/%: examples/%.c dvc.h examples/show.h
	@mkdir -p $(OUT)
	$(CC) $(EXAMPLE_FLAGS) $< -o $@ -lm

demo: $(OUT)/03_stack ## ten boxes and a row of tiles under three contact models: makes a page for your browser
	@cd $(OUT) && ./03_stack && echo "the page: $$(pwd)/stack.html" && echo "a picture: $$(pwd)/stack.svg"

examples: $(addprefix $(OUT)/,$(EXAMPLES)) ## builds and runs all examples
	@cd $(OUT) && for e in $(EXAMPLES); do echo "== $$e"; ./$$e || exit 1; done

$(OUT)/tests: $(SUITES) dvc.h
	@mkdir -p $(OUT)
	$(CC) $(FLAGS) -Wshadow -Wconversion dvc_impl_tests/main.c -o $@ -lm

test: $(OUT)/tests ## all tests of the engine, and the contract programs: about a minute
	@$(OUT)/tests
	@CC="$(CC)" dvc_impl_tests/check_contract.sh

check: ## compilers, languages, number types, symbols, quick starts, and the same bits from all of them
	@CC="$(CC)" dvc_impl_tests/check_builds.sh
	@CC="$(CC)" dvc_impl_tests/check_bits.sh

sanitize: ## the tests under address and undefined-behaviour sanitizers
	@mkdir -p $(OUT)
	$(CC) -std=c99 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all dvc_impl_tests/main.c -o $(OUT)/tests_sanitize -lm
	@$(OUT)/tests_sanitize

float: ## a short test of the engine in single precision
	@mkdir -p $(OUT)
	$(CC) $(FLAGS) -Wconversion -DDVC_REAL=float dvc_impl_tests/float.c -o $(OUT)/tests_float -lm
	@$(OUT)/tests_float

experiments: ## the experiments of the literature, measured against expected; pictures and table in build/experiments (6 minutes)
	@CC="$(CC)" bench/experiments/run.sh $(OUT)/experiments

soak: ## a million steps of random scenes under brute-force supervision (STEPS=1000000)
	@mkdir -p $(OUT)
	$(CC) $(FLAGS) -I. bench/experiments/soak.c -o $(OUT)/soak -lm
	@$(OUT)/soak $(STEPS)

bench-peers: ## other engines on the same scenes, those whose packages are installed
	@$(MAKE) -s -C bench/peers OUT=$(abspath $(OUT))/peers

bench-lcp: ## the solver family on its problem suite; with Siconos and ODE where their packages are installed
	@bench/run_lcp.sh $(OUT)

clean: ## removes what was built
	rm -rf $(OUT)
