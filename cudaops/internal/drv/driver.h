// The functions that drv calls. Each makes a context current and calls the driver. The results are CUresult.
#include <cuda.h>
#include <stdint.h>

typedef uintptr_t word;

extern int drv_init_result;

int drv_alloc(word c, size_t bytes, uint64_t *at);
int drv_free(word c, uint64_t at);
int drv_info(word c, size_t *free, size_t *total);
int drv_host_alloc(word c, size_t bytes, void **at);
int drv_host_free(word c, void *at);
int drv_host_address(word c, void *at, uint64_t *address);
int drv_stream(word c, int non_blocking, word *s);
int drv_stream_destroy(word c, word s);
int drv_stream_synchronize(word c, word s);
int drv_stream_query(word c, word s);
int drv_stream_wait(word c, word s, word e);
int drv_event(word c, unsigned flags, word *e);
int drv_event_destroy(word c, word e);
int drv_event_record(word c, word e, word s);
int drv_event_synchronize(word c, word e);
int drv_event_query(word c, word e);
int drv_elapsed(word c, word from, word to, float *ms);
int drv_copy_in(word c, uint64_t dst, void *src, size_t bytes, word s);
int drv_copy_out(word c, void *dst, uint64_t src, size_t bytes, word s);
int drv_copy(word c, uint64_t dst, uint64_t src, size_t bytes, word s);
int drv_copy_peer(word c, uint64_t dst, word to, uint64_t src, size_t bytes, word s);
int drv_fill8(word c, uint64_t dst, unsigned char value, size_t n, word s);
int drv_fill32(word c, uint64_t dst, unsigned value, size_t n, word s);
int drv_load(word c, void *image, word *m);
int drv_unload(word c, word m);
int drv_function(word c, word m, char *name, word *f);
int drv_shared_limit(word c, word f, int bytes);
int drv_launch(word c, word f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, word s,
	void *params, size_t size);
int drv_profiler(word c, int on);
void drv_error(int code, const char **name, const char **text);
