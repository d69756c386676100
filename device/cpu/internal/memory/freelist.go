package memory

import (
	"math/bits"
	"runtime"
	"runtime/debug"
	"sync"
	"time"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
)

// Blocks that were freed are kept by classes of size, eight between a power of two and the next: small ones in sync.Pools,
// which are free of contention and emptied by the collector, large ones in free lists, which never give a worker a new
// block while another's lies idle.
const (
	grain        = 64 // the smallest block, and the alignment of all
	classes      = 8*(bits.UintSize-9) + 17
	largestSmall = 56 // the class of 32 KiB
)

// classOf returns the class of blocks that hold a number of bytes, which is positive.
func classOf(bytes int) int {
	grains := uint(bytes-1)/grain + 1
	if grains <= 16 {
		return int(grains)
	}
	step := bits.Len(grains-1) - 4
	return step*8 + int((grains-1)>>step) + 1
}

// classSize returns how many bytes a block of a class has; it is negative or 0 where that is more than an int holds.
func classSize(class int) int {
	if class <= 16 {
		return class * grain
	}
	step := (class - 9) / 8
	return (class - 8*step) * grain << step
}

var (
	small [largestSmall + 1]sync.Pool
	large freeLists
)

// takeBlock returns a block that was freed, or nil.
func takeBlock(class int) unsafe.Pointer {
	if class > largestSmall {
		return large.take(class)
	}
	if block := small[class].Get(); block != nil {
		return block.(unsafe.Pointer)
	}
	return nil
}

// putBlock keeps a block for takeBlock.
func putBlock(class int, block unsafe.Pointer) {
	if class > largestSmall {
		large.put(class, block)
		return
	}
	small[class].Put(block)
}

// longestIdle is how long a large block lies idle before it goes to the collector: twice this time, and for as long as the
// collector does not run, as then nobody lacks memory.
const longestIdle = 100 * time.Millisecond

// freeLists is the store of large blocks, the last freed on top.
type freeLists struct {
	mu       sync.Mutex
	lists    [classes]freeList
	bytes    int
	limit    int // of bytes; 0 before the first block came
	watching bool
	looked   time.Time // when idle blocks were last looked for
}

type freeList struct {
	blocks []unsafe.Pointer
	low    int // the fewest that lay here since the last look: those at the bottom were not used
	idle   int // what low was at the last look
}

func (s *freeLists) take(class int) unsafe.Pointer {
	s.mu.Lock()
	defer s.mu.Unlock()
	sh := &s.lists[class]
	last := len(sh.blocks) - 1
	if last < 0 {
		return nil
	}
	block := sh.blocks[last]
	sh.blocks[last] = nil
	sh.blocks = sh.blocks[:last]
	sh.low = min(sh.low, last)
	s.bytes -= classSize(class)
	return block
}

func (s *freeLists) put(class int, block unsafe.Pointer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.limit == 0 {
		s.limit = limitOf(device.HostMemory(), debug.SetMemoryLimit(-1))
	}
	if s.bytes+classSize(class) > s.limit {
		return
	}
	s.lists[class].blocks = append(s.lists[class].blocks, block)
	s.bytes += classSize(class)
	if !s.watching {
		s.watching = true
		s.watch()
	}
}

// limitOf bounds the memory of idle blocks by a quarter of what there is for this process, which is 0 where that is not known,
// and of what the runtime was asked to stay below (GOMEMLIMIT).
func limitOf(memory uint64, asked int64) int {
	most := uint64(1 << 30)
	if memory > 0 {
		most = memory / 4
	}
	return int(min(most, uint64(asked)/4, 1<<(bits.UintSize-2)))
}

// cycle is an object that nobody holds: its cleanup runs when the collector has run.
type cycle struct{ _ [4]uint64 }

// watch has the lists looked at after the next collection.
func (s *freeLists) watch() {
	runtime.AddCleanup(new(cycle), func(s *freeLists) { s.collected(time.Now()) }, s)
}

// collected drops what has been idle, after a collection.
func (s *freeLists) collected(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now.Sub(s.looked) >= longestIdle {
		s.looked = now
		for class := range s.lists {
			s.bytes -= s.lists[class].clean() * classSize(class)
		}
	}
	if s.watching = s.bytes > 0; s.watching {
		s.watch()
	}
}

// clean drops the blocks that were not used between the last two looks, and returns how many they were.
func (sh *freeList) clean() int {
	n := min(sh.low, sh.idle)
	kept := copy(sh.blocks, sh.blocks[n:])
	clear(sh.blocks[kept:])
	sh.blocks = sh.blocks[:kept]
	sh.idle, sh.low = sh.low-n, kept
	if kept == 0 {
		sh.blocks = nil
	}
	return n
}
