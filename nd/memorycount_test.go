package nd_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

func ExampleMemoryByMaker() {
	nd.CountMemory(true)
	defer nd.CountMemory(false)
	x := nd.Ones([]int{1000})
	var kept []*nd.Array
	for range 3 {
		y := ops.Exp(x)
		kept = append(kept, ops.Multiply(y, y))
		y.Release()
	}
	nd.Data[float64](kept[0])[0] = 7
	fmt.Print(nd.MemoryByMaker())
	runtime.KeepAlive(x)
	runtime.KeepAlive(kept)
	// Output:
	// maker         device   blocks          bytes   pinned
	// ops.Multiply  cpu           3          24000        1
	// nd.Ones       cpu           1           8000        0
	// all                         4          32000        1
}

// ofMaker returns the row of a function.
func ofMaker(fn nd.Func) nd.MemoryRow {
	for _, row := range nd.MemoryByMaker() {
		if row.Func == fn {
			return row
		}
	}
	return nd.MemoryRow{}
}

// TestMemoryByMaker: blocks are counted from their allocation until they are released or found unreachable, whatever
// their size, and only while counting is on.
func TestMemoryByMaker(t *testing.T) {
	for _, n := range sizes {
		before := nd.Zeros([]int{n})
		nd.CountMemory(true)
		x := nd.Ones([]int{n})
		view := x.Flip()
		before.Release()
		nd.Full([]int{n}, 2.0) // dropped
		if row := ofMaker("nd.Ones"); row.Blocks != 1 || row.Bytes != int64(8*n) || row.Device != "cpu" {
			t.Errorf("one array and its view: %+v", row)
		}
		if row := ofMaker("nd.Full"); row.Blocks > 1 { // 0 if the GC has already run
			t.Errorf("a block that was just dropped: %+v", row)
		}
		if row := ofMaker("nd.Zeros"); row.Blocks != 0 {
			t.Errorf("a block from before: %+v", row)
		}
		x.Release()
		if row := ofMaker("nd.Ones"); row.Blocks != 1 {
			t.Errorf("the view alone: %+v", row)
		}
		view.Release()
		runtime.GC()
		runtime.GC()
		if all := nd.MemoryByMaker(); len(all) != 0 {
			t.Errorf("all blocks are released or unreachable:\n%s", all)
		}
		nd.CountMemory(false)
		x = nd.Ones([]int{n})
		if all := nd.MemoryByMaker(); len(all) != 0 {
			t.Errorf("not counted:\n%s", all)
		}
		nd.CountMemory(true)
		x.Release() // not counted
		nd.CountMemory(false)
	}
}

// TestMemoryByMakerForgets: dropped blocks do not stay in the table of blocks, and several goroutines may allocate and
// release.
func TestMemoryByMakerForgets(t *testing.T) {
	ref, err := device.Get("ref")
	if err != nil {
		t.Fatal(err)
	}
	nd.CountMemory(true)
	defer nd.CountMemory(false)
	kept := nd.Ones([]int{100}, nd.ArrayOptions{Device: ref})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 3000 {
				if y := nd.Full([]int{100}, 1.0); i%2 == 0 {
					y.Release()
				}
				if i%1000 == 0 {
					nd.MemoryByMaker()
				}
			}
		})
	}
	wg.Wait()
	runtime.GC()
	runtime.GC()
	all := nd.MemoryByMaker()
	if total := all.Total(); total.Blocks != 1 || !strings.Contains(all.String(), "nd.Ones  ref ") {
		t.Errorf("one array is kept:\n%s", all)
	}
	kept.Release()
}
