package memory

import (
	"math"
	"runtime"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
)

func TestClassesHoldTheirSizes(t *testing.T) {
	last := 0
	check := func(n int) {
		class := classOf(n)
		size := classSize(class)
		if size < n || size%grain != 0 || size > n+n/8+grain || classOf(size) != class || class < last || class >= classes {
			t.Fatalf("%d bytes: class %d after %d, of %d bytes, which are of class %d", n, class, last, size, classOf(size))
		}
		last = class
	}
	for n := 1; n < 100_000; n++ {
		check(n)
	}
	for n := 100_001; n < math.MaxInt/4; n += n / 97 {
		check(n)
	}
	if size := classSize(largestSmall); size != 32<<10 {
		t.Errorf("pools hold blocks of up to %d bytes", size)
	}
	if class := classOf(math.MaxInt); class >= classes {
		t.Errorf("class %d of %d", class, classes)
	}
}

func TestBlocksAreAligned(t *testing.T) {
	for n := 1; n < 100_000; n += 1 + n/50 {
		if m := Alloc(n); uintptr(m.Handle)%grain != 0 {
			t.Errorf("a block of %d bytes lies at %v", n, m.Handle)
		}
	}
}

func TestFreedBlocksComeBack(t *testing.T) {
	for _, n := range []int{100, 5_000, 40_000, 3_000_001} {
		if launchtest.Race && classOf(n) <= largestSmall {
			continue
		}
		m := Alloc(n)
		Free(m)
		if again := Alloc(n - n/100); again.Handle != m.Handle {
			t.Errorf("a block of %d bytes did not come back", n)
		}
	}
}

func TestIdleBlocksAreDropped(t *testing.T) {
	s := freeLists{limit: 100 << 20, watching: true}
	class := classOf(1 << 20)
	block := func() unsafe.Pointer { return newBlock(class, 1<<20) }
	for range 3 {
		s.put(class, block())
	}
	now := time.Now()
	look := func(want int) {
		t.Helper()
		now = now.Add(longestIdle)
		s.collected(now)
		if n := len(s.lists[class].blocks); n != want || s.bytes != n<<20 {
			t.Fatalf("%d blocks and %d bytes are left, want %d", n, s.bytes, want)
		}
	}
	look(3) // they have just come
	s.put(class, s.take(class))
	look(3)
	s.put(class, s.take(class))
	s.collected(now) // too soon
	if n := len(s.lists[class].blocks); n != 3 {
		t.Fatalf("%d blocks are left", n)
	}
	look(1) // two were idle between two looks
	look(1)
	look(0)
	if s.watching {
		t.Error("it watches nothing")
	}
}

func TestKeptMemoryIsBounded(t *testing.T) {
	s := freeLists{limit: 5 << 20, watching: true}
	class := classOf(1 << 20)
	for range 9 {
		s.put(class, newBlock(class, 1<<20))
	}
	if s.bytes != 5<<20 || len(s.lists[class].blocks) != 5 {
		t.Errorf("%d bytes in %d blocks", s.bytes, len(s.lists[class].blocks))
	}
}

func TestCollectionsAreNoticed(t *testing.T) {
	s := &freeLists{}
	s.put(classOf(1<<16), newBlock(classOf(1<<16), 1<<16))
	for range 100 {
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
		s.mu.Lock()
		watching := s.watching
		s.mu.Unlock()
		if !watching {
			return
		}
	}
	t.Error("an idle block stays for good")
}

// TestBlocksHaveOneOwner has goroutines write to blocks of theirs, which nobody else may do meanwhile.
func TestBlocksHaveOneOwner(t *testing.T) {
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			for i := range 300 {
				m := Alloc([]int{8, 700, 40_000}[i%3])
				bytes := Bytes(m)
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
				Free(m)
			}
		})
	}
	wg.Wait()
}

func TestKeptMemoryIsAQuarter(t *testing.T) {
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
		if got := limitOf(c.memory, c.asked); got != c.want {
			t.Errorf("of %d bytes, %d asked for: %d, want %d", c.memory, c.asked, got, c.want)
		}
	}
}
