package nd

import (
	"fmt"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// MaxRank is the largest number of axes of an array.
const MaxRank = broadcast.MaxRank

// inlineRank is the number of axes that fit into the header's own allocation.
const inlineRank = 4

// Array is an n-dimensional array: a header (dtype, shape, strides) on memory that several arrays may share. Methods
// that rearrange return a new header on the same memory where they can; functions of package ops make new arrays.
//
// Arrays may be read from many goroutines at once. Writing to one, and Release, need exclusion by the caller.
type Array struct {
	store   *storage // nil for an immediate
	offset  int      // of the first element, in elements
	shape   []int
	strides []int // in elements
	weak    *immediate
	fn      Func // the function that made it, for messages
	arena   *Arena
	node    *Node // nil where no tape knows the array
	out     int32 // which result of the node it is

	dtype    dtype.DType
	released bool
	state    bool // it is the header of a stateArray

	inline [2 * inlineRank]int
}

// newHeader returns a header without memory whose shape and strides have room for rank axes.
func newHeader(fn Func, rank int) *Array {
	x := &Array{fn: fn}
	x.setRank(rank)
	return x
}

// setRank makes room for rank axes.
func (x *Array) setRank(rank int) {
	if rank <= inlineRank {
		x.shape, x.strides = x.inline[:rank:inlineRank], x.inline[inlineRank:inlineRank+rank]
	} else {
		dims := make([]int, 2*rank)
		x.shape, x.strides = dims[:rank:rank], dims[rank:]
	}
}

// onStorage attaches x to a block.
func (x *Array) onStorage(s *storage, dt dtype.DType, offset int) *Array {
	x.store, x.dtype, x.offset = s, dt, offset
	s.others.Add(1)
	return x
}

// header returns a new header on x's memory with another layout.
func (x *Array) header(fn Func, v broadcast.View) *Array {
	y := newHeader(fn, len(v.Shape))
	copy(y.shape, v.Shape)
	copy(y.strides, v.Strides)
	y.onStorage(x.store, x.dtype, v.Offset)
	x.arena.own(y)
	return y
}

// Layout returns x's place in its memory. Its slices are x's own, and must not be changed: it is for functions built on
// [Launch], to which Shape and Strides would cost too much.
func (x *Array) Layout() broadcast.View {
	if x == nil {
		refuseNil("Array.Layout")
	}
	return broadcast.View{Offset: x.offset, Shape: x.shape, Strides: x.strides}
}

// check panics where x cannot be read: nil, or released.
func (x *Array) check(fn Func) {
	if x == nil || x.released {
		x.refuse(fn)
	}
}

func (x *Array) refuse(fn Func) {
	if x == nil {
		refuseNil(fn)
	}
	panic(fn.Errorf(nil, "the array was released: made by %s%s", x.fn, x.arena.hint()))
}

// refuseNil panics with the error of function fn for an array that is nil.
func refuseNil(fn Func) { panic(fn.Errorf(nil, "the array is nil")) }

// Rank returns the number of axes. numpy.ndim.
func (x *Array) Rank() int {
	if x == nil {
		refuseNil("Array.Rank")
	}
	return len(x.shape)
}

// Dim returns the length of an axis; negative axes count from the end.
func (x *Array) Dim(axis int) int {
	if x == nil {
		refuseNil("Array.Dim")
	}
	k, err := broadcast.Axis(axis, len(x.shape))
	if err != nil {
		panic(Func("Array.Dim").Errorf([]*Array{x}, "%v", err))
	}
	return x.shape[k]
}

// Shape returns the length of every axis, in a slice of the caller's own. numpy.shape.
func (x *Array) Shape() []int {
	if x == nil {
		refuseNil("Array.Shape")
	}
	return append([]int{}, x.shape...)
}

// Strides returns, for every axis, by how many elements in memory neighbours along it are apart, in a slice of the
// caller's own. NumPy counts bytes: multiply by DType().Size(). numpy.ndarray.strides.
func (x *Array) Strides() []int {
	if x == nil {
		refuseNil("Array.Strides")
	}
	return append([]int{}, x.strides...)
}

// Offset returns the place of the first element in the memory, in elements.
func (x *Array) Offset() int {
	if x == nil {
		refuseNil("Array.Offset")
	}
	return x.offset
}

// Size returns the number of elements. numpy.size, torch.numel.
func (x *Array) Size() int {
	if x == nil {
		refuseNil("Array.Size")
	}
	return broadcast.Size(x.shape)
}

// Bytes returns the number of bytes of all elements. numpy.ndarray.nbytes.
func (x *Array) Bytes() int {
	if x == nil {
		refuseNil("Array.Bytes")
	}
	return x.Size() * x.dtype.Size()
}

// DType returns the element type. numpy.ndarray.dtype.
func (x *Array) DType() dtype.DType {
	if x == nil {
		refuseNil("Array.DType")
	}
	return x.dtype
}

// Device returns the device that holds the array; nil for an immediate. numpy.ndarray.device.
func (x *Array) Device() device.Device {
	if x == nil {
		refuseNil("Array.Device")
	}
	if x.store == nil {
		return nil
	}
	return x.store.dev
}

// IsAlone reports whether x is contiguous, and the only unreleased header on memory of which no slice has left the library:
// then who holds x may overwrite it without anybody else noticing. It is for implementations of Recorder.
func (x *Array) IsAlone() bool {
	if x == nil {
		refuseNil("Array.IsAlone")
	}
	return x.store != nil && x.store.others.Load() == 0 && !x.store.pinned.Load() && broadcast.IsContiguous(x.shape, x.strides)
}

// IsContiguous reports whether the elements lie in memory in row-major (C) order without gaps.
func (x *Array) IsContiguous() bool {
	if x == nil {
		refuseNil("Array.IsContiguous")
	}
	return broadcast.IsContiguous(x.shape, x.strides)
}

// IsFortran reports whether the elements lie in memory in column-major (Fortran) order without gaps. numpy.isfortran.
func (x *Array) IsFortran() bool {
	if x == nil {
		refuseNil("Array.IsFortran")
	}
	return broadcast.IsFortran(x.shape, x.strides)
}

// SharesMemory reports whether both arrays are headers on one block of memory. numpy.shares_memory, numpy.may_share_memory.
func (x *Array) SharesMemory(y *Array) bool {
	if x == nil || y == nil {
		refuseNil("Array.SharesMemory")
	}
	return x.store != nil && x.store == y.store
}

// Block returns what identifies x's memory, as a key of maps: it is the same for arrays that share memory
// ([Array.SharesMemory]). Of a Scalar it is nil.
func (x *Array) Block() any {
	if x == nil {
		refuseNil("Array.Block")
	}
	if x.store == nil {
		return nil
	}
	return x.store
}

// BlockNumber is a number that stands for x's memory and no other, and does not keep it: 0 of a Scalar. [Node.Source] has it of the
// arrays that an operation was given.
func (x *Array) BlockNumber() uint32 {
	if x == nil {
		refuseNil("Array.BlockNumber")
	}
	if x.store == nil {
		return 0
	}
	return x.store.named()
}

// Version counts the writes to the array's memory, through any header.
func (x *Array) Version() uint32 {
	if x == nil {
		refuseNil("Array.Version")
	}
	if x.store == nil {
		return 0
	}
	return x.store.version
}

// Release says that the caller needs x no more. The memory is given back when every header on it is released; a header
// that is merely dropped is left to the garbage collector. Using a released array panics.
func (x *Array) Release() {
	if x == nil || x.released || x.store == nil {
		return
	}
	x.released = true
	x.forgetNode()
	x.store.drop()
}

// IsReleased reports whether x was released, by itself or with its arena or tape.
func (x *Array) IsReleased() bool {
	if x == nil {
		refuseNil("Array.IsReleased")
	}
	return x.released
}

// describe names x in messages.
func (x *Array) describe() string {
	return fmt.Sprintf("%s%s made by %s", x.dtype, broadcast.FormatShape(x.shape), x.fn)
}
