package nn

import (
	"sync"

	"github.com/ndgrad/ndgrad/device"
)

// keptPrograms are the programs that gradients need, independent of the optimizer.
type keptPrograms struct {
	effective, added               chained // the gradient, and a sum that it is added to
	norms, largest                 size
	notNumber, infinite, unbounded size
	identity                       device.Programs
	sums                           sync.Map // of several gradients, by their number: negative if an earlier sum is added
}

// kept returns the programs. The first call makes them.
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

// size is a way to measure arrays: what each element contributes, how the contributions are combined, and the final
// function of the total.
type size struct {
	each    chained
	combine device.Combine
	measure device.Programs // the size
	factor  device.Programs // the factor that takes the size to a limit, if it is above
}

// test is a size that tells whether any element passes a test.
func test(name, body string) size {
	return size{combine: device.CombineAny, each: chained{source: device.Source{Name: name, Outputs: "bool y", Body: "y = " + body}}}
}
