// A library of MPI for one rank, with the binary interface of MPI 5.0. It ends the process if it is used in a way that a real one does
// not permit: calls of several threads beyond the level that it provides (LEVEL), or without the settings that keep it from
// installing handlers of signals. It installs some nevertheless.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef LEVEL
#define LEVEL 2048
#endif
enum { single = 0, funneled = 1024, serialized = 2048 };

static pthread_t first;
static int inside, started;

static void fail(const char *why) {
	fprintf(stderr, "MISUSE: %s\n", why);
	_exit(7);
}
static void enter(void) {
	if (!started) fail("a call before MPI_Init_thread");
	if (LEVEL == funneled && !pthread_equal(first, pthread_self())) fail("a call on another thread");
	if (__atomic_add_fetch(&inside, 1, __ATOMIC_SEQ_CST) != 1) fail("two calls at a time");
}
static int leave(void) {
	__atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST);
	return 0;
}
#define CALL(...) do { enter(); __VA_ARGS__; return leave(); } while (0)

static void handler(int signal) { fail("a handler of the library runs"); }
static void install(int number) {
	struct sigaction a = {.sa_handler = handler}; // without SA_ONSTACK
	sigaction(number, &a, NULL);
}
__attribute__((constructor)) static void loaded(void) {
	if (!getenv("OMPI_MCA_opal_signal") || !getenv("UCX_ERROR_SIGNALS")) fail("the settings for signals are missing");
	install(SIGBUS);
}

typedef void *handle;
int MPI_Get_library_version(char *text, int *n) { *n = sprintf(text, "Testing MPI Version:      5.0.1\nmore"); return 0; }
int MPI_Initialized(int *flag) { *flag = started; return 0; }
int MPI_Init_thread(int *c, char ***v, int wanted, int *level) {
	first = pthread_self();
	started = 1;
	*level = LEVEL;
	install(SIGSEGV), install(SIGURG), install(SIGPROF);
	return 0;
}
int MPI_Finalize(void) {
	if (!pthread_equal(first, pthread_self())) fail("MPI_Finalize is not on the thread of MPI_Init_thread");
	CALL();
}
int MPI_Abort(handle c, int code) { _exit(code); }
int MPI_Error_string(int code, char *text, int *n) { *n = sprintf(text, "error %d", code); return 0; }
int MPI_Comm_rank(handle c, int *r) { CALL(*r = 0); }
int MPI_Comm_size(handle c, int *n) { CALL(*n = 1); }
int MPI_Comm_dup(handle c, handle *d) { CALL(*d = (handle)0x999); }
int MPI_Comm_split(handle c, int color, int key, handle *d) { CALL(*d = (handle)0x998); }
int MPI_Comm_free(handle *c) { CALL(*c = (handle)0x100); }
int MPI_Comm_set_errhandler(handle c, handle h) { CALL(if (h != (handle)0x143) fail("no MPI_ERRORS_RETURN")); }
int MPI_Alloc_mem(long n, handle info, void *at) { CALL(*(void **)at = malloc(n)); }
int MPI_Free_mem(void *at) { CALL(free(at)); }
int MPI_Get_count(void *status, handle type, int *n) { CALL(*n = 0); }
int MPI_Isend(const void *x, int n, handle t, int r, int tag, handle c, handle *q) { fail("a message to nobody"); return 1; }
int MPI_Irecv(void *x, int n, handle t, int r, int tag, handle c, handle *q) { fail("a message from nobody"); return 1; }
// A request is complete when it has been asked for as often as it says: at once for broadcasts, after a while for sums.
int MPI_Testall(int n, long *q, int *flag, void *status) {
	enter();
	*flag = 1;
	for (int i = 0; i < n; i++)
		if (q[i] != 0x180 && --q[i] > 0) *flag = 0;
	return leave();
}
int MPI_Ibcast(void *x, int n, handle t, int r, handle c, long *q) { CALL(*q = 1); }
int MPI_Iallreduce(const void *x, void *y, int n, handle t, handle op, handle c, long *q) { CALL(*q = n % 2 ? 100 : 5); }
int MPI_Iallgatherv(const void *x, int n, handle t, void *y, int *ns, int *at, handle u, handle c, long *q) {
	if (x != (void *)1) fail("not in place");
	CALL(*q = 30);
}
#ifndef INCOMPLETE
int MPI_Ibarrier(handle c, long *q) { CALL(*q = 50); }
#endif
