package elementwise

import (
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// TestEngines: functions of floats keep to the engine that runs them alone; what is exact may run on wider ones, too.
func TestEngines(t *testing.T) {
	all := lanes32 | lanes64 | goLoops
	for _, c := range []struct {
		t         dtype.DType
		out, body string
		want      device.Engines
	}{
		{dtype.Float32, "T out", "exp(x)", lanes32},
		{dtype.Float32, "T out", "x + y", lanes32},
		{dtype.Float64, "T out", "exp(x)", lanes64},
		{dtype.Float32, "bool out", "x < y", all},
		{dtype.Int32, "T out", "x * y", all},
		{dtype.Int8, "T out", "x + y", lanes32 | goLoops},
		{dtype.Int64, "T out", "x + y", lanes64 | goLoops},
		{dtype.Uint64, "T out", "x + y", goLoops},
		{dtype.Float32, "T out", "gamma(x)", goLoops},
		{dtype.Complex64, "T out", "x * y", goLoops},
		{dtype.Float16, "T out", "x + y", lanes32},
		{dtype.Float16, "T out", "x < y ? x : y", lanes32 | goLoops},
		{dtype.BFloat16, "bool out", "x < y", all},
	} {
		got := EnginesOf(launchtest.Compile(t, c.t, "T x, T y", c.out, c.body))
		if isa.Current() != isa.Generic && got != c.want { // otherwise loops run everything
			t.Errorf("%s of %s: engines %b, want %b", c.body, c.t, got, c.want)
		}
	}
}
