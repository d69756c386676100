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

// run_block runs one block of a kernel; blockIdx, blockDim and gridDim are set. It ends the process, naming the kernel, where the
// block's threads wait for each other forever.
void run_block(const Kernel &kernel, const char *arguments, size_t shared);
