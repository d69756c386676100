// Random: an element depends on the key and on its number in the stream alone.
#include "opcodes.cuh"

enum : i64 { Draw_bits, Draw_uniform, Draw_normal, Draw_bernoulli, Draw_gamma, Draw_beta, Draw_poisson, Draw_binomial };

template <int R> struct RandomParams {
	u64 key0, key1, counter;
	i64 distribution, bits, least; // of a uniform number; of a Bernoulli number
	Loop<R, 3> loop;
};

template <int R> DEVICE_LARGE double sampled(const RandomParams<R>& p, i64 i) {
	scalar::Sampler_t s{};
	s.key_.v[0] = (u32)p.key0;
	s.key_.v[1] = (u32)p.key1;
	s.number_ = p.counter + (u64)i;
	s.a_ = p.loop.at[1].template load<double>(p.loop.place(1, i), Float64);
	s.b_ = p.loop.at[2].data ? p.loop.at[2].template load<double>(p.loop.place(2, i), Float64) : 0;
	switch (p.distribution) {
	case Draw_gamma: return s.b_ * scalar::Sampler_gamma(&s, s.a_);
	case Draw_beta: return scalar::Sampler_beta(&s);
	case Draw_poisson: return scalar::Sampler_poisson(&s);
	}
	return scalar::Sampler_binomial(&s);
}

KERNEL(random, RandomParams) {
	const Operand<R>& y = p.loop.at[0];
	FOR_POINTS(i, p.loop.count) {
		i64 at = p.loop.place(0, i);
		if (p.distribution >= Draw_gamma) {
			y.template store<double>(at, sampled(p, i));
			continue;
		}
		u64 number = p.counter + (u64)i;
		Array<u32, 4> w = scalar::Philox4x32(Array<u32, 4>{{(u32)number, (u32)(number >> 32), 0, 0}}, Array<u32, 2>{{(u32)p.key0, (u32)p.key1}});
		switch (p.distribution) {
		case Draw_bits: y.template store<u64>(at, (u64)w[1] << 32 | w[0]); break;
		case Draw_uniform:
			if (p.bits == 53) y.template store<double>(at, scalar::Uniform64(w[1], w[0]));
			else y.template store<float>(at, scalar::UniformBits(w[0], p.bits));
			break;
		case Draw_normal: y.template store<double>(at, scalar::Normal2(scalar::Uniform64(w[1], w[0]), scalar::Uniform64(w[3], w[2])).a); break;
		case Draw_bernoulli: y.template store<bool>(at, (w[0] >> 8) >= (u32)p.least);
		}
	}
}
