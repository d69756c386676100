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
// that rearrange return a new header on the same memory if they can; functions of package ops return new arrays.
//
// Many goroutines may read an array at once. Writing to an array, and Release, need exclusion by the caller.
type Array struct {
	store   *storage // nil for a Scalar
	offset  int      // of the first element, in elements
	shape   []int
	strides []int // in elements
	scalar  *scalarValue
	fn      Func // the function that made it, or of which it is a view, for messages
	arena   *Arena
	node    *Node // nil if no tape has recorded the array
	out     int32 // the array's index among the results of the node

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
	s.extraHeaders.Add(1)
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

// Layout returns the offset, shape and strides of x in its memory. The slices are x's own and must not be changed.
// Layout is for functions built on [Launch], for which Shape and Strides are too expensive.
func (x *Array) Layout() broadcast.View {
	if x == nil {
		refuseNil("Array.Layout")
	}
	return broadcast.View{Offset: x.offset, Shape: x.shape, Strides: x.strides}
}

// check panics if x cannot be read: if it is nil or released.
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

// refuseNil panics with the error of function fn about a nil array.
func refuseNil(fn Func) { panic(fn.Errorf(nil, "the array is nil")) }

// Rank returns the number of axes.
// NumPy: ndim.
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

// Shape returns the length of every axis in a new slice.
// NumPy: shape.
func (x *Array) Shape() []int {
	if x == nil {
		refuseNil("Array.Shape")
	}
	return append([]int{}, x.shape...)
}

// Strides returns, in a new slice, the distance in memory between neighbours along every axis, in elements. NumPy
// counts bytes: multiply by DType().Size().
// NumPy: ndarray.strides.
func (x *Array) Strides() []int {
	if x == nil {
		refuseNil("Array.Strides")
	}
	return append([]int{}, x.strides...)
}

// Offset returns the offset of the first element in the memory, in elements.
func (x *Array) Offset() int {
	if x == nil {
		refuseNil("Array.Offset")
	}
	return x.offset
}

// Size returns the number of elements.
// NumPy: size. PyTorch: numel.
func (x *Array) Size() int {
	if x == nil {
		refuseNil("Array.Size")
	}
	return broadcast.Size(x.shape)
}

// Bytes returns the size of all elements in bytes.
// NumPy: ndarray.nbytes.
func (x *Array) Bytes() int {
	if x == nil {
		refuseNil("Array.Bytes")
	}
	return x.Size() * x.dtype.Size()
}

// DType returns the element type.
// NumPy: ndarray.dtype.
func (x *Array) DType() dtype.DType {
	if x == nil {
		refuseNil("Array.DType")
	}
	return x.dtype
}

// Device returns the device that holds the array, or nil for a Scalar.
// NumPy: ndarray.device.
func (x *Array) Device() device.Device {
	if x == nil {
		refuseNil("Array.Device")
	}
	if x.store == nil {
		return nil
	}
	return x.store.dev
}

// IsExclusive reports whether x is contiguous, is the only unreleased header on its memory, and no slice of the memory has
// left the library. If so, the holder of x may overwrite it unnoticed. IsExclusive is for implementations of Recorder.
func (x *Array) IsExclusive() bool {
	if x == nil {
		refuseNil("Array.IsExclusive")
	}
	return x.store != nil && x.store.extraHeaders.Load() == 0 && !x.store.pinned.Load() && broadcast.IsContiguous(x.shape, x.strides)
}

// IsDeferred reports whether a scope has not computed x yet: see [Tidy]. IsDeferred is for implementations of Recorder.
func (x *Array) IsDeferred() bool {
	if x == nil {
		refuseNil("Array.IsDeferred")
	}
	return x.store != nil && x.store.pending.Load() != nil
}

// IsContiguous reports whether the elements lie in memory in row-major (C) order without gaps.
func (x *Array) IsContiguous() bool {
	if x == nil {
		refuseNil("Array.IsContiguous")
	}
	return broadcast.IsContiguous(x.shape, x.strides)
}

// IsFortran reports whether the elements lie in memory in column-major (Fortran) order without gaps.
// NumPy: isfortran.
func (x *Array) IsFortran() bool {
	if x == nil {
		refuseNil("Array.IsFortran")
	}
	return broadcast.IsFortran(x.shape, x.strides)
}

// SharesMemory reports whether both arrays are headers on one block of memory.
// NumPy: shares_memory, may_share_memory.
func (x *Array) SharesMemory(y *Array) bool {
	if x == nil || y == nil {
		refuseNil("Array.SharesMemory")
	}
	return x.store != nil && x.store == y.store
}

// Block returns an identifier of x's memory that can be a map key. It is the same for arrays that share memory
// ([Array.SharesMemory]), and nil for a Scalar.
func (x *Array) Block() any {
	if x == nil {
		refuseNil("Array.Block")
	}
	if x.store == nil {
		return nil
	}
	return x.store
}

// BlockNumber returns a number that identifies x's memory without keeping it alive. It is 0 for a Scalar. [Node.Source]
// returns the numbers of an operation's arguments.
func (x *Array) BlockNumber() uint32 {
	if x == nil {
		refuseNil("Array.BlockNumber")
	}
	if x.store == nil {
		return 0
	}
	return x.store.blockNumber()
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

// Release says that the caller no longer needs x. The memory is released when every header on it is released; a header
// that is merely dropped is left to the GC. Using a released array panics.
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
