package dtype_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/x448/float16"
)

// buffer returns zeroed memory for n elements of any type.
func buffer(n int) unsafe.Pointer { return unsafe.Pointer(&make([][2]uint64, n+1)[0]) }

func bytesOf(p unsafe.Pointer, n int) []byte { return unsafe.Slice((*byte)(p), n) }

func pointer[T any](s []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s)) }

// samples returns values of a type that are critical for conversions: the ends of ranges, ties, their neighbours, and
// random values.
func samples(d dtype.DType) (unsafe.Pointer, int) {
	rng := rand.New(rand.NewPCG(1, uint64(d)))
	switch d {
	case dtype.Bool:
		s := []bool{false, true, true, false}
		return pointer(s), len(s)
	case dtype.Float16, dtype.BFloat16:
		var s []uint16
		for bits := 0; bits <= math.MaxUint16; bits += 11 {
			s = append(s, uint16(bits))
		}
		s = append(s, 0x8000, 0x7c00, 0xfc00, 0x7c01, 0x7f80, 0xff80, 0x7f81, 0x3f80, 0x5bff, 0x5c00)
		return pointer(s), len(s)
	case dtype.Float32:
		s := narrow[float32](floats(rng))
		for range 2000 {
			s = append(s, math.Float32frombits(rng.Uint32()))
		}
		return pointer(s), len(s)
	case dtype.Float64:
		s := floats(rng)
		for range 1000 {
			s = append(s, math.Float64frombits(rng.Uint64()))
		}
		return pointer(s), len(s)
	case dtype.Complex64:
		s := narrow[float32](floats(rng))
		s = append(s, 0, 1, 0, float32(math.NaN()), 0, 0)
		return pointer(s), len(s) / 2
	case dtype.Complex128:
		s := floats(rng)
		s = append(s, 0, 1, 0, math.NaN(), 0, 0)
		return pointer(s), len(s) / 2
	case dtype.Int8, dtype.Uint8:
		s := narrow[uint8](integers(rng))
		return pointer(s), len(s)
	case dtype.Int16, dtype.Uint16:
		s := narrow[uint16](integers(rng))
		return pointer(s), len(s)
	case dtype.Int32, dtype.Uint32:
		s := narrow[uint32](integers(rng))
		return pointer(s), len(s)
	default:
		s := integers(rng)
		return pointer(s), len(s)
	}
}

func narrow[T uint8 | uint16 | uint32 | float32, S uint64 | float64](wide []S) []T {
	s := make([]T, len(wide))
	for i, v := range wide {
		s[i] = T(v)
	}
	return s
}

func integers(rng *rand.Rand) []uint64 {
	var s []uint64
	for shift := range 64 {
		power := uint64(1) << shift
		for _, v := range []uint64{power - 1, power, power + 1, power + power>>1, power | power>>8, power | power>>8 | 1, power | power>>8 | power>>7} {
			s = append(s, v, -v)
		}
		s = append(s, rng.Uint64()>>shift, -(rng.Uint64() >> shift))
	}
	return s
}

func floats(rng *rand.Rand) []float64 {
	s := []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, math.SmallestNonzeroFloat64}
	around := func(f float64) {
		for _, v := range []float64{f, math.Nextafter(f, 0), math.Nextafter(f, math.Inf(1)), f + 0.5, f - 0.5} {
			s = append(s, v, -v)
		}
	}
	for exponent := -160; exponent <= 130; exponent += 1 + max(0, exponent-64)/8 {
		around(math.Ldexp(1, exponent))
	}
	for _, limit := range []float64{127, 128, 255, 256, 65504, 65519, 65520, 65535, 1<<24 + 1, math.MaxFloat32, 3.39615e38} {
		around(limit)
	}
	// The ties of the 16-bit formats and their neighbours.
	for range 150 {
		half := rng.Uint32N(0x7c00)
		low := float64(float16.Float16(half).Float32())
		around((low + float64(float16.Float16(half+1).Float32())) / 2)
		brain := rng.Uint32N(0x7f7f)
		low = float64(dtype.BF16(brain).Float32())
		around((low + float64(dtype.BF16(brain+1).Float32())) / 2)
	}
	return s
}

