package nd

import (
	"math/bits"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Rand is a stream of random numbers: Philox 4x32-10 with a key and a counter. The numbers of a draw depend on the key
// and on how many numbers were drawn before, not on devices or threads. A Rand is used from one goroutine; Split makes
// independent streams.
type Rand struct {
	key     [2]uint32
	counter uint64
	splits  uint64
}

// NewRand returns the stream of a seed.
// PyTorch: manual_seed.
func NewRand(seed uint64) *Rand {
	return &Rand{key: [2]uint32{uint32(seed), uint32(seed >> 32)}}
}

// Split returns a stream that is independent of r and of r's other splits. It does not change what r itself draws.
func (r *Rand) Split() *Rand {
	if r == nil {
		panic(noStream("Rand.Split"))
	}
	r.splits++
	mixed := splitMix(splitMix(uint64(r.key[0])|uint64(r.key[1])<<32) + r.splits)
	return NewRand(mixed)
}

// splitMix is the finaliser of SplitMix64 (Steele, Lea and Flood 2014): a bijection that leaves no simple relation
// between neighbouring keys.
func splitMix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Uint64 draws one number, for decisions on the host such as the order of batches.
func (r *Rand) Uint64() uint64 {
	v := Value[uint64](Func("Rand.Uint64").Random(r, device.DistributionBits, nil, dtype.Uint64))
	return v
}

// IntN draws a number from 0 to n-1.
func (r *Rand) IntN(n int) int {
	if r == nil {
		panic(noStream("Rand.IntN"))
	}
	if n <= 0 {
		panic(Func("Rand.IntN").Errorf(nil, "n = %d: want a positive one", n))
	}
	limit := ^uint64(0) - ^uint64(0)%uint64(n)
	for {
		if v := r.Uint64(); v < limit {
			return int(v % uint64(n))
		}
	}
}

// Perm returns the numbers from 0 to n-1 in random order. It draws n numbers.
func (r *Rand) Perm(n int) []int {
	drawn := Func("Rand.Perm").Random(r, device.DistributionBits, []int{n}, dtype.Uint64)
	defer drawn.Release()
	draws := ToSlice[uint64](drawn)
	p := make([]int, n)
	for i := range p {
		j, _ := bits.Mul64(draws[i], uint64(i+1)) // a number below i+1; the bias is below 2⁻³² for any slice that fits
		p[i], p[j] = p[j], i
	}
	return p
}

// Random returns an array of draws from a stream.
func (fn Func) Random(r *Rand, d device.Distribution, shape []int, opts ...ArrayOption) *Array {
	if r == nil {
		panic(noStream(fn))
	}
	dt, dev := fn.ArrayOptions(opts).or(dtype.Float64, cpu)
	y := allocate(fn, dev, dt, shape)
	r.draw(fn, d, 0, y)
	return y
}

// RandomOf is Random for a distribution with parameters: float64 arrays on the device of the draws that broadcast to the
// shape.
func (fn Func) RandomOf(r *Rand, d device.Distribution, shape []int, parameters []*Array, opts ...ArrayOption) *Array {
	if r == nil {
		panic(noStream(fn))
	}
	dt, dev := fn.ArrayOptions(opts).or(dtype.Float64, cpu)
	y := allocate(fn, dev, dt, shape)
	r.draw(fn, d, 0, y, parameters...)
	return y
}

// Redrawn returns an array like y, the last draw from r, with new draws for the same elements. time, from 1 on, numbers
// the redraws. Redraws do not change what r draws next: they use streams that no split of r uses.
func (fn Func) Redrawn(r *Rand, d device.Distribution, y *Array, time int) *Array {
	if r == nil {
		panic(noStream(fn))
	}
	mixed := splitMix(splitMix(uint64(r.key[0])|uint64(r.key[1])<<32) - uint64(time)) // Split numbers its streams upwards
	other := NewRand(mixed)
	other.counter = r.counter - uint64(y.Size())
	again := fn.NewLike(y.dtype, y.Shape(), y)
	other.draw(fn, d, 0, again)
	return again
}

// Coins returns an array of bools, each true with probability 1-p. It is on x's device and belongs to x's arena.
func (fn Func) Coins(r *Rand, p float64, shape []int, x *Array) *Array {
	if r == nil {
		panic(noStream(fn))
	}
	y := fn.NewLike(dtype.Bool, shape, x)
	r.draw(fn, device.DistributionBernoulli, p, y)
	return y
}

func noStream(fn Func) *Error {
	return fn.Errorf(nil, "no stream of random numbers: pass nd.NewRand(seed)")
}

// draw fills y.
func (r *Rand) draw(fn Func, d device.Distribution, parameter float64, y *Array, parameters ...*Array) {
	l := fn.Launch(y.store.dev, y.shape)
	l.Distribution, l.Key, l.Counter = d, r.key, r.counter
	l.Scalars[0].Re = parameter
	l.Write(y)
	for _, p := range parameters {
		l.Read(p)
	}
	l.Run(device.Device.Random)
	drew(y)
	r.counter += uint64(y.Size())
}
