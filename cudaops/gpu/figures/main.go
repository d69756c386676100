// Command figures measures a GPU with the library's own calls: rates of copies, what a launch costs, products of matrices. It prints a
// line for each figure, its name and its value with a tab between them.
//
//	figures [-device cuda:0] device|copies|launches|products
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/ndgrad/ndgrad/cudaops"
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

func main() {
	name := flag.String("device", "cuda:0", "device to measure")
	flag.Parse()
	err := cudaops.Err()
	if err == nil {
		var failed error
		if err = nd.Catch(func() { failed = run(*name, flag.Arg(0), os.Stdout) }); err == nil {
			err = failed
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

func run(name, what string, out io.Writer) error {
	dev, err := device.Get(name)
	if err != nil {
		return err
	}
	d, err := cudaops.Of(dev)
	if err != nil {
		return err
	}
	switch what {
	case "device":
		return describe(d, out)
	case "copies":
		copies(d, out)
	case "launches":
		launches(d, out)
	case "products":
		products(d, out)
	default:
		return fmt.Errorf("%q: want device, copies, launches or products", what)
	}
	return nil
}

func describe(d *cudaops.Device, out io.Writer) error {
	model, err := d.Model()
	if err != nil {
		return err
	}
	major, minor, err := d.ComputeCapability()
	if err != nil {
		return err
	}
	_, total, err := d.MemoryInfo()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "device\t%s, compute capability %d.%d, %d MiB\n", model, major, minor, total>>20)
	return nil
}

// median returns the median of seven times that count calls of f take, the queue's end included, over count.
func median(d *cudaops.Device, count int, f func()) time.Duration {
	var times []time.Duration
	for range 8 {
		finish(d)
		begin := time.Now()
		for range count {
			f()
		}
		finish(d)
		times = append(times, time.Since(begin)/time.Duration(count))
	}
	times = times[1:] // the first one loads kernels
	slices.Sort(times)
	return times[len(times)/2]
}

func finish(d *cudaops.Device) {
	if err := d.Synchronize(); err != nil {
		panic(err)
	}
}

// copies are of 64 MiB. Of those on the device bytes that are read and bytes that are written count.
func copies(d *cudaops.Device, out io.Writer) {
	const bytes = 64 << 20
	host := make([]byte, bytes)
	m := d.Alloc(bytes)
	defer d.Free(m)
	rate := func(name string, bytes int, took time.Duration) {
		fmt.Fprintf(out, "%s\t%.1f GB/s\n", name, float64(bytes)/took.Seconds()/1e9)
	}
	rate("host to device", bytes, median(d, 4, func() { d.CopyIn(m, 0, host) }))
	rate("device to host", bytes, median(d, 4, func() { d.CopyOut(host, m, 0) }))
	options := nd.ArrayOptions{DType: dtype.Float32, Device: d}
	x, y := nd.Ones([]int{4096, bytes / 4096 / 4}, options), nd.Zeros([]int{4096, bytes / 4096 / 4}, options)
	rate("on the device", 2*bytes, median(d, 20, func() { d.Stream().Copy(y, x) }))
	transposed := nd.Zeros([]int{bytes / 4096 / 4, 4096}, options)
	rate("transposed on the device", 2*bytes, median(d, 20, func() { transposed.Assign(x.Transpose()) }))
}

// launches adds arrays of ten numbers: without waiting, and waiting after each.
func launches(d *cudaops.Device, out io.Writer) {
	options := nd.ArrayOptions{DType: dtype.Float32, Device: d}
	x, y := nd.Ones([]int{10}, options), nd.Zeros([]int{10}, options)
	add := func() { ops.Add(x, x, ops.UfuncOptions{Out: y}) }
	micros := func(took time.Duration) string {
		return strconv.FormatFloat(float64(took.Nanoseconds())/1e3, 'f', 2, 64)
	}
	fmt.Fprintf(out, "a launch\t%s µs\n", micros(median(d, 2000, add)))
	fmt.Fprintf(out, "a launch and its end\t%s µs\n", micros(median(d, 200, func() {
		add()
		finish(d)
	})))
}

// products are of square matrices.
func products(d *cudaops.Device, out io.Writer) {
	for _, t := range []dtype.DType{dtype.Float32, dtype.Float64, dtype.Float16} {
		for _, n := range []int{512, 2048, 4096} {
			options := nd.ArrayOptions{DType: t, Device: d}
			a, b, c := nd.Full([]int{n, n}, 0.5, options), nd.Full([]int{n, n}, 0.25, options), nd.Zeros([]int{n, n}, options)
			took := median(d, 3, func() { ops.MatMul(a, b, ops.ProductOptions{Out: c}) })
			fmt.Fprintf(out, "%s %d×%d\t%.0f GFLOP/s\n", t, n, n, 2*float64(n)*float64(n)*float64(n)/took.Seconds()/1e9)
		}
	}
}
