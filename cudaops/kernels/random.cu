// Random: an element depends only on the key and on its number in the stream.
#include "opcodes.cuh"
#include "walk.cuh"

enum : i64 { Draw_bits, Draw_uniform, Draw_normal, Draw_bernoulli, Draw_gamma, Draw_beta, Draw_poisson, Draw_binomial, Draw_vonmises, Draw_zipf,
	Draw_logseries, Draw_hypergeometric };

template <int R> struct RandomParams {
	u64 key0, key1, counter;
	i64 distribution, bits, least; // bits of a uniform number; least of a Bernoulli number
	i64 types[4];
	Walk<R, 4> walk; // y, a, b, c
};

// draw calls f(y, words) with each element of y and its block of random words.
template <int R, class F> DEVICE void draw(const RandomParams<R>& p, F f) {
	FOR_POINTS(i, p.walk.count) {
		i64 at[1];
		p.walk.offsets((u32)i, at);
		u64 number = p.counter + (u64)i;
		u32 c0 = (u32)number, c1 = (u32)(number >> 32), c2 = 0, c3 = 0, k0 = (u32)p.key0, k1 = (u32)p.key1;
#pragma unroll
		for (int round = 0; round < 10; round++) { // Philox 4x32-10, as package scalar has it
			u64 a = (u64)0xd2511f53 * c0, b = (u64)0xcd9e8d57 * c2;
			c0 = (u32)(b >> 32) ^ c1 ^ k0;
			c2 = (u32)(a >> 32) ^ c3 ^ k1;
			c1 = (u32)b;
			c3 = (u32)a;
			k0 += 0x9e3779b9;
			k1 += 0xbb67ae85;
		}
		u32 words[4] = {c0, c1, c2, c3};
		f(p.walk.data[0] + at[0], words);
	}
}

// random_bits draws numbers that need few bits: integers, uniform and Bernoulli numbers.
KERNEL(random_bits, RandomParams) {
	const i64 type = p.types[0];
	switch (p.distribution) {
	case Draw_bits: draw(p, [=](char* y, const u32* w) { store<u64>(y, type, (u64)w[1] << 32 | w[0]); }); return;
	case Draw_bernoulli: draw(p, [&](char* y, const u32* w) { store<bool>(y, type, (w[0] >> 8) >= (u32)p.least); }); return;
	}
	if (p.bits == 53) draw(p, [=](char* y, const u32* w) { store<double>(y, type, scalar::Uniform64(w[1], w[0])); });
	else draw(p, [&](char* y, const u32* w) { store<float>(y, type, scalar::UniformBits(w[0], p.bits)); });
}

KERNEL(random_normal, RandomParams) {
	draw(p, [&](char* y, const u32* w) {
		store<double>(y, p.types[0], scalar::Normal2(scalar::Uniform64(w[1], w[0]), scalar::Uniform64(w[3], w[2])).a);
	});
}

template <int R> DEVICE_LARGE double sampled(const RandomParams<R>& p, u32 i, const i64 (&at)[4]) {
	scalar::Sampler_t s{};
	s.key_.v[0] = (u32)p.key0;
	s.key_.v[1] = (u32)p.key1;
	s.number_ = p.counter + (u64)i;
	s.a_ = load<double>(p.walk.data[1] + at[1], p.types[1], Float64);
	s.c_ = p.walk.data[3] ? load<double>(p.walk.data[3] + at[3], p.types[3], Float64) : 0;
	s.b_ = p.walk.data[2] ? load<double>(p.walk.data[2] + at[2], p.types[2], Float64) : 0;
	switch (p.distribution) {
	case Draw_gamma: return s.b_ * scalar::Sampler_gamma(&s, s.a_);
	case Draw_beta: return scalar::Sampler_beta(&s);
	case Draw_poisson: return scalar::Sampler_poisson(&s);
	case Draw_binomial: return scalar::Sampler_binomial(&s);
	case Draw_vonmises: return scalar::Sampler_vonMises(&s);
	case Draw_zipf: return scalar::Sampler_zipf(&s);
	case Draw_logseries: return scalar::Sampler_logSeries(&s);
	}
	return scalar::Sampler_hypergeometric(&s);
}

// random_sampled is for distributions that may use several blocks per number.
KERNEL(random_sampled, RandomParams) {
	FOR_POINTS(i, p.walk.count) {
		i64 at[4];
		p.walk.offsets((u32)i, at);
		store<double>(p.walk.data[0] + at[0], p.types[0], sampled(p, (u32)i, at));
	}
}
