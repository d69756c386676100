package sorting

import (
	"fmt"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
)

func BenchmarkSort(b *testing.B) {
	for _, n := range []int{100, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			y, indices, x := launchtest.New(make([]float32, n), n), launchtest.New(make([]int64, n), n), launchtest.New(launchtest.Uniform(n), n)
			b.ReportAllocs()
			for b.Loop() {
				l := launchtest.Launch([]int{n}, y, indices, x)
				Sort(l)
				l.Recycle()
			}
		})
	}
}
