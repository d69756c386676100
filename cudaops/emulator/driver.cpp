// CPU emulator of libcuda.so.1. A device's memory is host memory, a stream is a thread, and the kernels are the same
// .cu files, compiled by g++. For functions that are missing here, the table in internal/drv returns
// CUDA_ERROR_NO_DEVICE.
//
// Environment: NDGRAD_EMULATED_DEVICES (3) and NDGRAD_EMULATED_MEMORY (bytes per device, 2 GiB). With
// NDGRAD_EMULATOR_DELAYS=1 streams wait at random and run the blocks of a grid in another order, so that missing
// synchronization shows. With NDGRAD_EMULATOR_IDLE=1 they do nothing at all, to measure the host's part.
#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "fibers.h"

namespace {

enum { invalid_value = 1, out_of_memory = 2, invalid_device = 101, invalid_context = 201, invalid_handle = 400, not_found = 500, not_ready = 600 };
constexpr unsigned char garbage = 0xA5;

typedef unsigned long long Address;
typedef std::map<std::string, Kernel> Table;

long setting(const char *name, long otherwise) {
	const char *text = getenv(name);
	return text && *text ? atol(text) : otherwise;
}

bool delays() {
	static const bool on = setting("NDGRAD_EMULATOR_DELAYS", 0) != 0;
	return on;
}

// lazy reports whether streams accept work and do nothing.
bool lazy() {
	static const bool on = setting("NDGRAD_EMULATOR_IDLE", 0) != 0;
	return on;
}

struct Context;
thread_local Context *current;   // of the calling thread
thread_local Context *executing; // the context whose stream the thread runs

// Event counts how often it was recorded, and how often it occurred.
struct Event {
	std::mutex mutex;
	std::condition_variable changed;
	long recorded = 0, done = 0;
	const bool timed; // false with CU_EVENT_DISABLE_TIMING
	std::chrono::steady_clock::time_point at;
	Event(unsigned flags) : timed(!(flags & 2)) {}
	void reach(long number) {
		std::lock_guard<std::mutex> lock(mutex);
		if (number > done) done = number;
		at = std::chrono::steady_clock::now();
		changed.notify_all();
	}
	void wait(long number) {
		std::unique_lock<std::mutex> lock(mutex);
		changed.wait(lock, [&] { return done >= number; });
	}
};
typedef std::shared_ptr<Event> EventRef;

// Stream does its work in the order in which it was added, in its own thread.
struct Stream {
	Context *context;
	std::mutex mutex;
	std::condition_variable added, idle;
	std::deque<std::function<void()>> work;
	bool busy = false, ended = false;
	std::thread thread;

	explicit Stream(Context *c) : context(c), thread([this] { run(); }) {}
	~Stream() {
		{
			std::lock_guard<std::mutex> lock(mutex);
			ended = true;
		}
		added.notify_all();
		thread.join();
	}
	void run() {
		executing = context;
		std::mt19937 random((unsigned)(size_t)this);
		std::unique_lock<std::mutex> lock(mutex);
		for (;;) {
			added.wait(lock, [&] { return ended || !work.empty(); });
			if (work.empty()) return;
			std::function<void()> next = std::move(work.front());
			work.pop_front();
			busy = true;
			lock.unlock();
			if (delays() && random() % 4 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random() % 200));
			next();
			lock.lock();
			busy = false;
			if (work.empty()) idle.notify_all();
		}
	}
	void add(std::function<void()> f) {
		if (lazy()) return;
		{
			std::lock_guard<std::mutex> lock(mutex);
			work.push_back(std::move(f));
		}
		added.notify_one();
	}
	void wait() {
		std::unique_lock<std::mutex> lock(mutex);
		idle.wait(lock, [&] { return work.empty() && !busy; });
	}
	bool ready() {
		std::lock_guard<std::mutex> lock(mutex);
		return work.empty() && !busy;
	}
};

struct Context {
	int device;
	std::atomic<int> fault{0};
	std::mutex mutex;
	std::map<Address, size_t> blocks;
	size_t used = 0;
	std::set<Stream *> streams;
	Stream *null_stream = nullptr;

	Stream *stream(void *handle) {
		if (handle) return (Stream *)handle;
		std::lock_guard<std::mutex> lock(mutex);
		if (!null_stream) streams.insert(null_stream = new Stream(this));
		return null_stream;
	}
	void wait() {
		std::set<Stream *> all;
		{
			std::lock_guard<std::mutex> lock(mutex);
			all = streams;
		}
		for (Stream *s : all) s->wait();
	}
};

size_t memory_of_device() {
	static const size_t bytes = (size_t)setting("NDGRAD_EMULATED_MEMORY", 2L << 30);
	return bytes;
}

