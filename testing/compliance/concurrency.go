package compliance

import (
	"sync"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// testConcurrency launches kernels from several goroutines at once, on separate memory. The results must be those of
// sequential launches.
func testConcurrency(s *suite) {
	calls := []call{}
	for range 8 {
		shape := []int{20, 300}
		calls = append(calls, call{kernel: elementwise, loop: shape, set: s.program(s.chain(dtype.Float32)),
			outputs: []*array{s.any(dtype.Float32, shape, tame)},
			inputs:  []*array{s.input(dtype.Float32, shape, tame), s.input(dtype.Float32, shape, tame), s.input(dtype.Float32, shape, tame)}})
		calls = append(calls, call{kernel: reduce, loop: shape, outputs: []*array{s.reduced(dtype.Int64, shape, 1)},
			inputs: []*array{s.input(dtype.Int64, shape, wild)}, set: s.program(s.identity(dtype.Int64), reduceOver(1, device.CombineSum))})
	}
	outcomes, errs := make([]outcome, len(calls)), make([]error, len(calls))
	var group sync.WaitGroup
	for k, c := range calls {
		group.Go(func() { outcomes[k], errs[k] = c.runOn(s.dev, true) })
	}
	group.Wait()
	for k, c := range calls {
		want := s.launch(s.reference, c)
		if _, ok := errs[k].(*device.Unsupported); ok {
			continue
		} else if errs[k] != nil {
			s.Fatal(errs[k])
		}
		if message := c.compare(outcomes[k], want, -1, -1); message != "" {
			s.Fatalf("concurrent launch %d: %s\n%s", k, message, c)
		}
	}
}
