package compliance_test

import (
	"flag"
	"fmt"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	_ "github.com/ndgrad/ndgrad/device/cpu"
	"github.com/ndgrad/ndgrad/testing/compliance"
)

var whole = flag.Bool("whole", false, "run the whole suite under every seed")

// TestCPU runs the suite with one seed, and a sample of it with three others.
func TestCPU(t *testing.T) {
	dev := get(t, "cpu")
	compliance.Run(t, dev, 1)
	test := compliance.Sample
	if *whole {
		test = func(t *testing.T, dev device.Device, seed uint64) { compliance.Run(t, dev, seed) }
	}
	for seed := uint64(2); seed <= 4; seed++ {
		t.Run(fmt.Sprint("Seed", seed), func(t *testing.T) { test(t, dev, seed) })
	}
}
