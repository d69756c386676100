package workers

import (
	"fmt"
	"runtime"
	"testing"
	"time"
)

// BenchmarkForRanges times work of several lengths, done by the caller alone and shared with workers that spin. It also
// reports the cost of a call that shares hardly any work.
func BenchmarkForRanges(b *testing.B) {
	const unit = 64 // dependent multiplications
	start := time.Now()
	runtime.KeepAlive(multiplyChain(1 << 22))
	perUnit := float64(time.Since(start).Nanoseconds()) / (1 << 22) * unit
	for _, length := range []time.Duration{5 * time.Microsecond, 20 * time.Microsecond, 100 * time.Microsecond, time.Millisecond} {
		n := max(1, int(float64(length.Nanoseconds())/perUnit))
		for _, workers := range []int{1, runtime.GOMAXPROCS(0)} {
			b.Run(fmt.Sprintf("%v/%d", length, workers), func(b *testing.B) {
				With(workers, func() {
					b.ReportAllocs()
					for b.Loop() {
						ForRanges(n, perUnit, func(from, to int) { runtime.KeepAlive(multiplyChain((to - from) * unit)) })
					}
				})
			})
		}
	}
	b.Run("nothing", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Parallel(2, worthAwake, func(int) {})
		}
	})
}

// multiplyChain takes a time proportional to n.
//
//go:noinline
func multiplyChain(n int) float64 {
	x := 1.0
	for range n {
		x *= 1.0000001
	}
	return x
}
