package elementwise

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// TestInTurns stores two to four arrays in turns.
func TestInTurns(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		testInTurns(t, func(i int) uint8 { return uint8(i) })
		testInTurns(t, func(i int) int16 { return int16(i) })
		testInTurns(t, func(i int) float32 { return float32(i) })
		testInTurns(t, func(i int) float64 { return float64(i) })
		testInTurns(t, func(i int) complex128 { return complex(float64(i), 1) })
	})
}

func testInTurns[T dtype.Element](t *testing.T, number func(i int) T) {
	for count := 2; count <= 4; count++ {
		var ins, outs, body []string
		for k := range count {
			ins, outs = append(ins, fmt.Sprint("T x", k)), append(outs, fmt.Sprint("T y", k))
			body = append(body, fmt.Sprintf("y%d = x%d", k, k))
		}
		p := launchtest.Compile(t, dtype.Of[T](), strings.Join(ins, ", "), strings.Join(outs, ", "), strings.Join(body, "; "))
		for _, n := range []int{1, 15, 100, 5000} {
			got, want := make([]T, n*count+3), make([]T, n*count+3)
			operands := make([]launchtest.Array, 2*count)
			for k := range count {
				x := make([]T, n)
				for i := range x {
					x[i] = number(i*count + k)
					want[1+i*count+k] = x[i]
				}
				operands[k], operands[count+k] = launchtest.NewStrided(got, 1+k, []int{count}), launchtest.New(x, n)
			}
			l := launchtest.Launch([]int{n}, operands...)
			l.Outputs, l.Program = count, p
			if turns := inTurns(PlanFor(p), l); turns == nil || turns.rows != count {
				t.Fatalf("%d arrays of %d elements are not stored in turns", count, n)
			}
			Elementwise(l)
			if l.Recycle(); !slices.Equal(got, want) {
				t.Fatalf("%d arrays of %d elements of type %T: %v, want %v", count, n, got, got, want)
			}
		}
	}
}
