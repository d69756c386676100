// Package limit measures the machine's limits, to express the fraction that a case reaches: multiplications per second
// from registers, and bytes per second at each level of memory.
package limit

import (
	"sync"
	"time"
)

//go:generate go run -C ../../device/cpu/internal/simd/gen ./limit -out ../../../../../bench/limit/limit_amd64.s -stubs ../../../../../bench/limit/limit_amd64.go -pkg limit
//go:generate go run ../../device/cpu/internal/simd/sum -gen ../../device/cpu/internal/simd/gen limit

// Flops returns the floating-point operations per second of the given number of threads; 0 without assembly.
func Flops(threads int, double bool) float64 {
	run, flops := multiplyAdd(double)
	if run == nil {
		return 0
	}
	const rounds = 20_000
	return flops * rounds / best(threads, 8, func(int) func() { return func() { run(rounds) } })
}

// Bandwidth returns the bytes per second of the given number of threads that add two arrays into a third. bytes is the
// total size of a case's operands. The result is 0 without assembly.
func Bandwidth(threads, bytes int) float64 {
	if triad == nil {
		return 0
	}
	n := max(bytes/12/threads, 256) &^ 63
	n = min(n, 8<<20)
	repeat := max(1, 1<<20/n)
	seconds := best(threads, 5, func(int) func() {
		y, a, b := make([]float32, n), make([]float32, n), make([]float32, n)
		for i := range a {
			y[i], a[i], b[i] = 0, 1, 2
		}
		return func() {
			for range repeat {
				for from := 0; from < n; from += piece {
					add(y[from:min(from+piece, n)], a[from:], b[from:])
				}
			}
		}
	})
	return 12 * float64(n) * float64(repeat) / seconds
}

// piece bounds the length of a call, which cannot be preempted.
const piece = 1 << 15

//go:noinline
func add(y, a, b []float32) { triad(len(y), &y[0], &a[0], &b[0]) }

// best returns the seconds of one thread, when the given number of threads run, in the best of several rounds.
func best(threads, rounds int, setup func(thread int) func()) float64 {
	runs := make([]func(), threads)
	for i := range runs {
		runs[i] = setup(i)
	}
	least := time.Duration(1 << 62)
	for range rounds {
		var wg sync.WaitGroup
		start := make(chan struct{})
		times := make([]time.Duration, threads)
		for i, run := range runs {
			wg.Go(func() {
				<-start
				run() // so that all threads are awake when the clock starts
				began := time.Now()
				run()
				times[i] = time.Since(began)
			})
		}
		close(start)
		wg.Wait()
		slowest := times[0]
		for _, t := range times {
			slowest = max(slowest, t)
		}
		least = min(least, slowest)
	}
	return least.Seconds() / float64(threads)
}
