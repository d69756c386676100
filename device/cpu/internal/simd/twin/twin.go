// Package twin runs tests of kernels at every instruction level.
package twin

import (
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

// Levels runs a test at every instruction level that the machine supports.
func Levels(t *testing.T, test func(t *testing.T)) {
	defer isa.Use(isa.Current())
	for level := isa.Generic; level <= isa.Best; level++ {
		isa.Use(level)
		t.Run(level.String(), test)
	}
}