func TestConvertAgreesWithExactArithmetic(t *testing.T) {
	for _, from := range all {
		src, n := samples(from)
		for _, to := range all {
			dst := buffer(n)
			dtype.Convert(to, dst, 1, from, src, 1, n)
			wrong := 0
			for i := range n {
				value := load(from, unsafe.Add(src, i*from.Size()))
				got := load(to, unsafe.Add(dst, i*to.Size()))
				if want := converted(to, from, value); !got.equal(want) && wrong < 5 {
					wrong++
					t.Errorf("%v to %v: %v gives %v, want %v", from, to, value, got, want)
				}
			}
		}
	}
}

func TestConvertStrides(t *testing.T) {
	const n = 300 // more than a block
	for _, from := range all {
		samplesAt, have := samples(from)
		src := buffer(3 * n)
		for i := range 3 * n {
			copy(bytesOf(unsafe.Add(src, i*from.Size()), from.Size()), bytesOf(unsafe.Add(samplesAt, i*7%have*from.Size()), from.Size()))
		}
		for _, to := range all {
			for _, srcStride := range []int{1, 3, -1, -2, 0} {
				for _, dstStride := range []int{1, 2, -1, -3} {
					got, want := buffer(3*n), buffer(3*n)
					for i := range bytesOf(got, 3*n*to.Size()) {
						bytesOf(got, 3*n*to.Size())[i] = 0xa5
						bytesOf(want, 3*n*to.Size())[i] = 0xa5
					}
					srcAt, dstAt := first(src, srcStride, n, from), first(got, dstStride, n, to)
					dtype.Convert(to, dstAt, dstStride, from, srcAt, srcStride, n)
					dstAt = first(want, dstStride, n, to)
					for i := range n {
						dtype.Convert(to, unsafe.Add(dstAt, i*dstStride*to.Size()), 1, from, unsafe.Add(srcAt, i*srcStride*from.Size()), 1, 1)
					}
					if !bytes.Equal(bytesOf(got, 3*n*to.Size()), bytesOf(want, 3*n*to.Size())) {
						t.Errorf("%v to %v with strides %d and %d: not what single elements give", from, to, srcStride, dstStride)
					}
				}
			}
		}
	}
}

// first returns the address of the first element of a run.
func first(p unsafe.Pointer, stride, n int, d dtype.DType) unsafe.Pointer {
	if stride < 0 {
		return unsafe.Add(p, -stride*(n-1)*d.Size())
	}
	return p
}

func TestConvertSaturates(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	checkSaturation(t, dtype.Int8, []float64{127.9, 128, -128.9, -129, 1e300, inf, -inf, nan, -0.9}, []int8{127, 127, -128, -128, 127, 127, -128, 0, 0})
	checkSaturation(t, dtype.Uint8, []float64{255.9, 256, -0.9, -1, 300, inf, -inf, nan}, []uint8{255, 255, 0, 0, 255, 255, 0, 0})
	checkSaturation(t, dtype.Int16, []float64{32767.5, 32768, -32769, inf, -inf, nan}, []int16{32767, 32767, -32768, 32767, -32768, 0})
	checkSaturation(t, dtype.Uint16, []float64{65535.5, 65536, -1, inf, -inf, nan}, []uint16{65535, 65535, 0, 65535, 0, 0})
	checkSaturation(t, dtype.Int32, []float64{2147483647.5, 2147483648, -2147483648.5, -2147483649, inf, -inf, nan}, []int32{2147483647, 2147483647, -2147483648, -2147483648, 2147483647, -2147483648, 0})
	checkSaturation(t, dtype.Uint32, []float64{4294967295.5, 4294967296, -1, inf, -inf, nan}, []uint32{4294967295, 4294967295, 0, 4294967295, 0, 0})
	checkSaturation(t, dtype.Int64, []float64{9223372036854774784, 9223372036854775808, -9223372036854775808, -1e19, inf, -inf, nan}, []int64{9223372036854774784, math.MaxInt64, math.MinInt64, math.MinInt64, math.MaxInt64, math.MinInt64, 0})
	checkSaturation(t, dtype.Uint64, []float64{18446744073709549568, 18446744073709551616, -1, inf, -inf, nan}, []uint64{18446744073709549568, math.MaxUint64, 0, math.MaxUint64, 0, 0})
}

