package device_test

import (
	"sync"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// TestProgramsAreCompiledOnce requests a program from several goroutines at once. All get the same program; another
// dtype gets another program.
func TestProgramsAreCompiledOnce(t *testing.T) {
	magnitude := device.Programs{Source: device.Source{Name: "magnitude", Inputs: "T x", Outputs: "R y", Body: "abs(x)"}}
	asked := []func() *device.Program{
		func() *device.Program { return magnitude.Of(dtype.Complex64) },
		func() *device.Program {
			p, err := magnitude.For(device.Letters{'R' - 'A': dtype.Float64, 'T' - 'A': dtype.Float64})
			if err != nil {
				t.Error(err)
			}
			return p
		},
	}
	for _, of := range asked {
		var got [8]*device.Program
		var all sync.WaitGroup
		for i := range got {
			all.Go(func() { got[i] = of() })
		}
		all.Wait()
		for _, p := range got {
			if p == nil || p != got[0] {
				t.Fatalf("goroutines got different programs: %p", got)
			}
		}
	}
	p := asked[0]()
	if in, out := p.Inputs[0].Type, p.Outputs[0].Type; in != dtype.Complex64 || out != dtype.Float32 {
		t.Errorf("of complex64: from %s to %s, want R to be float32", in, out)
	}
	if magnitude.Of(dtype.Float32) == p {
		t.Error("float32 has the program of complex64")
	}
}

func TestProgramsOfSource(t *testing.T) {
	var one device.Programs
	made := 0
	source := func(t dtype.DType) device.Source {
		made++
		return device.Source{Name: "one of " + t.String(), Outputs: "T y", Body: "y = 1"}
	}
	for range 2 {
		if p := one.OfSource(dtype.Int8, source); p.Name != "one of int8" || made != 1 {
			t.Errorf("the program of %q, after %d sources: want that of one", p.Name, made)
		}
	}
}

func TestProgramsForWrongTypes(t *testing.T) {
	bits := device.Programs{Source: device.Source{Name: "bits", Inputs: "T x", Outputs: "T y", Body: "x & 1"}}
	if p, err := bits.For(device.Letters{'T' - 'A': dtype.Float32}); err == nil {
		t.Errorf("the bits of a float: %v, want an error", p)
	}
}

// TestTestsOfTheTypeAreConstants compiles a text that chooses a number by the type's range.
func TestTestsOfTheTypeAreConstants(t *testing.T) {
	limit := device.Programs{Source: device.Source{Name: "limit", Inputs: "T x", Outputs: "T y",
		Body: "top = T(1e150) == inf ? T(1e17) : T(1e150); y = 1 < T(0.5) ? x : min(x, top)"}}
	for dt, want := range map[dtype.DType]float64{dtype.Float16: 1e17, dtype.Float32: 1e17, dtype.Float64: 1e150} {
		top, ok := 0.0, true
		for _, in := range limit.Of(dt).Code {
			switch in.Op {
			case device.OpConst:
				top = max(top, in.Value.Re)
			case device.OpEq, device.OpLt, device.OpSelect:
				ok = false
			}
		}
		if !ok || top != want {
			t.Errorf("%s: want %v and no comparison with it\n%s", dt, want, limit.Of(dt))
		}
	}
}
