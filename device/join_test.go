package device

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// compiledFor32 returns a program for float32.
func compiledFor32(t *testing.T, inputs, scalars, body string) *Program {
	t.Helper()
	p, err := Source{Name: body, Inputs: inputs, Scalars: scalars, Outputs: "T y", Body: body}.Compile(func(byte) dtype.DType { return dtype.Float32 })
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestJoin joins (x·s + y)², with the sum as a second output, and the same with other numbers of its inputs.
func TestJoin(t *testing.T) {
	scaled, sum, square := compiledFor32(t, "T x", "T s", "x * s"), compiledFor32(t, "T a, T b", "", "a + b"), compiledFor32(t, "T x", "", "x * x")
	stages := func(y int) []Stage {
		return []Stage{
			{Program: scaled, Inputs: []int{0}, Scalars: []int{0}},
			{Program: sum, Inputs: []int{-1, y}, Stored: true},
			{Program: square, Inputs: []int{-2}, Stored: true},
		}
	}
	p := Join(stages(1))
	const want = `x * x(float32 x, float32 b; float32 s) -> float32 y, float32 y
  0 float32 input x
  1 float32 scalar s
  2 float32 mul %0 %1
  3 float32 input b
  4 float32 add %2 %3
  5 float32 mul %4 %4
  = [4 5]
`
	if got := p.String(); got != want {
		t.Errorf("joined:\n%swant\n%s", got, want)
	}
	if Join(stages(1)) != p {
		t.Error("the same structure is joined again")
	}
	other := Join(stages(0))
	if other == p || len(other.Inputs) != 1 || len(other.Outputs) != 2 {
		t.Errorf("with one input:\n%s", other)
	}
}
