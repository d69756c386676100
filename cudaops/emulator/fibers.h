// A block of threads, run by the calling thread of the host.
#pragma once
#include <cstddef>
#include "emulator.h"

// A kernel, as it was registered.
struct Kernel {
	const char *name;
	void *function;
	emulator_call call;
	const size_t *sizes; // of its parameters
	int parameters;
};

// run_block runs one block of a kernel. blockIdx, blockDim and gridDim must be set. If the threads of the block wait
// for each other forever, it ends the process with the name of the kernel.
void run_block(const Kernel &kernel, const char *arguments, size_t shared);
