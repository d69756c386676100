// The threads of a block as fibers. A thread that waits at a barrier switches to the next one. If no thread of a block
// reaches a barrier, there are no fibers at all, only a loop.
#include "fibers.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <vector>

thread_local dim3 threadIdx, blockIdx, blockDim, gridDim;

#if defined(__x86_64__)
asm(R"(
.text
.type emulator_switch,@function
emulator_switch:
	pushq %rbp
	pushq %rbx
	pushq %r12
	pushq %r13
	pushq %r14
	pushq %r15
	movq %rsp, (%rdi)
	movq %rsi, %rsp
	popq %r15
	popq %r14
	popq %r13
	popq %r12
	popq %rbx
	popq %rbp
	ret
)");
constexpr int saved = 6;
#elif defined(__aarch64__)
asm(R"(
.text
.type emulator_switch,%function
emulator_switch:
	sub sp, sp, #160
	stp x19, x20, [sp]
	stp x21, x22, [sp, #16]
	stp x23, x24, [sp, #32]
	stp x25, x26, [sp, #48]
	stp x27, x28, [sp, #64]
	stp x29, x30, [sp, #80]
	stp d8, d9, [sp, #96]
	stp d10, d11, [sp, #112]
	stp d12, d13, [sp, #128]
	stp d14, d15, [sp, #144]
	mov x9, sp
	str x9, [x0]
	mov sp, x1
	ldp x19, x20, [sp]
	ldp x21, x22, [sp, #16]
	ldp x23, x24, [sp, #32]
	ldp x25, x26, [sp, #48]
	ldp x27, x28, [sp, #64]
	ldp x29, x30, [sp, #80]
	ldp d8, d9, [sp, #96]
	ldp d10, d11, [sp, #112]
	ldp d12, d13, [sp, #128]
	ldp d14, d15, [sp, #144]
	add sp, sp, #160
	ret
)");
#else
#error "the emulator switches fibers on x86-64 and arm64"
#endif
// emulator_switch saves the state of this fiber, and continues another one.
extern "C" void emulator_switch(void **here, void *there);

namespace {

constexpr size_t stack_bytes = 128 << 10;
constexpr int most_threads = 1024;

struct Warp {
	int arrived, generation, alive;
	unsigned long long values[2][32]; // of this exchange and of the one before, whose values some lanes may still read
};

// Block is the block that a host thread runs.
struct Block {
	const Kernel *kernel;
	const char *arguments;
	char *stacks;
	void *scheduler, *at[most_threads];
	bool done[most_threads];
	dim3 index[most_threads];
	int threads, alive, current;
	bool fibers, met;
	int arrived, generation, votes, result;
	long progress; // counts barriers that opened and threads that ended
	Warp warps[most_threads / 32];
	std::vector<char> shared;
};

thread_local Block *block;

[[noreturn]] void die(const char *what) {
	fprintf(stderr, "emulator: kernel %s: %s\n", block->kernel->name, what);
	abort();
}

void call(Block *b) { b->kernel->call(b->kernel->function, b->arguments); }

void begin() {
	Block *b = block;
	call(b);
	b = block;
	b->done[b->current] = true;
	b->alive--;
	b->warps[b->current / 32].alive--;
	b->progress++;
	emulator_switch(&b->at[b->current], b->scheduler);
	abort();
}

dim3 index_of(int i) { return {i % blockDim.x, i / blockDim.x % blockDim.y, i / blockDim.x / blockDim.y}; }

void prepare(Block *b, int i) {
	char *top = b->stacks + (i + 1) * stack_bytes;
	void **sp = (void **)((uintptr_t)top & ~(uintptr_t)15);
#if defined(__x86_64__)
	*--sp = nullptr;
	*--sp = (void *)begin;
	for (int k = 0; k < saved; k++) *--sp = nullptr;
#else
	sp -= 20;
	memset(sp, 0, 160);
	sp[11] = (void *)begin; // x30
#endif
	b->at[i] = sp;
	b->done[i] = false;
}

void resume(Block *b, int i) {
	b->current = i;
	threadIdx = b->index[i];
	emulator_switch(&b->scheduler, b->at[i]);
}

// pause lets other fibers run.
void pause(Block *b) {
	int me = b->current;
	emulator_switch(&b->at[me], b->scheduler);
}

void want_fibers(Block *b) {
	b->met = true;
	if (!b->fibers) die("a thread meets a barrier that the block's first thread did not meet");
}

int alive_lanes(Block *b, int warp, unsigned mask) {
	if (mask == ~0u) return b->warps[warp].alive;
	int n = 0;
	for (int lane = 0; lane < 32 && warp * 32 + lane < b->threads; lane++) n += (mask >> lane & 1) && !b->done[warp * 32 + lane];
	return n;
}

// meet exchanges values between the lanes of a warp.
unsigned long long *meet(unsigned mask, unsigned long long value) {
	Block *b = block;
	Warp &w = b->warps[b->current / 32];
	unsigned long long *values = w.values[w.generation & 1];
	values[b->current % 32] = value;
	emulator_warp_barrier(mask);
	return values;
}

} // namespace

extern "C" {

int emulator_barrier(int votes) {
	Block *b = block;
	want_fibers(b);
	int generation = b->generation;
	b->votes += votes;
	b->arrived++;
	for (;;) {
		if (b->generation != generation) return b->result;
		if (b->arrived == b->alive) {
			b->result = b->votes;
			b->votes = b->arrived = 0;
			b->generation++;
			b->progress++;
			return b->result;
		}
		pause(b);
	}
}

void emulator_warp_barrier(unsigned mask) {
	Block *b = block;
	want_fibers(b);
	int warp = b->current / 32;
	Warp &w = b->warps[warp];
	int generation = w.generation;
	w.arrived++;
	for (;;) {
		if (w.generation != generation) return;
		if (w.arrived >= alive_lanes(b, warp, mask)) {
			w.arrived = 0;
			w.generation++;
			b->progress++;
			return;
		}
		pause(b);
	}
}

unsigned long long emulator_exchange(unsigned mask, unsigned long long value, int lane) { return meet(mask, value)[lane & 31]; }

unsigned emulator_ballot(unsigned mask, int vote) {
	Block *b = block;
	unsigned long long *values = meet(mask, vote);
	unsigned votes = 0;
	int first = b->current / 32 * 32;
	for (int k = 0; k < 32 && first + k < b->threads; k++)
		if ((mask >> k & 1) && !b->done[first + k] && values[k]) votes |= 1u << k;
	return votes;
}

unsigned emulator_match(unsigned mask, unsigned long long value) {
	Block *b = block;
	unsigned long long *values = meet(mask, value);
	unsigned same = 0;
	int first = b->current / 32 * 32;
	for (int k = 0; k < 32 && first + k < b->threads; k++)
		if ((mask >> k & 1) && !b->done[first + k] && values[k] == value) same |= 1u << k;
	return same;
}

void *emulator_shared(void) { return block->shared.data(); }

} // extern "C"

void run_block(const Kernel &kernel, const char *arguments, size_t shared) {
	static thread_local Block *own;
	if (!own) {
		own = new Block();
		own->stacks = (char *)mmap(nullptr, most_threads * stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (own->stacks == MAP_FAILED) abort();
	}
	Block *b = block = own;
	b->kernel = &kernel;
	b->arguments = arguments;
	b->threads = b->alive = (int)(blockDim.x * blockDim.y * blockDim.z);
	b->fibers = true;
	b->met = false;
	b->arrived = b->votes = 0;
	for (int k = 0; k < (b->threads + 31) / 32; k++) {
		b->warps[k].arrived = 0;
		b->warps[k].alive = std::min(32, b->threads - 32 * k);
	}
	if (b->shared.size() < shared + 16) b->shared.resize(shared + 16);
	b->index[0] = {0, 0, 0};
	for (int i = 1; i < b->threads; i++) b->done[i] = false;
	prepare(b, 0);
	resume(b, 0);
	if (!b->met) {
		b->fibers = false;
		for (int i = 1; i < b->threads; i++) {
			threadIdx = index_of(i);
			b->current = i;
			call(b);
		}
		return;
	}
	for (int i = 1; i < b->threads; i++) {
		prepare(b, i);
		b->index[i] = index_of(i);
	}
	for (int i = 1; i < b->threads; i++) resume(b, i);
	while (b->alive > 0) {
		long before = b->progress;
		for (int i = 0; i < b->threads; i++)
			if (!b->done[i]) resume(b, i);
		if (b->progress == before) die("its threads wait for each other at different barriers");
	}
}
