package cudaops

import (
	"math"
	"strings"
	"sync"
	"unsafe"

	"github.com/ndgrad/ndgrad/cudaops/internal/drv"
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// An entry is a function in a file of kernels. KERNEL and similar macros in kernels/ndgrad.cuh generate its name.
type entry struct {
	file  string // such as "copy", of copy.cu
	name  string // of the kernel
	class byte   // class of the numbers that it computes with: one of b, i, u, f, d, c, z; 0 for none
	limit int    // largest rank: 8 or 32
}

func (e entry) String() string {
	var name strings.Builder
	name.WriteString(e.name)
	if e.class != 0 {
		name.WriteByte('_')
		name.WriteByte(e.class)
	}
	if e.limit == narrow {
		name.WriteString("_8")
	} else {
		name.WriteString("_32")
	}
	return name.String()
}

// The two layouts of strides. Most loops have few axes, and every byte of the arguments costs time.
const (
	narrow = 8
	wide   = device.MaxRank
)

// limitOf returns the layout for loops with a rank.
func limitOf(rank int) int {
	if rank <= narrow {
		return narrow
	}
	return wide
}

// classOf returns the class of the numbers that a kernel computes with for elements of a type.
func classOf(t dtype.DType) byte {
	return [dtype.Count]byte{
		dtype.Bool: 'b', dtype.Int8: 'i', dtype.Int16: 'i', dtype.Int32: 'i', dtype.Int64: 'i',
		dtype.Uint8: 'u', dtype.Uint16: 'u', dtype.Uint32: 'u', dtype.Uint64: 'u',
		dtype.Float16: 'f', dtype.BFloat16: 'f', dtype.Float32: 'f', dtype.Float64: 'd', dtype.Complex64: 'c', dtype.Complex128: 'z',
	}[t]
}

// arguments are the parameter of a kernel: a struct of words.
type arguments struct {
	limit int
	n     int
	words [maxWords]uint64
}

const maxWords = 4096 / 8 // the maximum for a kernel's parameters

var argumentPool = sync.Pool{New: func() any { return new(arguments) }}

// newArguments returns arguments for operands of a layout. The launch returns them to a pool.
func newArguments(limit int) *arguments {
	a := argumentPool.Get().(*arguments)
	a.limit, a.n = limit, 0
	return a
}

// word adds an address or an unsigned integer.
func (a *arguments) word(w uint64) {
	a.words[a.n] = w
	a.n++
}

// int adds an integer.
func (a *arguments) int(i int) { a.word(uint64(i)) }

// float adds a float.
func (a *arguments) float(x float64) { a.word(math.Float64bits(x)) }

// bool adds 0 or 1.
func (a *arguments) bool(b bool) {
	if b {
		a.word(1)
	} else {
		a.word(0)
	}
}

// loop adds a Loop: its shape. The operands follow, added with operand.
func (a *arguments) loop(shape []int) {
	a.int(len(shape))
	a.int(broadcast.Size(shape))
	a.axes(shape)
}

// axes adds a number for each axis.
func (a *arguments) axes(values []int) {
	for k, v := range values {
		a.words[a.n+k] = uint64(v)
	}
	a.n += a.limit // the numbers beyond the rank are never read
}

// operand adds an Operand, with strides for the first rank axes of the loop. An operand without memory has address 0.
func (a *arguments) operand(o *device.Operand, rank int) {
	size := o.DType.Size()
	a.word(address(o.Memory, o.Offset*size))
	a.int(int(o.DType))
	a.int(size)
	a.int(o.Len)
	a.axes(o.Strides[:rank])
}

// launchLoop adds the loop of a launch with its operands up to, but not including, number end. The kernel's struct has
// room operands; the others stay empty.
func (a *arguments) launchLoop(l *device.Launch, end, room int) {
	a.loop(l.Shape[:l.Rank])
	for k := range end {
		a.operand(&l.Operands[k], l.Rank)
	}
	a.skip(room - end)
}

// skip leaves room for missing operands; their addresses are 0.
func (a *arguments) skip(operands int) {
	for range operands {
		a.words[a.n] = 0
		a.n += 4 + a.limit
	}
}

// threads is the number of threads of a block, unless a kernel needs another number.
const threads = 256

// warpLanes is the number of threads of a warp, which exchange numbers directly.
const warpLanes = 32

// maxBlocks is the largest number of blocks of a kernel whose threads walk through a loop. It does not depend on the
// device, so that results do not either.
const maxBlocks = 1 << 16

// over returns the number of blocks that gives each of n points a thread, bounded by maxBlocks.
func over(n int) int { return min((n+threads-1)/threads, maxBlocks) }

// run enqueues a kernel and recycles a. fn is the library function on whose behalf it runs.
func (d *Device) run(fn string, e entry, blocks, threads, shared int, a *arguments) {
	if blocks == 0 {
		argumentPool.Put(a)
		return
	}
	e.limit = a.limit
	f := d.function(fn, e)
	if shared > defaultShared {
		d.allowShared(fn, e, f, shared)
	}
	d.launch(fn, f, blocks, threads, shared, a)
}

// launch enqueues a function and recycles a.
func (d *Device) launch(fn string, f drv.Function, blocks, threads, shared int, a *arguments) {
	err := d.context.Launch(f, blocks, 1, 1, threads, 1, 1, shared, d.stream, unsafe.Pointer(&a.words), a.n*8)
	argumentPool.Put(a)
	d.check(fn, err)
	if d.blocking {
		d.waitOrPanic(fn)
	}
}

// defaultShared is the number of bytes of shared memory that a block may use without a request.
const defaultShared = 48 << 10

// modules holds the kernels that were loaded.
type modules struct {
	sync.RWMutex
	files     map[moduleKey]drv.Module
	functions map[entry]drv.Function
	shared    map[drv.Function]int // the largest numbers of shared bytes that were requested
}

// moduleKey names a file of kernels and the rank of its loops.
type moduleKey struct {
	file  string
	limit int
}

func (m *modules) begin() {
	m.files = map[moduleKey]drv.Module{}
	m.functions = map[entry]drv.Function{}
	m.shared = map[drv.Function]int{}
}

// function returns an entry. It loads the file on first use.
func (d *Device) function(fn string, e entry) drv.Function {
	m := &d.modules
	m.RLock()
	f, ok := m.functions[e]
	m.RUnlock()
	if ok {
		return f
	}
	m.Lock()
	defer m.Unlock()
	key := moduleKey{e.file, e.limit}
	file, ok := m.files[key]
	if !ok {
		var err error
		file, err = d.context.LoadModule(kernelImage(e.file, e.limit))
		d.check(fn, err)
		m.files[key] = file
	}
	f, err := d.context.Function(file, e.String())
	d.check(fn, err)
	m.functions[e] = f
	return f
}

// allowShared permits a function to use more shared memory than the default.
func (d *Device) allowShared(fn string, e entry, f drv.Function, bytes int) {
	m := &d.modules
	m.Lock()
	defer m.Unlock()
	if m.shared[f] < bytes {
		d.check(fn, d.context.SetSharedLimit(f, bytes))
		m.shared[f] = bytes
	}
}