Context *context_of(int device) {
	static std::mutex mutex;
	static std::map<int, Context *> all;
	std::lock_guard<std::mutex> lock(mutex);
	Context *&c = all[device];
	if (!c) {
		c = new Context();
		c->device = device;
	}
	return c;
}

int devices() {
	static const int n = (int)setting("NDGRAD_EMULATED_DEVICES", 3);
	return n;
}

// The kernels of the library itself, and the table that a shared object fills when it is opened.
Table &own_table() {
	static Table *t = new Table();
	return *t;
}
std::mutex opening;
Table *filling;

// A function, and the data that a launch of it needs.
struct Launch {
	const Kernel *kernel;
	std::vector<char> arguments;
	dim3 grid, block;
	size_t shared;
	void operator()() {
		if (executing->fault) return;
		gridDim = grid;
		blockDim = block;
		size_t n = (size_t)grid.x * grid.y * grid.z, step = 1;
		if (delays() && n > 2) {
			step = n / 2 + 1;
			while (std::__gcd(step, n) != 1) step++;
		}
		for (size_t k = 0, i = 0; k < n; k++, i = (i + step) % n) {
			blockIdx = {(unsigned)(i % grid.x), (unsigned)(i / grid.x % grid.y), (unsigned)(i / grid.x / grid.y)};
			run_block(*kernel, arguments.data(), shared);
		}
	}
};

// pack packs separate arguments, each aligned to its size.
std::vector<char> pack(const Kernel &k, void **arguments) {
	std::vector<char> packed;
	for (int i = 0; i < k.parameters; i++) {
		size_t size = k.sizes[i], step = size % 16 == 0 && size <= 16 ? size : size % 8 == 0 ? 8 : size;
		packed.resize((packed.size() + step - 1) / step * step);
		packed.insert(packed.end(), (char *)arguments[i], (char *)arguments[i] + size);
	}
	return packed;
}

} // namespace

