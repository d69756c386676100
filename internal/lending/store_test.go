package lending

import (
	"math"
	"runtime"
	"testing"
	"time"
	"unsafe"
)

const mib = 1 << 20

func init() { MaxCost = time.Hour }

// newStore returns a store of blocks of the Go heap. Blocks of 2 MiB and more are handed out on loan, at most most
// bytes.
func newStore(most int) *Store {
	return &Store{
		Make: func(class, bytes int) unsafe.Pointer {
			return unsafe.Pointer(unsafe.SliceData(make([]uint64, ClassSize(class)/8)))
		},
		MinClass: ClassOf(2 * mib),
		Limit:    func() int { return most },
	}
}

// stats holds the bytes of a store's idle blocks, and of the blocks that it owns, on loan or idle.
type stats struct{ Idle, Owned int }

func statsOf(s *Store) stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	return stats{s.idle, s.owned}
}

func TestBlocksServeAgain(t *testing.T) {
	s := newStore(100 * mib)
	for _, n := range []int{mib, 2 * mib} {
		class := ClassOf(n)
		b := s.Take(class, n)
		if onLoan := n >= 2*mib; (b.Loan != nil) != onLoan {
			t.Errorf("%d bytes: loan %v", n, b.Loan)
		}
		s.Give(class, b)
		if again := s.Take(class, n-n/100); again != b {
			t.Errorf("a block of %d bytes was not reused", n)
		}
	}
}

func TestIdleBlocksAreDiscarded(t *testing.T) {
	for _, n := range []int{mib, 2 * mib} {
		s := newStore(100 * mib)
		class, discarded := ClassOf(n), 0
		s.Discard = func(c int, block unsafe.Pointer) {
			if discarded++; c != class || block == nil {
				t.Errorf("class %d, block %v is discarded", c, block)
			}
		}
		now := time.Now().Add(time.Hour)
		s.cleaned = now // so that GC cycles of the real time discard nothing
		take := func() Block { return s.Take(class, n) }
		a, b, c := take(), take(), take()
		for _, x := range []Block{a, b, c} {
			s.Give(class, x)
		}
		look := func(want int) {
			t.Helper()
			now = now.Add(longestIdle)
			s.collected(now)
			if l := len(s.lists[class].entries); l != want || s.idle != l*n || discarded != 3-l {
				t.Fatalf("%d blocks and %d bytes are left, %d discarded, want %d", l, s.idle, discarded, want)
			}
		}
		look(3) // they are new
		s.Give(class, take())
		look(3)
		s.Give(class, take())
		s.collected(now) // too soon
		if l := len(s.lists[class].entries); l != 3 {
			t.Fatalf("%d blocks are left", l)
		}
		look(1) // two were idle between two checks
		look(1)
		look(0)
		if statsOf(s) != (stats{}) {
			t.Errorf("%d bytes: %+v", n, statsOf(s))
		}
	}
}

func TestIdleMemoryIsBounded(t *testing.T) {
	s := newStore(5 * mib)
	class := ClassOf(mib)
	var blocks []Block
	for range 9 {
		blocks = append(blocks, s.Take(class, mib))
	}
	for _, b := range blocks {
		s.Give(class, b)
	}
	if s.idle != 5*mib || len(s.lists[class].entries) != 5 {
		t.Errorf("%d bytes in %d blocks", s.idle, len(s.lists[class].entries))
	}
}

func TestMemoryOnLoanIsBounded(t *testing.T) {
	s := newStore(5 * mib)
	class, onLoan := ClassOf(2*mib), 0
	var blocks [4]Block
	for i := range blocks {
		if blocks[i] = s.Take(class, 2*mib); blocks[i].Loan != nil {
			onLoan++
		}
	}
	defer runtime.KeepAlive(&blocks)
	if onLoan != 2 || statsOf(s).Owned != 4*mib {
		t.Errorf("%d are on loan, %+v", onLoan, statsOf(s))
	}
}

// collect runs the GC and lets s check. An unreachable block may need a second GC cycle to be found, if its weak
// pointer was read during the first.
func collect(s *Store) {
	runtime.GC()
	runtime.GC()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
}

//go:noinline
func forget(s *Store, class, bytes int) (address uintptr) {
	b := s.Take(class, bytes)
	return uintptr(b.At)
}

func TestForgottenBlocksComeBack(t *testing.T) {
	s := newStore(100 * mib)
	class := ClassOf(3 * mib)
	returned := 0
	s.Returned = func(int, unsafe.Pointer) { returned++ }
	held := s.Take(class, 3*mib)
	at := forget(s, class, 3*mib)
	collect(s)
	if returned != 1 || statsOf(s) != (stats{Idle: ClassSize(class), Owned: 2 * ClassSize(class)}) {
		t.Fatalf("%d came back, %+v", returned, statsOf(s))
	}
	b := s.Take(class, 3*mib)
	if uintptr(b.At) != at || b.At == held.At {
		t.Errorf("%v is reused, want %x", b.At, at)
	}
	collect(s)
	if returned != 1 {
		t.Error("a block came back that is still in use")
	}
	runtime.KeepAlive(held.Loan)
	runtime.KeepAlive(b.Loan)
}

