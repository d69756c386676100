//go:build cuda && linux

#include "driver.h"

CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);

#define IN(c)                                            \
	do {                                                 \
		CUresult r = cuCtxSetCurrent((CUcontext)(c));    \
		if (r) return r;                                 \
	} while (0)

int drv_alloc(word c, size_t bytes, uint64_t *at) {
	CUdeviceptr p = 0;
	IN(c);
	int r = cuMemAlloc(&p, bytes);
	*at = p;
	return r;
}
int drv_free(word c, uint64_t at) { IN(c); return cuMemFree((CUdeviceptr)at); }
int drv_info(word c, size_t *free, size_t *total) { IN(c); return cuMemGetInfo(free, total); }
int drv_host_alloc(word c, size_t bytes, void **at) { IN(c); return cuMemHostAlloc(at, bytes, CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE); }
int drv_host_free(word c, void *at) { IN(c); return cuMemFreeHost(at); }
int drv_host_address(word c, void *at, uint64_t *address) {
	CUdeviceptr p = 0;
	IN(c);
	int r = cuMemHostGetDevicePointer(&p, at, 0);
	*address = p;
	return r;
}
int drv_stream(word c, int non_blocking, word *s) { IN(c); return cuStreamCreate((CUstream *)s, non_blocking ? CU_STREAM_NON_BLOCKING : CU_STREAM_DEFAULT); }
int drv_stream_destroy(word c, word s) { IN(c); return cuStreamDestroy((CUstream)s); }
int drv_stream_synchronize(word c, word s) { IN(c); return cuStreamSynchronize((CUstream)s); }
int drv_stream_query(word c, word s) { IN(c); return cuStreamQuery((CUstream)s); }
int drv_stream_wait(word c, word s, word e) { IN(c); return cuStreamWaitEvent((CUstream)s, (CUevent)e, 0); }
int drv_event(word c, unsigned flags, word *e) { IN(c); return cuEventCreate((CUevent *)e, flags); }
int drv_event_destroy(word c, word e) { IN(c); return cuEventDestroy((CUevent)e); }
int drv_event_record(word c, word e, word s) { IN(c); return cuEventRecord((CUevent)e, (CUstream)s); }
int drv_event_synchronize(word c, word e) { IN(c); return cuEventSynchronize((CUevent)e); }
int drv_event_query(word c, word e) { IN(c); return cuEventQuery((CUevent)e); }
int drv_elapsed(word c, word from, word to, float *ms) { IN(c); return cuEventElapsedTime(ms, (CUevent)from, (CUevent)to); }
int drv_copy_in(word c, uint64_t dst, void *src, size_t bytes, word s) { IN(c); return cuMemcpyHtoDAsync((CUdeviceptr)dst, src, bytes, (CUstream)s); }
int drv_copy_out(word c, void *dst, uint64_t src, size_t bytes, word s) { IN(c); return cuMemcpyDtoHAsync(dst, (CUdeviceptr)src, bytes, (CUstream)s); }
int drv_copy(word c, uint64_t dst, uint64_t src, size_t bytes, word s) { IN(c); return cuMemcpyDtoDAsync((CUdeviceptr)dst, (CUdeviceptr)src, bytes, (CUstream)s); }
int drv_copy_peer(word c, uint64_t dst, word to, uint64_t src, size_t bytes, word s) {
	IN(c);
	return cuMemcpyPeerAsync((CUdeviceptr)dst, (CUcontext)to, (CUdeviceptr)src, (CUcontext)c, bytes, (CUstream)s);
}
int drv_fill8(word c, uint64_t dst, unsigned char value, size_t n, word s) { IN(c); return cuMemsetD8Async((CUdeviceptr)dst, value, n, (CUstream)s); }
int drv_fill32(word c, uint64_t dst, unsigned value, size_t n, word s) { IN(c); return cuMemsetD32Async((CUdeviceptr)dst, value, n, (CUstream)s); }
int drv_load(word c, void *image, word *m) { IN(c); return cuModuleLoadData((CUmodule *)m, image); }
int drv_unload(word c, word m) { IN(c); return cuModuleUnload((CUmodule)m); }
int drv_function(word c, word m, char *name, word *f) { IN(c); return cuModuleGetFunction((CUfunction *)f, (CUmodule)m, name); }
int drv_shared_limit(word c, word f, int bytes) {
	IN(c);
	return cuFuncSetAttribute((CUfunction)f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes);
}
int drv_launch(word c, word f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, word s,
	void *params, size_t size) {
	IN(c);
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, params, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
	return cuLaunchKernel((CUfunction)f, gx, gy, gz, bx, by, bz, shared, (CUstream)s, NULL, extra);
}
int drv_profiler(word c, int on) { IN(c); return on ? cuProfilerStart() : cuProfilerStop(); }

void drv_error(int code, const char **name, const char **text) {
	*name = *text = NULL;
	cuGetErrorName((CUresult)code, name);
	cuGetErrorString((CUresult)code, text);
}
