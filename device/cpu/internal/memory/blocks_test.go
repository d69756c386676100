package memory

import (
	"math"
	"runtime"
	"sync"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
	"github.com/ndgrad/ndgrad/internal/lending"
)

func TestClassesHaveTheirSizes(t *testing.T) {
	for class, want := range map[int]int{largestSmall: 32 << 10, largestCut: 64 << 10} {
		if size := lending.ClassSize(class); size != want {
			t.Errorf("class %d is of %d bytes, want %d", class, size, want)
		}
	}
	if size := lending.ClassSize(leastRecycled); leastRecycled > 1 && !launchtest.Race && size != 256<<10 {
		t.Errorf("blocks of %d bytes are recycled", size)
	}
}

func TestBlocksAreAligned(t *testing.T) {
	defer census.single.Store(census.single.Load())
	for _, single := range []bool{false, true} {
		census.single.Store(single)
		for n := 1; n < 100_000; n += 1 + n/50 {
			if m := Alloc(n); uintptr(m.Handle)%lending.Grain != 0 {
				t.Errorf("a block of %d bytes lies at %v", n, m.Handle)
			}
		}
	}
}

func TestFreedBlocksComeBack(t *testing.T) {
	for _, n := range []int{100, 5_000, 40_000, 3_000_001, 9_000_000} {
		if launchtest.Race && lending.ClassOf(n) <= largestSmall {
			continue
		}
		m := Alloc(n)
		Free(m)
		if again := Alloc(n - n/100); again.Handle != m.Handle {
			t.Errorf("a block of %d bytes was not reused", n)
		}
	}
}

// TestBlocksHaveOneOwner has goroutines write to their own blocks, to which nobody else may write meanwhile. Half of
// the blocks are dropped without Free.
func TestBlocksHaveOneOwner(t *testing.T) {
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			for i := range 300 {
				m := Alloc([]int{8, 700, 40_000, 8, 700, 300_000}[i%6])
				bytes := view(m)
				for k := range bytes {
					bytes[k] = byte(worker)
				}
				runtime.Gosched()
				for k, b := range bytes {
					if b != byte(worker) {
						t.Errorf("byte %d of worker %d is %d", k, worker, b)
						return
					}
				}
				if i%2 == 0 {
					Free(m)
				}
				runtime.KeepAlive(m.Owner)
			}
		})
	}
	wg.Wait()
}

func TestIdleMemoryIsAQuarter(t *testing.T) {
	for _, c := range []struct {
		memory uint64
		asked  int64
		want   int
	}{
		{0, math.MaxInt64, 1 << 30},
		{0, 1 << 20, 1 << 18},
		{1 << 24, math.MaxInt64, 1 << 22},
		{1 << 24, 1 << 20, 1 << 18},
		{1 << 20, 1 << 24, 1 << 18},
		{1 << 20, 0, 0},
	} {
		if got := mostIdle(c.memory, c.asked); got != c.want {
			t.Errorf("of %d bytes, %d asked for: %d, want %d", c.memory, c.asked, got, c.want)
		}
	}
}

func TestCensusFindsChunksThatAreKept(t *testing.T) {
	var c chunkCensus
	c.begun.Do(func() {}) // only this test runs the census
	var kept []unsafe.Pointer
	cycles := 0
	generation := func(n, keep int) {
		for i := range n {
			at := allocate(chunkBytes)
			c.count(at, cycles)
			if i < keep {
				kept = append(kept, at)
			}
		}
		runtime.GC()
		cycles++
		for range n { // made after the GC cycle, and before the census
			c.count(allocate(chunkBytes), cycles)
		}
		c.take(cycles)
	}
	generation(40, 4)
	generation(40, 4)
	if c.single.Load() {
		t.Fatal("few chunks lived on")
	}
	for range 12 {
		generation(40, 12)
	}
	if !c.single.Load() || c.pause == 0 {
		t.Fatalf("%d chunks live on, unnoticed", len(kept))
	}
	clear(kept)
	for range c.pause + 1 {
		runtime.GC()
		cycles++
		c.take(cycles)
	}
	if c.single.Load() || len(c.chunks) != 0 {
		t.Errorf("no chunks after the pause; %d live", len(c.chunks))
	}
}

func TestFloorFillsUpTheHeap(t *testing.T) {
	var floor heapFloor
	each := min(floorEach*runtime.GOMAXPROCS(0), mostFloor)
	for _, c := range []struct {
		size int
		heap lending.Heap
		want int
	}{
		{0, lending.Heap{Live: 0, Limit: math.MaxInt}, each},
		{0, lending.Heap{Live: each / 2, Limit: math.MaxInt}, each / 2},
		{each / 2, lending.Heap{Live: each, Limit: math.MaxInt}, each / 2}, // of the heap, the area is half
		{each, lending.Heap{Live: each + each/16, Limit: math.MaxInt}, each},
		{0, lending.Heap{Live: 2 * each, Limit: math.MaxInt}, 0},
		{each, lending.Heap{Live: each, Limit: math.MaxInt, Few: true}, 0},
		{0, lending.Heap{Limit: 16 * leastArea}, leastArea},
	} {
		floor.size = c.size
		floor.set(c.heap)
		if floor.size != c.want {
			t.Errorf("%+v over an area of %d: %d, want %d", c.heap, c.size, floor.size, c.want)
		}
	}
}
