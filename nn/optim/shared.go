package optim

import (
	"sync"

	"github.com/ndgrad/ndgrad/device"
)

// sharedPrograms are the programs that gradients need, independent of the optimizer.
type sharedPrograms struct {
	effective, added               stepPrograms // the gradient, and a sum that it is added to
	norms, largest                 reduction
	notNumber, infinite, unbounded reduction
	identity                       device.Programs
	sums                           sync.Map // of several gradients, by their number: negative if an earlier sum is added
}

// shared returns the programs. The first call makes them.
var shared = sync.OnceValue(func() *sharedPrograms {
	return &sharedPrograms{
		effective: stepPrograms{source: device.Source{Name: "optim.gradient", Outputs: "T y", Body: "y = grad"}},
		added:     stepPrograms{source: device.Source{Name: "optim.accumulate", Inputs: "T sum", Outputs: "T y", Body: "y = sum + grad"}},
		norms: reduction{
			each:    stepPrograms{source: device.Source{Name: "optim.squares", Outputs: "T y", Body: "y = grad"}},
			squares: true,
			measure: device.Programs{Source: device.Source{Name: "optim.norm", Inputs: "R x, R unit", Outputs: "R y", Body: "y = sqrt(x) * unit"}},
			factor: device.Programs{Source: device.Source{Name: "optim.shrink", Inputs: "R x, R unit", Scalars: "R limit", Outputs: "R y",
				Body: "norm = sqrt(x) * unit; y = norm > limit ? limit/norm : R(1)"}},
		},
		largest: reduction{
			each:    stepPrograms{source: device.Source{Name: "optim.magnitudes", Outputs: "R y", Body: "y = abs(grad)"}},
			combine: device.CombineMax,
			factor: device.Programs{Source: device.Source{Name: "optim.shrink", Inputs: "R x", Scalars: "R limit", Outputs: "R y",
				Body: "y = x > limit ? limit/x : R(1)"}},
		},
		notNumber: test("optim.notNumber", "isnan(grad)"),
		infinite:  test("optim.infinite", "isinf(grad)"),
		unbounded: test("optim.unbounded", "!isfinite(grad)"),
		identity:  device.Programs{Source: device.Source{Name: "optim.identity", Inputs: "T x", Outputs: "T y", Body: "y = x"}},
	}
})

// reduction is a way to measure arrays: what each element contributes, how the contributions are combined, and the
// final function of the total.
type reduction struct {
	each    stepPrograms
	squares bool            // the squared magnitudes of the contributions are added up; the measure of parts is their root
	combine device.Combine  // of contributions that are not squared
	measure device.Programs // the size
	factor  device.Programs // the factor that takes the size to a limit, if it is above
}

// test returns a reduction that tells whether any element passes a test.
func test(name, body string) reduction {
	return reduction{combine: device.CombineAny, each: stepPrograms{source: device.Source{Name: name, Outputs: "bool y", Body: "y = " + body}}}
}
