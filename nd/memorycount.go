package nd

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"weak"
)

// MemoryRow describes the live blocks that one function made on one device.
type MemoryRow struct {
	Func   Func   // the function that made the arrays
	Device string // the device's name
	Blocks int    // blocks of memory, each with one array and its views
	Bytes  int64  // total size of the blocks
	Pinned int    // blocks of which a slice has left the library (Data): Release does not return them to the pool
}

// MemoryTable lists the live blocks, the most bytes first. It prints as a table whose last line is the total.
type MemoryTable []MemoryRow

// CountMemory starts or stops counting the arrays made from now on, for [MemoryByMaker]. Counting is off by default,
// because it makes small arrays several times as expensive. Stopping it forgets the counts.
func CountMemory(on bool) {
	counted.Lock()
	defer counted.Unlock()
	if !on {
		counted.blocks, counted.checkAt = nil, 0
	}
	counting.Store(on)
}

// MemoryByMaker returns the live blocks of memory that were made since CountMemory. It leaves out released blocks, and
// dropped blocks that the GC has found. So call runtime.GC twice before it to see what the program holds.
//
//	nd.CountMemory(true)
//	train()
//	runtime.GC()
//	fmt.Print(nd.MemoryByMaker())
func MemoryByMaker() MemoryTable {
	rows := map[[2]string]MemoryRow{}
	counted.Lock()
	for p, b := range counted.blocks {
		s := p.Value()
		if s == nil {
			continue
		}
		key := [2]string{string(b.fn), s.dev.Name()}
		row := rows[key]
		row.Func, row.Device = b.fn, key[1]
		row.Blocks++
		row.Bytes += int64(b.bytes)
		if s.pinned.Load() {
			row.Pinned++
		}
		rows[key] = row
	}
	counted.Unlock()
	return slices.SortedFunc(maps.Values(rows), func(a, b MemoryRow) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(b.Blocks, a.Blocks), cmp.Compare(a.Func, b.Func), cmp.Compare(a.Device, b.Device))
	})
}

// Total returns the sum of all rows.
func (t MemoryTable) Total() MemoryRow {
	all := MemoryRow{Func: "all"}
	for _, row := range t {
		all.Blocks += row.Blocks
		all.Bytes += row.Bytes
		all.Pinned += row.Pinned
	}
	return all
}

// String prints the table.
func (t MemoryTable) String() string {
	var b strings.Builder
	rows := append(slices.Clone(t), t.Total())
	maker := 0
	for _, row := range rows {
		maker = max(maker, len(row.Func))
	}
	fmt.Fprintf(&b, "%-*s  %-6s %8s %14s %8s\n", maker, "maker", "device", "blocks", "bytes", "pinned")
	for _, row := range rows {
		fmt.Fprintf(&b, "%-*s  %-6s %8d %14d %8d\n", maker, row.Func, row.Device, row.Blocks, row.Bytes, row.Pinned)
	}
	return b.String()
}

// counting says whether blocks are counted. Every allocation reads it.
var counting atomic.Bool

// counted lists the blocks that are alive, as far as is known. It keeps none of them alive.
var counted struct {
	sync.Mutex
	blocks  map[weak.Pointer[storage]]madeBlock
	checkAt int // the number of blocks at which dead ones are removed
}

// madeBlock describes a counted block.
type madeBlock struct {
	fn    Func
	bytes int
}

// count notes a new block.
func (s *storage) count(fn Func) {
	counted.Lock()
	defer counted.Unlock()
	switch {
	case !counting.Load():
		return
	case counted.blocks == nil:
		counted.blocks, counted.checkAt = map[weak.Pointer[storage]]madeBlock{}, 1024
	case len(counted.blocks) >= counted.checkAt:
		maps.DeleteFunc(counted.blocks, func(p weak.Pointer[storage], _ madeBlock) bool { return p.Value() == nil })
		counted.checkAt = 1024 + 2*len(counted.blocks)
	}
	counted.blocks[weak.Make(s)] = madeBlock{fn, s.bytes()}
}

// uncount forgets a block that is released.
func (s *storage) uncount() {
	counted.Lock()
	delete(counted.blocks, weak.Make(s))
	counted.Unlock()
}
