package main

import (
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"time"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/fft"
)

func t(f func() *nd.Array) float64 {
	f().Release()
	f().Release()
	best := 1e9
	end := time.Now().Add(250 * time.Millisecond)
	k := 1
	for time.Now().Before(end) {
		a := time.Now()
		for range k {
			f().Release()
		}
		d := time.Since(a).Seconds() / float64(k)
		best = min(best, d)
		if d*float64(k) < 2e-4 {
			k *= 2
		}
	}
	return best * 1e6
}

func main() {
	ns := []int{256, 1024, 4096, 1000, 1009, 4095, 10007, 3 << 12, 1 << 15, 100000, 1 << 18, 1000000, 1 << 20, 1 << 22}
	if len(os.Args) > 1 {
		ns = nil
		for _, a := range os.Args[1:] {
			n, _ := strconv.Atoi(a)
			ns = append(ns, n)
		}
	}
	for _, n := range ns {
		x := make([]float64, n)
		for i := range x {
			x[i] = rand.NormFloat64()
		}
		a := nd.Wrap(x, n)
		fmt.Printf("%d", n)
		for _, dt := range []dtype.DType{dtype.Complex64, dtype.Complex128} {
			c := a.AsType(dt)
			fmt.Printf(" %10.2f", t(func() *nd.Array { return fft.FFT(c) }))
		}
		for _, dt := range []dtype.DType{dtype.Float32, dtype.Float64} {
			c := a.AsType(dt)
			fmt.Printf(" %10.2f", t(func() *nd.Array { return fft.RFFT(c) }))
		}
		fmt.Println()
	}
}
