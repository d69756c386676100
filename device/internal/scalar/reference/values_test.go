// Package reference compares the functions of package scalar, and the CPU's kernels, with tables of correctly rounded values. It is a
// package of its own because the kernels import scalar: in a test of scalar itself, go test would build all of them once more.
package reference

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// near reports whether two values are equal, both NaN, or at most some units of the last digit apart.
func near[T float32 | float64](got, want T, ulps float64) bool {
	return got == want || got != got && want != want || math.Abs(float64(got)-float64(want)) <= ulps*math.Abs(float64(scalar.Spacing(want)))
}

func TestReferenceValues(t *testing.T) {
	for _, reference := range unary {
		for _, point := range reference.points {
			if x, want := point[0], point[1]; !near(reference.function(x), want, reference.ulps) {
				t.Errorf("%s(%v) = %v, want %v within %v ulp", reference.name, x, reference.function(x), want, reference.ulps)
			}
		}
	}
	for _, reference := range binary {
		for _, point := range reference.points {
			if x, y, want := point[0], point[1], point[2]; !near(reference.function(x, y), want, reference.ulps) {
				t.Errorf("%s(%v, %v) = %v, want %v within %v ulp", reference.name, x, y, reference.function(x, y), want, reference.ulps)
			}
		}
	}
}

// float32 callers compute in float64 and round once.
func TestReferenceValuesInFloat32(t *testing.T) {
	for _, reference := range unary {
		for _, point := range reference.points {
			if x := float32(point[0]); float64(x) == point[0] {
				if got, want := float32(reference.function(point[0])), float32(point[1]); !near(got, want, 1) {
					t.Errorf("%s(%v) = %v, want %v", reference.name, x, got, want)
				}
			}
		}
	}
}
