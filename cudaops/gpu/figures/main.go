// Command figures measures a GPU with the library's own calls. It prints a line for each figure, its name and its value with a tab between
// them.
//
//	figures [-device cuda:0] [-small] KIND
//
// The kinds are device, copies, kernels (which memory bounds), launches, products and first. With -small arrays are small, to see that it runs.
package main

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/cudaops"
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
)

// meter is what figures are measured on and printed to.
type meter struct {
	*cudaops.Device
	out   io.Writer
	small bool
}

var kinds = map[string]func(*meter) error{
	"device":   (*meter).describe,
	"copies":   (*meter).copies,
	"kernels":  (*meter).kernels,
	"launches": (*meter).launches,
	"products": (*meter).products,
	"first":    (*meter).first,
}

func main() {
	name := flag.String("device", "cuda:0", "device to measure")
	small := flag.Bool("small", false, "measure small arrays, to see that it runs")
	flag.Parse()
	if err := run(*name, flag.Arg(0), *small, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

func run(name, kind string, small bool, out io.Writer) (err error) {
	measure, ok := kinds[kind]
	if !ok {
		return fmt.Errorf("%q: want one of %s", kind, strings.Join(slices.Sorted(maps.Keys(kinds)), ", "))
	}
	if kind != "first" { // programs in their compiled form, from the first run on
		if err := os.Setenv("NDGRAD_CUDA_PROGRAMS", "print"); err != nil {
			return err
		}
	}
	if err := cudaops.Err(); err != nil {
		return err
	}
	dev, err := device.Get(name)
	if err != nil {
		return err
	}
	d, err := cudaops.Of(dev)
	if err != nil {
		return err
	}
	if caught := nd.Catch(func() { err = measure(&meter{d, out, small}) }); caught != nil {
		return caught
	}
	return err
}

func (m *meter) print(name, format string, values ...any) {
	fmt.Fprintf(m.out, "%s\t%s\n", name, fmt.Sprintf(format, values...))
}

func (m *meter) describe() error {
	model, err := m.Model()
	if err != nil {
		return err
	}
	major, minor, err := m.ComputeCapability()
	if err != nil {
		return err
	}
	_, total, err := m.MemoryInfo()
	if err != nil {
		return err
	}
	m.print("device", "%s, compute capability %d.%d, %d MiB", model, major, minor, total>>20)
	m.print("products of matrices by", "%s", m.Products())
	return nil
}
