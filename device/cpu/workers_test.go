package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/testing/compliance"
)

// TestKernelsDoNotDependOnWorkers runs every kernel with shapes and layouts that differ between the iterations of the
// loop, but not between runs of the test.
func TestKernelsDoNotDependOnWorkers(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for kernel := range 256 {
		data := []byte{byte(kernel)}
		for range 8 {
			data = append(data, byte(rng.Uint32()))
		}
		level := uint8(rng.IntN(4)) // the best of three levels half of the time
		t.Run(fmt.Sprint(kernel), func(t *testing.T) { compareWorkers(t, level-level/3, data) })
	}
}

// FuzzWorkers looks for shapes, strides and programs for which results depend on the number of workers.
func FuzzWorkers(f *testing.F) {
	for kernel := range 256 {
		f.Add(uint8(kernel), []byte{byte(kernel)})
	}
	f.Fuzz(compareWorkers)
}

// compareWorkers runs the launch that the data describes on 1, 2, 3, 5 and 8 workers, which split all work that they
// can, and compares the bytes that are written.
func compareWorkers(t *testing.T, level uint8, data []byte) {
	dev, err := device.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer isa.Narrow(level)()
	defer workers.BeEager(workers.BeEager(true))
	defer cpu.SetWorkers(cpu.SetWorkers(1))
	var settings []func()
	for _, n := range []int{1, 2, 3, 5, 8} {
		settings = append(settings, func() { cpu.SetWorkers(n) })
	}
	compliance.FuzzSettings(t, dev, data, settings...)
}