extern "C" {

void emulator_register(const char *name, void *function, emulator_call call, const size_t *sizes, int parameters) {
	Table &table = filling ? *filling : own_table();
	if (!table.emplace(name, Kernel{name, function, call, sizes, parameters}).second) {
		fprintf(stderr, "emulator: two kernels are called %s\n", name);
		abort();
	}
}

void emulator_fail(int code) { executing->fault = code; }

#define IN                                 \
	if (!current) return invalid_context;  \
	if (current->fault) return current->fault
#define ADD(handle, ...) current->stream(handle)->add([=]() mutable { __VA_ARGS__; })

int cuInit(unsigned) { return devices() > 0 ? 0 : 100; }
int cuDriverGetVersion(int *v) { *v = 13000; return 0; }
int cuDeviceGetCount(int *n) { *n = devices(); return 0; }
int cuDeviceGet(int *d, int i) { *d = i; return i < devices() ? 0 : invalid_device; }
int cuDeviceGetName(char *name, int n, int d) {
	if (d >= devices()) return invalid_device;
	snprintf(name, n, "emulator of a GPU");
	return 0;
}
int cuDeviceTotalMem_v2(size_t *bytes, int d) { *bytes = memory_of_device(); return d < devices() ? 0 : invalid_device; }
int cuDeviceGetAttribute(int *v, int attribute, int d) {
	static const std::map<int, int> known = {{1, 1024}, {2, 1024}, {3, 1024}, {4, 64}, {5, 2147483647}, {6, 65535}, {7, 65535}, {8, 48 << 10}, {10, 32},
		{16, 132}, {39, 2048}, {75, 9}, {76, 0}, {81, 228 << 10}, {97, 227 << 10}};
	auto found = known.find(attribute);
	*v = found == known.end() ? 0 : found->second;
	return d < devices() ? 0 : invalid_device;
}
int cuDevicePrimaryCtxRetain(Context **c, int d) {
	if (d >= devices()) return invalid_device;
	*c = context_of(d);
	return 0;
}
int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
int cuCtxSetCurrent(Context *c) { current = c; return 0; }
int cuCtxGetCurrent(Context **c) { *c = current; return 0; }
int cuCtxSynchronize() {
	IN;
	current->wait();
	return current->fault;
}
int cuDeviceCanAccessPeer(int *can, int, int) { *can = 1; return 0; }
int cuCtxEnablePeerAccess(Context *, unsigned) { return 0; }

int cuMemAlloc_v2(Address *p, size_t bytes) {
	IN;
	if (!bytes) return invalid_value;
	std::lock_guard<std::mutex> lock(current->mutex);
	if (current->used + bytes > memory_of_device()) return out_of_memory;
	void *at;
	if (posix_memalign(&at, 512, bytes)) return out_of_memory;
	memset(at, garbage, bytes);
	current->used += bytes;
	current->blocks[(Address)at] = bytes;
	*p = (Address)at;
	return 0;
}
int cuMemFree_v2(Address p) {
	IN;
	current->wait();
	std::lock_guard<std::mutex> lock(current->mutex);
	auto block = current->blocks.find(p);
	if (block == current->blocks.end()) return invalid_value;
	memset((void *)p, garbage, block->second);
	free((void *)p);
	current->used -= block->second;
	current->blocks.erase(block);
	return 0;
}
int cuMemGetInfo_v2(size_t *free, size_t *total) {
	IN;
	std::lock_guard<std::mutex> lock(current->mutex);
	*total = memory_of_device();
	*free = *total - current->used;
	return 0;
}
int cuMemHostAlloc(void **p, size_t bytes, unsigned) {
	IN;
	return posix_memalign(p, 4096, bytes) ? out_of_memory : 0;
}
int cuMemFreeHost(void *p) {
	if (current) current->wait();
	free(p);
	return 0;
}
int cuMemHostGetDevicePointer_v2(Address *d, void *p, unsigned) { *d = (Address)p; return 0; }

int cuMemcpyHtoDAsync_v2(Address d, const void *s, size_t n, void *stream) { IN; ADD(stream, memcpy((void *)d, s, n)); return 0; }
int cuMemcpyDtoHAsync_v2(void *d, Address s, size_t n, void *stream) { IN; ADD(stream, memcpy(d, (void *)s, n)); return 0; }
int cuMemcpyDtoDAsync_v2(Address d, Address s, size_t n, void *stream) { IN; ADD(stream, memmove((void *)d, (void *)s, n)); return 0; }
int cuMemcpyPeerAsync(Address d, Context *, Address s, Context *, size_t n, void *stream) { IN; ADD(stream, memmove((void *)d, (void *)s, n)); return 0; }
int cuMemsetD8Async(Address d, unsigned char v, size_t n, void *stream) { IN; ADD(stream, memset((void *)d, v, n)); return 0; }
int cuMemsetD32Async(Address d, unsigned v, size_t n, void *stream) {
	IN;
	ADD(stream, for (size_t i = 0; i < n; i++)((unsigned *)d)[i] = v);
	return 0;
}
// Calls without a stream run in the null stream, which other streams do not wait for here, and wait only for that
// stream.
int cuMemcpyHtoD_v2(Address d, const void *s, size_t n) { int r = cuMemcpyHtoDAsync_v2(d, s, n, nullptr); if (!r) current->stream(nullptr)->wait(); return r; }
int cuMemcpyDtoH_v2(void *d, Address s, size_t n) { int r = cuMemcpyDtoHAsync_v2(d, s, n, nullptr); if (!r) current->stream(nullptr)->wait(); return r; }

int cuStreamCreate(Stream **s, unsigned) {
	IN;
	*s = new Stream(current);
	std::lock_guard<std::mutex> lock(current->mutex);
	current->streams.insert(*s);
	return 0;
}
int cuStreamDestroy_v2(Stream *s) {
	if (!s) return invalid_handle;
	{
		std::lock_guard<std::mutex> lock(s->context->mutex);
		s->context->streams.erase(s);
	}
	delete s; // when its work is done
	return 0;
}
int cuStreamSynchronize(void *s) {
	IN;
	current->stream(s)->wait();
	return current->fault;
}
int cuStreamQuery(void *s) {
	IN;
	return current->stream(s)->ready() ? (int)current->fault : not_ready;
}

int cuEventCreate(EventRef **e, unsigned flags) { IN; *e = new EventRef(std::make_shared<Event>(flags)); return 0; }
int cuEventDestroy_v2(EventRef *e) { delete e; return 0; }
int cuEventRecord(EventRef *e, void *s) {
	IN;
	EventRef event = *e;
	long number;
	{
		std::lock_guard<std::mutex> lock(event->mutex);
		number = ++event->recorded;
	}
	if (lazy()) event->reach(number);
	ADD(s, event->reach(number));
	return 0;
}
int cuStreamWaitEvent(void *s, EventRef *e, unsigned) {
	IN;
	EventRef event = *e;
	long number;
	{
		std::lock_guard<std::mutex> lock(event->mutex);
		number = event->recorded;
	}
	ADD(s, event->wait(number));
	return 0;
}
int cuEventSynchronize(EventRef *e) {
	IN;
	long number;
	{
		std::lock_guard<std::mutex> lock((*e)->mutex);
		number = (*e)->recorded;
	}
	(*e)->wait(number);
	return current->fault;
}
int cuEventQuery(EventRef *e) {
	IN;
	std::lock_guard<std::mutex> lock((*e)->mutex);
	return (*e)->done >= (*e)->recorded ? 0 : not_ready;
}
int cuEventElapsedTime(float *ms, EventRef *from, EventRef *to) {
	IN;
	if (!(*from)->recorded || !(*to)->recorded || !(*from)->timed || !(*to)->timed) return invalid_handle;
	if ((*from)->done < (*from)->recorded || (*to)->done < (*to)->recorded) return not_ready;
	*ms = std::chrono::duration<float, std::milli>((*to)->at - (*from)->at).count();
	return 0;
}

int cuEventElapsedTime_v2(float *ms, EventRef *from, EventRef *to) { return cuEventElapsedTime(ms, from, to); }

// A module is a table of kernels: the table of a shared object from the emulated NVRTC, or for any other image the
// library's own table.
int cuModuleLoadData(Table **m, const void *image) {
	static const std::string marker = "NDGRAD-EMULATOR-SO:";
	IN;
	const char *text = (const char *)image;
	if (strncmp(text, marker.c_str(), marker.size()) != 0) {
		*m = &own_table();
		return 0;
	}
	std::lock_guard<std::mutex> lock(opening);
	Table *table = new Table();
	filling = table;
	void *library = dlopen(text + marker.size(), RTLD_NOW | RTLD_LOCAL);
	filling = nullptr;
	if (!library) {
		fprintf(stderr, "emulator: %s\n", dlerror());
		delete table;
		return 200;
	}
	*m = table;
	return 0;
}
int cuModuleUnload(Table *m) {
	IN;
	current->wait();
	if (m != &own_table()) delete m;
	return 0;
}
int cuModuleGetFunction(const Kernel **f, Table *m, const char *name) {
	IN;
	auto found = m->find(name);
	if (found == m->end()) return not_found;
	*f = &found->second;
	return 0;
}
int cuFuncSetAttribute(const Kernel *, int, int) { return 0; }
int cuFuncGetAttribute(int *v, int, const Kernel *) { *v = 1024; return 0; }

int cuLaunchKernel(const Kernel *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, void *stream,
	void **params, void **extra) {
	IN;
	if (lazy()) return 0;
	if (!gx || !gy || !gz || !bx || !by || !bz || bx * by * bz > 1024 || gy > 65535 || gz > 65535) return invalid_value;
	Launch l{f, {}, {gx, gy, gz}, {bx, by, bz}, shared};
	if (extra) {
		char *buffer = nullptr;
		size_t size = 0;
		for (void **e = extra; *e; e += 2) {
			if (*e == (void *)1) buffer = (char *)e[1];
			if (*e == (void *)2) size = *(size_t *)e[1];
		}
		size_t want = 0;
		for (int i = 0; i < f->parameters; i++) want += f->sizes[i];
		if (size < want) {
			fprintf(stderr, "emulator: kernel %s takes %zu bytes of arguments, and got %zu\n", f->name, want, size);
			return invalid_value;
		}
		l.arguments.assign(buffer, buffer + size);
	} else {
		l.arguments = pack(*f, params);
	}
	ADD(stream, l());
	return 0;
}

int cuProfilerStart() { return 0; }
int cuProfilerStop() { return 0; }

static const std::map<int, std::pair<const char *, const char *>> errors = {
	{invalid_value, {"CUDA_ERROR_INVALID_VALUE", "invalid argument"}},
	{out_of_memory, {"CUDA_ERROR_OUT_OF_MEMORY", "out of memory"}},
	{100, {"CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"}},
	{invalid_device, {"CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"}},
	{200, {"CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"}},
	{invalid_context, {"CUDA_ERROR_INVALID_CONTEXT", "invalid device context"}},
	{invalid_handle, {"CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"}},
	{not_found, {"CUDA_ERROR_NOT_FOUND", "named symbol not found"}},
	{not_ready, {"CUDA_ERROR_NOT_READY", "device not ready"}},
	{700, {"CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"}},
};
int cuGetErrorName(int code, const char **text) {
	auto e = errors.find(code);
	*text = e == errors.end() ? nullptr : e->second.first;
	return e == errors.end() ? invalid_value : 0;
}
int cuGetErrorString(int code, const char **text) {
	auto e = errors.find(code);
	*text = e == errors.end() ? nullptr : e->second.second;
	return e == errors.end() ? invalid_value : 0;
}

// A kernel whose launch fails like one that reads unmapped memory, for tests.
static void emulator_fault() { emulator_fail(700); }
REGISTER(emulator_fault)

} // extern "C"
