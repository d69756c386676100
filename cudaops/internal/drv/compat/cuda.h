// The header of CUDA 13 in the form that gorgonia.org/cu, written for CUDA 12, expects: five functions have other
// parameters since. The compiler searches this folder for headers first.
#ifndef NDGRAD_COMPAT_CUDA_H
#define NDGRAD_COMPAT_CUDA_H
#include_next <cuda.h>
#if CUDA_VERSION >= 13000

static inline CUmemLocation ndgrad_location(CUdevice device) {
	CUmemLocation location;
	location.type = device == CU_DEVICE_CPU ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE;
	location.id = device == CU_DEVICE_CPU ? 0 : device;
	return location;
}

static inline CUresult ndgrad_ctx_create(CUcontext *context, unsigned flags, CUdevice device) {
	return cuCtxCreate_v4(context, NULL, flags, device);
}
#undef cuCtxCreate
#define cuCtxCreate ndgrad_ctx_create

static inline CUresult ndgrad_mem_advise(CUdeviceptr p, size_t bytes, CUmem_advise advice, CUdevice device) {
	return cuMemAdvise_v2(p, bytes, advice, ndgrad_location(device));
}
#undef cuMemAdvise
#define cuMemAdvise ndgrad_mem_advise

static inline CUresult ndgrad_mem_prefetch(CUdeviceptr p, size_t bytes, CUdevice device, CUstream stream) {
	return cuMemPrefetchAsync_v2(p, bytes, ndgrad_location(device), 0, stream);
}
#undef cuMemPrefetchAsync
#define cuMemPrefetchAsync ndgrad_mem_prefetch

static inline CUresult ndgrad_add_dependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t n) {
	return cuGraphAddDependencies_v2(graph, from, to, NULL, n);
}
#undef cuGraphAddDependencies
#define cuGraphAddDependencies ndgrad_add_dependencies

static inline CUresult ndgrad_get_edges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *n) {
	return cuGraphGetEdges_v2(graph, from, to, NULL, n);
}
#undef cuGraphGetEdges
#define cuGraphGetEdges ndgrad_get_edges

#endif
#endif
