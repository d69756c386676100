package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/ndgrad/ndgrad/bench"
	"github.com/ndgrad/ndgrad/device/cpu"
)

const (
	settling  = 4        // calls before the measurement, after which a case has all the memory that it needs
	watched   = 4        // measured calls
	leastHeap = 16 << 10 // minimum bytes per call of a listed case
)

// leftovers is what one call leaves to the GC although its results are released.
type leftovers struct{ blocks, blockBytes, heapBytes, objects float64 }

func (g *leftovers) add(other leftovers) {
	g.blocks += other.blocks
	g.blockBytes += other.blockBytes
	g.heapBytes += other.heapBytes
	g.objects += other.objects
}

func (g leftovers) cells() []string {
	return []string{fmt.Sprintf("%.4g", g.blocks), bytesOf(g.blockBytes), bytesOf(g.heapBytes), fmt.Sprintf("%.4g", g.objects)}
}

// listGarbage prints the cases that leave much per call with released results, and the sum of the other cases.
func listGarbage(o options, out, progress io.Writer) error {
	// A GC cycle would empty the pools, and their contents would be allocated again.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	t := newTable(out, o.threads, "case", "blocks", "their size", "Go heap", "objects")
	var others leftovers
	var few int
	cases := o.selected()
	for i, c := range cases {
		if bench.Drops(c) {
			continue
		}
		fmt.Fprintf(progress, "%d/%d %-60s\r", i+1, len(cases), c.Name)
		g := garbageOf(c)
		if g.heapBytes < leastHeap {
			others.add(g)
			few++
			continue
		}
		t.row(append([]string{c.Name}, g.cells()...))
	}
	fmt.Fprintf(progress, "%80s\r", "")
	t.row(append([]string{fmt.Sprintf("%d others together", few)}, others.cells()...))
	return nil
}

// garbageOf measures a case in its steady state. The heap figures count all allocations, including blocks and headers.
func garbageOf(c bench.Case) (g leftovers) {
	runtime.GC() // frees the memory of the previous case
	call := c.Setup()
	run := func(n int) {
		for range n {
			if y := call(); y != nil {
				y.Release()
			}
		}
	}
	run(settling)
	var before, after runtime.MemStats
	blocks, blockBytes := cpu.BlocksMade()
	runtime.ReadMemStats(&before)
	run(watched)
	runtime.ReadMemStats(&after)
	blocksAfter, blockBytesAfter := cpu.BlocksMade()
	return leftovers{
		float64(blocksAfter-blocks) / watched, float64(blockBytesAfter-blockBytes) / watched,
		float64(after.TotalAlloc-before.TotalAlloc) / watched, float64(after.Mallocs-before.Mallocs) / watched,
	}
}

// bytesOf formats a number of bytes with three digits.
func bytesOf(n float64) string {
	switch {
	case n >= 1e6:
		return fmt.Sprintf("%.3g MB", n/1e6)
	case n >= 1e3:
		return fmt.Sprintf("%.3g KB", n/1e3)
	}
	return fmt.Sprintf("%.3g B", n)
}
