// A library with the functions of NCCL that package nccl uses, for the emulator of a GPU: its ranks are threads of one process,
// and device memory is memory of the host. Each call waits for the stream, and moves the data at once.
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct { char bytes[128]; } ncclUniqueId;

struct message { struct message *next; int from, to; size_t bytes; void *data; };

// group is the ranks that found each other by one id, or by a split.
struct group {
	struct group *next, *parent;
	char id[128];
	int ranks, color, splits;
	struct message *mail;
	int *colors, *keys, split; // of ncclCommSplit: how many ranks have called it
};
struct comm { struct group *group; int rank, aborted; };
typedef struct comm *ncclComm_t;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct group *groups;
static int ids;

enum { ok, internal = 3, invalid = 4 };

int ncclGetVersion(int *v) { *v = 22705; return ok; }
const char *ncclGetErrorString(int r) { return r == ok ? "no error" : r == invalid ? "invalid argument" : "internal error"; }
const char *ncclGetLastError(ncclComm_t c) { return ""; }
int ncclCommGetAsyncError(ncclComm_t c, int *r) { *r = ok; return ok; }

int ncclGetUniqueId(ncclUniqueId *id) {
	memset(id, 7, sizeof *id);
	pthread_mutex_lock(&lock);
	id->bytes[0] = ++ids;
	id->bytes[127] = 42; // the last byte must arrive, too
	pthread_mutex_unlock(&lock);
	return ok;
}

static struct group *group_of(const char *id, int ranks) {
	for (struct group *g = groups; g; g = g->next)
		if (!memcmp(g->id, id, 128)) return g;
	struct group *g = calloc(1, sizeof *g);
	memcpy(g->id, id, 128);
	g->ranks = ranks;
	g->colors = calloc(ranks, sizeof(int));
	g->keys = calloc(ranks, sizeof(int));
	g->next = groups;
	return groups = g;
}

int ncclCommInitRank(ncclComm_t *c, int ranks, ncclUniqueId id, int rank) {
	if (id.bytes[127] != 42 || rank < 0 || rank >= ranks) return invalid;
	*c = calloc(1, sizeof **c);
	pthread_mutex_lock(&lock);
	(*c)->group = group_of(id.bytes, ranks);
	pthread_mutex_unlock(&lock);
	(*c)->rank = rank;
	return ok;
}
int ncclCommDestroy(ncclComm_t c) { free(c); return ok; }
int ncclCommAbort(ncclComm_t c) {
	pthread_mutex_lock(&lock);
	c->aborted = 1;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	return ok;
}

int ncclCommSplit(ncclComm_t c, int color, int key, ncclComm_t *made, void *config) {
	struct group *g = c->group;
	pthread_mutex_lock(&lock);
	g->colors[c->rank] = color;
	g->keys[c->rank] = key;
	int round = g->split++ / g->ranks;
	pthread_cond_broadcast(&changed);
	while (g->split < (round + 1) * g->ranks && !c->aborted) pthread_cond_wait(&changed, &lock);
	int ranks = 0, rank = 0;
	for (int r = 0; r < g->ranks; r++) {
		if (g->colors[r] != color) continue;
		ranks++;
		if (g->keys[r] < key || (g->keys[r] == key && r < c->rank)) rank++;
	}
	*made = NULL;
	if (color >= 0 && !c->aborted) {
		char id[128] = {0};
		memcpy(id, &g, sizeof g);
		id[100] = round;
		id[101] = color;
		*made = calloc(1, sizeof **made);
		(*made)->group = group_of(id, ranks);
		(*made)->rank = rank;
	}
	// nobody sets its color for the next split before all have read those of this one
	g->splits++;
	pthread_cond_broadcast(&changed);
	while (g->splits < (round + 1) * g->ranks && !c->aborted) pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	return ok;
}

static void post(ncclComm_t c, const void *from, size_t bytes, int to) {
	struct message *m = calloc(1, sizeof *m), **end = &c->group->mail;
	m->from = c->rank, m->to = to, m->bytes = bytes, m->data = malloc(bytes);
	memcpy(m->data, from, bytes);
	while (*end) end = &(*end)->next;
	*end = m;
	pthread_cond_broadcast(&changed);
}

static int fetch(ncclComm_t c, void *to, size_t bytes, int from) {
	for (;;) {
		if (c->aborted) return internal;
		for (struct message **at = &c->group->mail; *at; at = &(*at)->next) {
			struct message *m = *at;
			if (m->from != from || m->to != c->rank) continue;
			*at = m->next;
			int r = m->bytes == bytes ? ok : invalid;
			if (r == ok) memcpy(to, m->data, bytes);
			free(m->data);
			free(m);
			return r;
		}
		pthread_cond_wait(&changed, &lock);
	}
}