func checkSaturation[T comparable](t *testing.T, to dtype.DType, from []float64, want []T) {
	t.Helper()
	got := make([]T, len(from))
	dtype.Convert(to, pointer(got), 1, dtype.Float64, pointer(from), 1, len(from))
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%v to %v: %v, want %v", from[i], to, got[i], want[i])
		}
	}
}

func TestConvertKeepsBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	const n = 67
	for _, d := range all {
		src, dst := buffer(n), buffer(n)
		for i := range bytesOf(src, n*d.Size()) {
			bytesOf(src, n*d.Size())[i] = byte(rng.Uint32()) | 0x7f // many NaNs
		}
		if d == dtype.Bool {
			for i := range bytesOf(src, n) {
				bytesOf(src, n)[i] &= 1
			}
		}
		dtype.Convert(d, dst, 1, d, src, 1, n)
		if !bytes.Equal(bytesOf(src, n*d.Size()), bytesOf(dst, n*d.Size())) {
			t.Errorf("%v to itself changes bits", d)
		}
		dtype.Convert(d, unsafe.Add(dst, (n-1)*d.Size()), -1, d, src, 1, n)
		for i := range n {
			if !bytes.Equal(bytesOf(unsafe.Add(src, i*d.Size()), d.Size()), bytesOf(unsafe.Add(dst, (n-1-i)*d.Size()), d.Size())) {
				t.Errorf("%v to itself, backwards, changes bits", d)
				break
			}
		}
	}
}

func TestConvertRepeatsOneElement(t *testing.T) {
	const n = 5000 // more than a chunk
	value := []float64{-1.5}
	for _, to := range all {
		dst, one := buffer(n), buffer(1)
		dtype.Convert(to, one, 1, dtype.Float64, pointer(value), 1, 1)
		dtype.Convert(to, dst, 1, dtype.Float64, pointer(value), 0, n)
		if want := bytes.Repeat(bytesOf(one, to.Size()), n); !bytes.Equal(bytesOf(dst, n*to.Size()), want) {
			t.Errorf("float64 to %v with stride 0 is not one value repeated", to)
		}
	}
}

func TestConvertInPlace(t *testing.T) {
	for _, from := range all {
		src, n := samples(from)
		for _, to := range all {
			if to.Size() != from.Size() {
				continue
			}
			want, block := buffer(n), buffer(n)
			dtype.Convert(to, want, 1, from, src, 1, n)
			copy(bytesOf(block, n*from.Size()), bytesOf(src, n*from.Size()))
			dtype.Convert(to, block, 1, from, block, 1, n)
			if !bytes.Equal(bytesOf(block, n*to.Size()), bytesOf(want, n*to.Size())) {
				t.Errorf("%v to %v in place differs", from, to)
			}
		}
	}
}

func TestConvertNothing(t *testing.T) {
	for _, from := range all {
		for _, to := range all {
			dtype.Convert(to, nil, 1, from, nil, 0, 0)
		}
	}
}

func TestConvertRefusesUnspecified(t *testing.T) {
	for _, types := range [][2]dtype.DType{{dtype.Unspecified, dtype.Int8}, {dtype.Int8, dtype.Unspecified}, {dtype.Int8, dtype.Count}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v to %v does not panic", types[0], types[1])
				}
			}()
			dtype.Convert(types[1], nil, 1, types[0], nil, 1, 0)
		}()
	}
}

func TestConvertDoesNotAllocate(t *testing.T) {
	src, dst := make([]uint16, 1000), make([]int16, 1000)
	for _, from := range []dtype.DType{dtype.Float16, dtype.Uint16} {
		allocs := testing.AllocsPerRun(10, func() {
			dtype.Convert(dtype.Int16, pointer(dst), 1, from, pointer(src), 1, len(src))
			dtype.Convert(dtype.BFloat16, pointer(dst), 1, from, pointer(src), 1, len(src))
		})
		if allocs != 0 {
			t.Errorf("from %v: %v allocations", from, allocs)
		}
	}
}