//go:noinline
func escaped(s *Store, class, bytes int) []byte {
	b := s.Take(class, bytes)
	b.Loan.Escape()
	return unsafe.Slice((*byte)(b.At), bytes)
}

func TestEscapedBlocksAreLeftToTheGC(t *testing.T) {
	s := newStore(100 * mib)
	class := ClassOf(2 * mib)
	data := escaped(s, class, 2*mib)
	collect(s)
	if statsOf(s) != (stats{}) || len(s.tracked) != 0 {
		t.Errorf("%+v", statsOf(s))
	}
	if other := s.Take(class, 2*mib); other.At == unsafe.Pointer(unsafe.SliceData(data)) {
		t.Error("memory is on loan that a slice shares")
	}
}

func TestBlocksHaveOneState(t *testing.T) {
	s := newStore(100 * mib)
	class := ClassOf(2 * mib)
	b := s.Take(class, 2*mib)
	s.Give(class, b)
	defer func() {
		if recover() == nil {
			t.Error("a block came back twice")
		}
	}()
	s.Give(class, b)
}

// TestFullDevices drops blocks of a device whose memory is not on the Go heap, so that only the store frees it.
func TestFullDevices(t *testing.T) {
	free := 10 * mib
	blocks := make([]byte, 1000)
	s := newStore(math.MaxInt)
	s.MinClass = 1
	s.Make = func(class, _ int) unsafe.Pointer {
		if free < ClassSize(class) {
			return nil
		}
		free -= ClassSize(class)
		blocks = blocks[1:]
		return unsafe.Pointer(&blocks[0]) // any address
	}
	s.Discard = func(class int, _ unsafe.Pointer) { free += ClassSize(class) }
	for i := range 200 {
		if forget(s, ClassOf(mib<<(i%4)), mib<<(i%4)) == 0 {
			t.Fatalf("block %d: no room, %d bytes free", i, free)
		}
	}
	held := s.Take(ClassOf(8*mib), 8*mib)
	if b := s.Take(ClassOf(4*mib), 4*mib); held.At == nil || b.At != nil {
		t.Errorf("%v and %v, want only one of them", held, b)
	}
	runtime.KeepAlive(held.Loan)
}

func TestMemoryGoesWhenTheProgramRests(t *testing.T) {
	s := newStore(100 * mib)
	class := ClassOf(2 * mib)
	s.Give(class, s.Take(class, 2*mib))
	forget(s, class, 2*mib)
	for range 3 { // busy until the second check
		s.atRest()
	}
	if statsOf(s) != (stats{}) {
		t.Errorf("%+v", statsOf(s))
	}
	s.collected(time.Now().Add(longestIdle)) // nothing is left to discard
}

// A busy program that makes no new blocks has no GC cycles that would find unused ones.
func TestUnusedMemoryGoesWhileTheProgramIsBusy(t *testing.T) {
	s := newStore(100 * mib)
	class, small := ClassOf(20*mib), ClassOf(2*mib)
	left := 0
	s.Make = func(class, bytes int) unsafe.Pointer {
		b := make([]uint64, ClassSize(class)/8)
		if class != small {
			left++
			runtime.AddCleanup(&b[0], func(int) { s.mu.Lock(); left--; s.mu.Unlock() }, 0)
		}
		return unsafe.Pointer(unsafe.SliceData(b))
	}
	s.Give(class, s.Take(class, 20*mib)) // idle
	forget(s, class, 19*mib)             // the idle block, dropped
	s.Give(class, s.Take(class, 20*mib))
	now := time.Now()
	for range 12 {
		s.Give(small, s.Take(small, 2*mib))
		now = now.Add(untilRest)
		s.lookAround(now)
		pace.epoch.Load().began = now.Add(-time.Hour) // long ago
	}
	if got, want := statsOf(s), (stats{Idle: 2 * mib, Owned: 2 * mib}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) { // cleanups run after the cycle
		s.mu.Lock()
		n := left
		s.mu.Unlock()
		if n == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%d discarded blocks are still in memory", n)
		}
	}
}

func TestBlocksInUseStayWhileTheProgramIsBusy(t *testing.T) {
	s := newStore(100 * mib)
	class := ClassOf(3 * mib)
	for now := time.Now(); s.turns < 12; now = now.Add(untilRest) {
		s.Give(class, s.Take(class, 3*mib)) // the same block in every second
		s.lookAround(now)
	}
	if got := statsOf(s); got.Idle != 3*mib {
		t.Errorf("%+v: a block that is used every second was discarded", got)
	}
}

func TestCollectionsAreNoticed(t *testing.T) {
	seen := make(chan Heap, 100)
	AfterGC(func(h Heap) {
		select {
		case seen <- h:
		default:
		}
	})
	Fresh(startAfter)
	<-seen
	runtime.GC()
	select {
	case h := <-seen:
		if h.Live <= 0 || h.Limit <= 0 || h.Cost <= 0 || h.Few {
			t.Errorf("%+v", h)
		}
	case <-time.After(10 * time.Second):
		t.Error("a GC cycle was not noticed")
	}
}
