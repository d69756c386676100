package nn

import (
	"sync"

	"github.com/ndgrad/ndgrad/device"
)

// keptPrograms are the programs that gradients need, whatever the optimizer.
type keptPrograms struct {
	effective, added               chained // the gradient, and a sum that it is added to
	norms, largest                 size
	notNumber, infinite, unbounded size
	identity                       device.Programs
	sums                           sync.Map // of several gradients, by their number: negative after other sums
}

// kept returns the programs, which are made at the first call.
var kept = sync.OnceValue(func() *keptPrograms {
	return &keptPrograms{
		effective: chained{source: device.Source{Name: "nn.gradient", Outputs: "T y", Body: "y = grad"}},
		added:     chained{source: device.Source{Name: "nn.accumulate", Inputs: "T sum", Outputs: "T y", Body: "y = sum + grad"}},
		norms: size{
			each:    chained{source: device.Source{Name: "nn.squares", Outputs: "R y", Body: "a = abs(grad); y = a*a"}},
			combine: device.CombineSum,
			measure: device.Programs{Source: device.Source{Name: "nn.norm", Inputs: "R x", Outputs: "R y", Body: "y = sqrt(x)"}},
			factor: device.Programs{Source: device.Source{Name: "nn.shrink", Inputs: "R x", Scalars: "R limit", Outputs: "R y",
				Body: "norm = sqrt(x); y = norm > limit ? limit/norm : R(1)"}},
		},
		largest: size{
			each:    chained{source: device.Source{Name: "nn.magnitudes", Outputs: "R y", Body: "y = abs(grad)"}},
			combine: device.CombineMax,
			factor: device.Programs{Source: device.Source{Name: "nn.shrink", Inputs: "R x", Scalars: "R limit", Outputs: "R y",
				Body: "y = x > limit ? limit/x : R(1)"}},
		},
		notNumber: test("nn.notNumber", "isnan(grad)"),
		infinite:  test("nn.infinite", "isinf(grad)"),
		unbounded: test("nn.unbounded", "!isfinite(grad)"),
		identity:  device.Programs{Source: device.Source{Name: "nn.identity", Inputs: "T x", Outputs: "T y", Body: "y = x"}},
	}
})

// size is a way to measure arrays: what each element counts, how that is put together, and what is made of the sum.
type size struct {
	each    chained
	combine device.Combine
	measure device.Programs // the size
	factor  device.Programs // what takes the size to a limit, where it is above
}

// test is whether some element passes one.
func test(name, body string) size {
	return size{combine: device.CombineAny, each: chained{source: device.Source{Name: name, Outputs: "bool y", Body: "y = " + body}}}
}
