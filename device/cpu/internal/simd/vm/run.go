package vm

import (
	"sync"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// Runner runs code on streams. Only one goroutine may use it.
type Runner struct {
	frame
	code   *Code
	values []uint64 // of the scalars
	room   []uint64 // of the slots
	tails  [maxStreams][tailBytes]byte
	moves  moves
}

// frame is the data that handlers see. They read its fields by their offsets (gen/vm/layout.go).
type frame struct {
	main, tail *instruction
	scalars    *uint64
	slots      unsafe.Pointer
	left       int     // elements that are left
	index      int     // of the first element
	next       uintptr // the address of the next instruction; main or tail keeps it alive
	rare       int     // not 0 if the run ended because of a rare argument
	rows       int     // rows that follow the current one
	length     int     // of a row
	moves      *moves  // from row to row; nil if there are no rows
	streams    Operands
}

// streamOffset returns the offset of a stream's address in a frame.
func streamOffset(k int) int { return int(unsafe.Offsetof(frame{}.streams)) + 8*k }

// tailBytes is the largest number of bytes that an AVX2 handler reads from a stream at once: every second element of them.
const tailBytes = 256

// Alignment is the alignment in bytes that an output needs to be stored past the caches.
const Alignment = 64

var runners = sync.Pool{New: func() any { return new(Runner) }}

// NewRunner returns a runner for code c, with the scalars and the number of points of a launch.
func NewRunner(c *Code, scalars *[device.MaxScalars]device.Scalar, size int) *Runner {
	r := runners.Get().(*Runner)
	r.Use(c, scalars, size)
	return r
}

// Use makes r a runner for code c.
func (r *Runner) Use(c *Code, scalars *[device.MaxScalars]device.Scalar, size int) {
	if r.code != c {
		r.adopt(c)
	}
	for k := range c.numbers {
		switch number := &c.numbers[k]; number.op {
		case device.OpScalar:
			r.values[k] = c.bitsFrom(number, scalars[number.index])
		case device.OpSize:
			r.values[k] = c.bitsOf(device.Scalar{Int: int64(size)}, number.dtype)
		}
	}
}

// adopt allocates room for the code's scalars and slots, and sets its constants.
func (r *Runner) adopt(c *Code) {
	r.code = c
	r.main, r.tail = &c.main[0], &c.tail[0]
	if len(r.values) < len(c.numbers) {
		r.values = make([]uint64, 2*len(c.numbers))
	}
	if words := (c.slots*c.slotSize() + Alignment) / 8; len(r.room) < words {
		r.room = make([]uint64, words)
	}
	r.scalars = unsafe.SliceData(r.values)
	base := unsafe.Pointer(unsafe.SliceData(r.room))
	r.slots = unsafe.Add(base, -uintptr(base)&(Alignment-1))
	for k := range c.numbers {
		if number := &c.numbers[k]; number.op == device.OpConst {
			r.values[k] = number.bits
		}
	}
}

// SetStream sets the address of the contiguous elements of operand k of the launch.
func (r *Runner) SetStream(k int, p unsafe.Pointer) { r.streams[k] = p }

// SetUniform sets the address of the only element of an input.
func (r *Runner) SetUniform(input int, p unsafe.Pointer) {
	for k := range r.code.numbers {
		if number := &r.code.numbers[k]; number.op == device.OpInput && number.index == input {
			r.values[k] = r.code.bitsAt(p, number.storage, number.dtype)
		}
	}
}

// small is a runner for code that needs no slots and few scalars. It fits on the stack.
type small struct {
	frame
	values [smallValues]uint64
}

const smallValues = 4

// Operands holds the addresses of the operands of a launch.
type Operands [maxStreams]unsafe.Pointer

// Run computes n elements of a launch. All operands are streams, except those that the layout declares to have one
// element. n must be small: the run is a single call, in which the goroutine cannot be preempted.
func (c *Code) Run(operands *Operands, scalars *[device.MaxScalars]device.Scalar, n int) {
	if !c.wide || c.slots > 0 || len(c.numbers) > smallValues {
		r := NewRunner(c, scalars, n)
		r.streams = *operands
		for k := range c.numbers {
			if number := &c.numbers[k]; number.op == device.OpInput {
				r.values[k] = c.bitsAt(operands[c.firstInput+number.index], number.storage, number.dtype)
			}
		}
		r.Run(n)
		r.Recycle()
		return
	}
	var s small
	s.main, s.tail, s.scalars, s.left = &c.main[0], &c.tail[0], &s.values[0], n
	s.streams = *operands
	for k := range c.numbers {
		switch number := &c.numbers[k]; number.op {
		case device.OpScalar:
			s.values[k] = c.bitsFrom(number, scalars[number.index])
		case device.OpSize:
			s.values[k] = c.bitsOf(device.Scalar{Int: int64(n)}, number.dtype)
		case device.OpConst:
			s.values[k] = number.bits
		default:
			s.values[k] = c.bitsAt(operands[c.firstInput+number.index], number.storage, number.dtype)
		}
	}
	s.frame.enter(c)
}

// RunFlat is Run for one output, at most two inputs and at most one scalar.
func (c *Code) RunFlat(n int, y, a, b unsafe.Pointer, scalar device.Scalar) {
	if !c.wide || c.slots > 0 || len(c.numbers) > smallValues {
		c.Run(&Operands{y, a, b}, &[device.MaxScalars]device.Scalar{scalar}, n)
		return
	}
	var s small
	s.main, s.tail, s.scalars, s.left = &c.main[0], &c.tail[0], &s.values[0], n
	s.streams[0], s.streams[1], s.streams[2] = y, a, b
	for k := range c.numbers {
		switch number := &c.numbers[k]; number.op {
		case device.OpScalar:
			s.values[k] = c.bitsFrom(number, scalar)
		case device.OpSize:
			s.values[k] = c.bitsOf(device.Scalar{Int: int64(n)}, number.dtype)
		default:
			s.values[k] = number.bits
		}
	}
	s.frame.enter(c)
}

// Recycle makes the runner available for reuse. It drops the references to the streams. What was stored past the caches is
// visible to other processors then.
func (r *Runner) Recycle() {
	if r.code.layout.BypassCaches {
		fence()
	}
	clear(r.streams[:])
	r.moves = moves{}
	runners.Put(r)
}

// Run computes n elements.
func (r *Runner) Run(n int) {
	c := r.code
	tail := 0
	if !c.wide {
		tail = n % c.lanes
		n -= tail
	}
	for from := 0; from < n; from += c.piece {
		r.run(from, min(c.piece, n-from))
	}
	if tail > 0 {
		r.runTail(n, tail)
	}
}

// run is one call of the interpreter. The garbage collector can stop the goroutine only before it.
//
//go:noinline
func (r *Runner) run(from, n int) {
	r.index, r.left = from, n
	r.enterAndCorrect()
}

func (r *Runner) enterAndCorrect() {
	r.frame.enter(r.code)
	for r.rare != 0 {
		r.rare = 0
		r.computeRare()
		r.frame.resume(r.code)
	}
}

// runTail computes the last n elements, fewer than a handler processes, on copies of the operands that are long enough.
func (r *Runner) runTail(from, n int) {
	streams := r.streams
	for k, size := range r.code.streams {
		if size == 0 {
			continue
		}
		buffer := unsafe.Pointer(&r.tails[k])
		if r.code.outputs&(1<<k) == 0 || r.code.partial {
			if r.code.layout.Seconds&(1<<k) != 0 {
				bytes := (2*n - 1) * size
				copy(bytesAt(buffer, bytes), bytesAt(unsafe.Add(streams[k], 2*from*size), bytes))
			} else {
				copy(bytesAt(buffer, n*size), bytesAt(unsafe.Add(streams[k], from*size), n*size))
			}
		}
		r.streams[k] = buffer
	}
	r.run(0, r.code.lanes)
	for k, size := range r.code.streams {
		if r.code.outputs&(1<<k) != 0 {
			copy(bytesAt(unsafe.Add(streams[k], from*size), n*size), bytesAt(unsafe.Pointer(&r.tails[k]), n*size))
		}
	}
	r.streams = streams
}

func bytesAt(p unsafe.Pointer, n int) []byte { return unsafe.Slice((*byte)(p), n) }

// computeRare computes in Go the results that a handler left out: those for arguments beyond its limit.
func (r *Runner) computeRare() {
	c := r.code
	at := int(r.next-uintptr(unsafe.Pointer(r.main))) / int(unsafe.Sizeof(instruction{}))
	if at < 1 || at > len(c.main) {
		at = int(r.next-uintptr(unsafe.Pointer(r.tail))) / int(unsafe.Sizeof(instruction{}))
	}
	rare := c.rare[at-1]
	if c.double {
		computeRareLanes[float64](r, rare)
	} else {
		computeRareLanes[float32](r, rare)
	}
}

func computeRareLanes[T float32 | float64](r *Runner, rare rareCase) {
	arguments := unsafe.Slice((*T)(r.slots), r.code.lanes)
	results := unsafe.Slice((*T)(unsafe.Add(r.slots, r.code.slotSize())), r.code.lanes)
	if divides(rare.op) {
		divisors := unsafe.Slice((*T)(unsafe.Add(r.slots, 2*r.code.slotSize())), r.code.lanes)
		divide := division[T](rare.op)
		for i, x := range arguments {
			results[i] = divide(x, divisors[i])
		}
		return
	}
	for i, x := range arguments {
		if v := float64(x); v > rare.limit || v < -rare.limit {
			results[i] = T(rare.function(v))
		}
	}
}

func division[T float32 | float64](op device.Op) func(a, b T) T {
	switch op {
	case device.OpFloorDiv:
		return scalar.FloorDiv[T]
	case device.OpMod:
		return scalar.Mod[T]
	}
	return scalar.Fmod[T]
}
