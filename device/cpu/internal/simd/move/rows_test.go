package move

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

func TestTakeRows(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(9, 10))
		const rows = 40
		for _, size := range []int{1, 2, 4, 8, 16} {
			for _, n := range []int{0, 1, 5, 100} {
				for _, length := range []int{1, 3, 4, 15, 16, 17, 32, 60, 64, 65, 100, 300} {
					array := randomBytes(rng, rows*length*size)
					offsets := randomOffsets(rng, n, rows, length)
					for _, stream := range []bool{false, true} {
						dst := randomBytes(rng, n*length*size+64)
						want := slices.Clone(dst)
						for i := range n {
							copy(want[i*length*size:], array[offsets[i]*size:][:length*size])
						}
						TakeRows(unsafe.Pointer(&dst[0]), unsafe.Pointer(&array[0]), offsets, size, length*size, stream)
						if !slices.Equal(dst, want) {
							t.Fatalf("%d rows of %d elements of %d bytes are wrong", n, length, size)
						}
					}
				}
			}
		}
	})
}

// randomOffsets returns the offsets of rows, followed by the first offsets again.
func randomOffsets(rng *rand.Rand, n, rows, length int) []int {
	offsets := make([]int, n+Ahead)
	for i := range offsets {
		offsets[i] = rng.IntN(rows) * length
	}
	return offsets
}

func TestAddRows(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(11, 12))
		for length := 1; length <= 300; length++ {
			checkAddRows[float32](t, rng, 13, length)
			checkAddRows[float64](t, rng, 13, length)
		}
		checkAddRows[float32](t, rng, 0, 20)
		checkAddRows[float32](t, rng, 300, 250)
	})
}

func checkAddRows[T float32 | float64](t *testing.T, rng *rand.Rand, n, length int) {
	t.Helper()
	const rows = 7
	numbers := func(n int) []T {
		x := make([]T, n+1)
		for i := range x {
			x[i] = T(rng.NormFloat64())
		}
		x[rng.IntN(len(x))] = T(math.Inf(1))
		return x
	}
	array, src := numbers(rows*length), numbers(n*length)
	offsets := randomOffsets(rng, n, rows, length)
	want := slices.Clone(array)
	for i := range n {
		for k := range length {
			want[offsets[i]+k] += src[i*length+k]
		}
	}
	AddRows[T](unsafe.Pointer(&array[0]), unsafe.Pointer(&src[0]), offsets, length)
	for i := range want {
		if math.Float64bits(float64(want[i])) != math.Float64bits(float64(array[i])) && want[i] == want[i] {
			t.Fatalf("%d rows of %d: element %d is %v, want %v", n, length, i, array[i], want[i])
		}
	}
}

func TestInRange(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(13, 14))
		for n := range 150 {
			indices := make([]int64, n)
			for i := range indices {
				indices[i] = rng.Int64N(20) - 10
			}
			if !InRange(indices, -10, 9) {
				t.Fatalf("%d indices in range are rejected", n)
			}
			for _, outside := range []int64{-11, 10, math.MinInt64, math.MaxInt64, math.MinInt64 + 5, math.MaxInt64 - 9, 1 << 40, -1 << 40} {
				if n > 0 {
					i := rng.IntN(n)
					old := indices[i]
					indices[i] = outside
					if InRange(indices, -10, 9) {
						t.Fatalf("%d indices with %d are accepted", n, outside)
					}
					indices[i] = old
				}
			}
		}
	})
}

func TestElements(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		elementsOf[float32](t)
		elementsOf[float64](t)
	})
}

func elementsOf[T float32 | float64](t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	for _, shape := range []struct{ size, stride, step, distance int }{{10, 1, 0, 1}, {10, 3, 0, 1}, {7, 2, 14, 0}, {5, -1, 0, 2}, {4, 100, 1, 1}} {
		const n = 25
		array := make([]T, 2000)
		for i := range array {
			array[i] = T(rng.NormFloat64())
		}
		src, dst := array[:100], make([]T, n)
		p := Selection{Array: unsafe.Pointer(&array[1000]), Size: shape.size, Stride: shape.stride, Step: shape.step}
		var elements []int
		for i := range n {
			index := rng.IntN(2*shape.size) - shape.size
			p.Indices = append(p.Indices, int64(index))
			elements = append(elements, 1000+(index+shape.size)%shape.size*shape.stride+i*shape.step)
		}
		added, put := slices.Clone(array), slices.Clone(array)
		for i, element := range elements {
			added[element] += src[i*shape.distance]
			put[element] = src[i*shape.distance]
		}
		Take[T](unsafe.Pointer(&dst[0]), p)
		for i, element := range elements {
			if dst[i] != array[element] {
				t.Fatalf("%v: element %d is %v, want %v", shape, i, dst[i], array[element])
			}
		}
		before := slices.Clone(array)
		if Add[T](p, unsafe.Pointer(&src[0]), shape.distance); !slices.Equal(array, added) {
			t.Fatalf("%v: sums are wrong", shape)
		}
		copy(array, before)
		if Put[T](p, unsafe.Pointer(&src[0]), shape.distance); !slices.Equal(array, put) {
			t.Fatalf("%v: assignments are wrong", shape)
		}
	}
}

func TestTake(t *testing.T) {
	for _, amd := range []bool{false, true} {
		t.Run(fmt.Sprint("amd=", amd), func(t *testing.T) {
			defer isa.TuneForAMD(isa.TuneForAMD(amd))
			takes(t)
		})
	}
}

func takes(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(19, 20))
		const size = 50
		small, large := make([]uint32, size), make([]uint64, size)
		for i := range small {
			small[i], large[i] = rng.Uint32(), rng.Uint64()
		}
		for n := range 301 {
			indices := make([]int64, n)
			y, z := make([]uint32, n+1), make([]uint64, n+1)
			for i := range indices {
				indices[i] = rng.Int64N(2*size) - size
			}
			Take[uint32](unsafe.Pointer(&y[0]), Selection{unsafe.Pointer(&small[0]), indices, size, 1, 0})
			Take[uint64](unsafe.Pointer(&z[0]), Selection{unsafe.Pointer(&large[0]), indices, size, 1, 0})
			for i, index := range indices {
				if at := (index + size) % size; y[i] != small[at] || z[i] != large[at] {
					t.Fatalf("element %d of %d is wrong", i, n)
				}
			}
			if y[n] != 0 || z[n] != 0 {
				t.Fatalf("%d elements: memory after them was written", n)
			}
		}
	})
}
