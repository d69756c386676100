// CPU emulator of cuBLAS: matrix products, one element after another, once the earlier work of the stream is done.
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <cstring>

extern "C" int cuStreamSynchronize(void *);

namespace {

struct Handle {
	void *stream;
};

float widened(uint16_t h, bool brain) {
	if (brain) {
		uint32_t bits = (uint32_t)h << 16;
		float x;
		memcpy(&x, &bits, 4);
		return x;
	}
	int exponent = h >> 10 & 31, fraction = h & 1023;
	float x = exponent == 31 ? (fraction ? NAN : INFINITY) : exponent ? ldexpf(1024 + fraction, exponent - 25) : ldexpf(fraction, -24);
	return h >> 15 ? -x : x;
}

// narrowed rounds to the nearest 16-bit number, ties to even. It searches all 16-bit numbers.
uint16_t narrowed(float x, bool brain) {
	if (x != x) return 0x7fff;
	uint16_t low = 0, high = brain ? 0x7f80 : 0x7c00, sign = std::signbit(x) ? 0x8000 : 0;
	double magnitude = fabs((double)x);
	while (high - low > 1) {
		uint16_t middle = (low + high) / 2;
		(widened(middle, brain) <= magnitude ? low : high) = middle;
	}
	double above = widened(high, brain);
	if (std::isinf(above)) above = 2 * (double)widened(high - 1, brain) - widened(high - 2, brain);
	double below = magnitude - widened(low, brain), left = above - magnitude;
	return sign | (below < left || (below == left && low % 2 == 0) ? low : high);
}

template <class T> struct Element {
	static T load(const void *p, int64_t i) { return ((const T *)p)[i]; }
	static void store(void *p, int64_t i, T x) { ((T *)p)[i] = x; }
};
template <bool brain> struct Half {
	static float load(const void *p, int64_t i) { return widened(((const uint16_t *)p)[i], brain); }
	static void store(void *p, int64_t i, float x) { ((uint16_t *)p)[i] = narrowed(x, brain); }
};

template <class T, class In, class Out>
void multiply(int ta, int tb, int m, int n, int k, const char *a, int lda, const char *b, int ldb, bool add, char *c, int ldc) {
	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i < m; i++) {
			T sum = 0;
			for (int64_t l = 0; l < k; l++)
				sum += (T)In::load(a, ta ? i * lda + l : l * lda + i) * (T)In::load(b, tb ? l * ldb + j : j * ldb + l);
			if (add) sum += (T)Out::load(c, j * ldc + i);
			Out::store(c, j * ldc + i, (decltype(Out::load(c, 0)))sum);
		}
}

} // namespace

extern "C" {

int cublasCreate_v2(Handle **h) { return *h = new Handle{}, 0; }
int cublasSetStream_v2(Handle *h, void *stream) { return h->stream = stream, 0; }
int cublasSetMathMode(Handle *, int) { return 0; }
int cublasSetWorkspace_v2(Handle *, void *, size_t) { return 0; }
int cublasGetVersion_v2(Handle *, int *version) { return *version = 120403, 0; }

int cublasGemmStridedBatchedEx(Handle *h, int ta, int tb, int m, int n, int k, const void *, const void *a, int type, int lda, long long stride_a,
	const void *b, int type_b, int ldb, long long stride_b, const void *beta, void *c, int type_c, int ldc, long long stride_c, int batch, int compute, int) {
	static const int sizes[] = {4, 8, 2, 0, 8, 16, 0, 0, 0, 0, 0, 0, 0, 0, 2};
	const int invalid = 7, unsupported = 15;
	if (m < 0 || n < 0 || k < 0 || batch < 0 || lda < (ta ? k : m) || ldb < (tb ? n : k) || ldc < m || lda < 1 || ldb < 1 || ldc < 1) return invalid;
	if (type != type_b || compute != (type == 1 || type == 5 ? 70 : 68) || (type_c != type && !(type_c == 0 && sizes[type] == 2))) return unsupported;
	if (getenv("NDGRAD_EMULATOR_IDLE")) return 0; // like the emulated driver
	if (int r = cuStreamSynchronize(h->stream)) return r;
	bool add = compute == 70 ? *(const double *)beta != 0 : *(const float *)beta != 0;
	for (int64_t i = 0; i < batch; i++) {
		const char *x = (const char *)a + i * stride_a * sizes[type], *y = (const char *)b + i * stride_b * sizes[type];
		char *z = (char *)c + i * stride_c * sizes[type_c];
#define PRODUCT(T, In, Out) multiply<T, In, Out>(ta, tb, m, n, k, x, lda, y, ldb, add, z, ldc)
		if (type == 0) PRODUCT(double, Element<float>, Element<float>);
		else if (type == 1) PRODUCT(double, Element<double>, Element<double>);
		else if (type == 2 && type_c == 0) PRODUCT(double, Half<false>, Element<float>);
		else if (type == 2) PRODUCT(double, Half<false>, Half<false>);
		else if (type == 14 && type_c == 0) PRODUCT(double, Half<true>, Element<float>);
		else if (type == 14) PRODUCT(double, Half<true>, Half<true>);
		else if (type == 4) PRODUCT(std::complex<double>, Element<std::complex<float>>, Element<std::complex<float>>);
		else PRODUCT(std::complex<double>, Element<std::complex<double>>, Element<std::complex<double>>);
	}
	return 0;
}

int cublasGemmEx(Handle *h, int ta, int tb, int m, int n, int k, const void *alpha, const void *a, int type, int lda, const void *b, int type_b, int ldb,
	const void *beta, void *c, int type_c, int ldc, int compute, int how) {
	return cublasGemmStridedBatchedEx(h, ta, tb, m, n, k, alpha, a, type, lda, 0, b, type_b, ldb, 0, beta, c, type_c, ldc, 0, 1, compute, how);
}
}