// operation is a call between ncclGroupStart and ncclGroupEnd.
struct operation { struct operation *next; int kind; const void *from; void *to; size_t count; int type, peer; ncclComm_t c; void *stream; };
enum { send_, recv_, broadcast_, gather_, reduce_ };
static __thread int depth;
static __thread struct operation *queue;

static size_t size_of(int type) { return type < 2 ? 1 : type < 4 || type == 7 ? 4 : type < 6 || type == 8 ? 8 : 2; }

static void add(void *to, const void *from, size_t n, int type) {
#define ADD(T) for (size_t i = 0; i < n; i++) ((T *)to)[i] += ((const T *)from)[i]; break
	switch (type) {
	case 0: ADD(int8_t);
	case 1: ADD(uint8_t);
	case 2: ADD(int32_t);
	case 3: ADD(uint32_t);
	case 4: ADD(int64_t);
	case 5: ADD(uint64_t);
	case 6: ADD(_Float16);
	case 7: ADD(float);
	case 8: ADD(double);
	case 9:
		for (size_t i = 0; i < n; i++) {
			uint32_t a = (uint32_t)((uint16_t *)to)[i] << 16, b = (uint32_t)((uint16_t *)from)[i] << 16;
			float x, y;
			memcpy(&x, &a, 4), memcpy(&y, &b, 4);
			x += y;
			memcpy(&a, &x, 4);
			((uint16_t *)to)[i] = (a + 0x7fff + (a >> 16 & 1)) >> 16;
		}
	}
}

static void begin(struct operation *o) {
	size_t bytes = o->count * size_of(o->type);
	int ranks = o->c->group->ranks;
	if (o->kind == send_) post(o->c, o->from, bytes, o->peer);
	if (o->kind == broadcast_ && o->peer == o->c->rank)
		for (int r = 0; r < ranks; r++) post(o->c, o->from, bytes, r);
	if (o->kind == gather_ || o->kind == reduce_)
		for (int r = 0; r < ranks; r++) post(o->c, o->from, bytes, r);
}

static int end(struct operation *o) {
	size_t bytes = o->count * size_of(o->type);
	int ranks = o->c->group->ranks, result = ok;
	if (o->kind == recv_ || o->kind == broadcast_) return fetch(o->c, o->to, bytes, o->peer);
	if (o->kind == gather_)
		for (int r = 0; r < ranks && !result; r++) result = fetch(o->c, (char *)o->to + r * bytes, bytes, r);
	if (o->kind == reduce_) {
		char *one = malloc(bytes);
		for (int r = 0; r < ranks && !result; r++) {
			result = fetch(o->c, r ? one : o->to, bytes, r);
			if (r && !result) add(o->to, one, o->count, o->type);
		}
		free(one);
	}
	return result;
}

int ncclGroupStart(void) { depth++; return ok; }
int ncclGroupEnd(void) {
	if (--depth) return ok;
	int (*wait)(void *) = (int (*)(void *))dlsym(dlopen("libcuda.so.1", RTLD_NOW), "cuStreamSynchronize");
	int result = ok;
	for (struct operation *o = queue; o; o = o->next)
		if (wait(o->stream)) result = internal;
	pthread_mutex_lock(&lock);
	for (struct operation *o = queue; o && !result; o = o->next) begin(o);
	for (struct operation *o = queue; o && !result; o = o->next) result = end(o);
	pthread_mutex_unlock(&lock);
	while (queue) {
		struct operation *o = queue;
		queue = o->next;
		free(o);
	}
	return result;
}

static int add_operation(struct operation o) {
	struct operation *made = malloc(sizeof o), **last = &queue;
	ncclGroupStart();
	*made = o;
	while (*last) last = &(*last)->next;
	*last = made;
	return ncclGroupEnd();
}

int ncclSend(const void *from, size_t n, int type, int peer, ncclComm_t c, void *stream) {
	return add_operation((struct operation){.kind = send_, .from = from, .count = n, .type = type, .peer = peer, .c = c, .stream = stream});
}
int ncclRecv(void *to, size_t n, int type, int peer, ncclComm_t c, void *stream) {
	return add_operation((struct operation){.kind = recv_, .to = to, .count = n, .type = type, .peer = peer, .c = c, .stream = stream});
}
int ncclBroadcast(const void *from, void *to, size_t n, int type, int root, ncclComm_t c, void *stream) {
	return add_operation((struct operation){.kind = broadcast_, .from = from, .to = to, .count = n, .type = type, .peer = root, .c = c, .stream = stream});
}
int ncclAllGather(const void *from, void *to, size_t n, int type, ncclComm_t c, void *stream) {
	return add_operation((struct operation){.kind = gather_, .from = from, .to = to, .count = n, .type = type, .c = c, .stream = stream});
}
int ncclAllReduce(const void *from, void *to, size_t n, int type, int op, ncclComm_t c, void *stream) {
	if (op != 0) return invalid;
	return add_operation((struct operation){.kind = reduce_, .from = from, .to = to, .count = n, .type = type, .c = c, .stream = stream});
}
