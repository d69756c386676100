// Command figures measures a GPU with the library's own calls. It prints one line per figure: its name and its value,
// separated by a tab.
//
//	figures [-device cuda:0] [-small] KIND
//
// The kinds are device, copies, kernels (those bound by memory), launches, products and first. With -small the arrays
// are small, to test that it runs.
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

// meter holds the device that is measured and the output.
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
	small := flag.Bool("small", false, "measure small arrays, to test that it runs")
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
	if kind != "first" { // compile programs at the first run
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
