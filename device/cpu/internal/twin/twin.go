// Package twin is what the tests of kernels share: every level of instructions, and what a routine must not leave
// behind.
package twin

import (
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/ndgrad/ndgrad/device/cpu/internal/isa"
)

// Levels runs a test at every level of instructions that there is.
func Levels(t *testing.T, test func(t *testing.T)) {
	defer isa.Use(isa.Current())
	for level := isa.Generic; level <= isa.Best; level++ {
		isa.Use(level)
		t.Run(level.String(), test)
	}
}

// LeavesNoUpperHalves fails where a kernel returns without VZEROUPPER: then the scalar instructions after it run many
// times slower, on the processors where that matters.
func LeavesNoUpperHalves(t *testing.T, kernel func()) {
	t.Helper()
	before, after := math.Inf(1), math.Inf(1)
	for range 5 {
		before = min(before, exponentials())
		kernel()
		after = min(after, exponentials())
	}
	if after > 10*before {
		t.Errorf("math.Exp takes %.0f ns, and %.0f after the kernel: VZEROUPPER is missing", before, after)
	}
}

// exponentials returns what one math.Exp takes, in nanoseconds.
func exponentials() float64 {
	const n = 200
	start, sum := time.Now(), 0.
	for i := range n {
		sum += math.Exp(float64(i) / n)
	}
	runtime.KeepAlive(sum)
	return float64(time.Since(start).Nanoseconds()) / n
}
