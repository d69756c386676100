package mxnet

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/internal/npy"
)

// Read reads a file of the given size (0 if it is unknown). It reads the elements of each array, row-major and in the
// byte order of the host, into memory that it gets from room. Sparse arrays are stored dense. It returns the names, nil
// if the file has none.
func Read(r io.Reader, size int64, room npy.Room) (names []string, err error) {
	f := &reader{r: r, left: size, spare: spareBytes + swelling*size, room: room}
	if magic := f.uint64(); f.err == nil && magic != listMagic {
		return nil, fmt.Errorf("not a file of MXNet arrays: it begins with %#x, want %#x", magic, listMagic)
	}
	f.uint64()
	count := f.uint64()
	for i := uint64(0); i < count && f.err == nil; i++ {
		if f.array(); f.err != nil {
			return nil, fmt.Errorf("array %d: %w", i, f.err)
		}
	}
	n := f.uint64()
	if f.err == nil && n != 0 && n != count {
		return nil, fmt.Errorf("%d names for %d arrays", n, count)
	}
	seen := map[string]bool{}
	for i := uint64(0); i < n && f.err == nil; i++ {
		name := f.name()
		if f.err == nil && seen[name] {
			return nil, fmt.Errorf("two arrays are named %q", name)
		}
		seen[name] = true
		names = append(names, name)
	}
	if f.err == nil {
		if n, _ := io.ReadFull(r, make([]byte, 1)); n > 0 {
			return nil, fmt.Errorf("data follow the last name")
		}
	}
	return names, f.err
}

// reader reads parts of a file; after the first error it reads zeros.
type reader struct {
	r     io.Reader
	left  int64 // bytes that are known to follow
	spare int64 // bytes that sparse arrays may still swell to
	room  npy.Room
	err   error
}

// All sparse arrays of a file together become at most so many times as large as the file, and spareBytes beyond it, so
// that a small file cannot fill the memory.
const (
	swelling   = 16
	spareBytes = 64 << 20
)

// bytes reads so many bytes, zeros after an error.
func (f *reader) bytes(n int) []byte {
	b := make([]byte, n)
	if f.err != nil {
		return b
	}
	f.left -= int64(n)
	if _, f.err = io.ReadFull(f.r, b); f.err != nil {
		clear(b)
	}
	if f.err == io.EOF {
		f.err = io.ErrUnexpectedEOF
	}
	return b
}

func (f *reader) uint64() uint64 { return binary.LittleEndian.Uint64(f.bytes(8)) }
func (f *reader) uint32() uint32 { return binary.LittleEndian.Uint32(f.bytes(4)) }
func (f *reader) int32() int32   { return int32(f.uint32()) }

// fail notes an error, unless there is one.
func (f *reader) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf(format, args...)
	}
}

// name reads a text.
func (f *reader) name() string {
	const longest = 1 << 20
	n := f.uint64()
	if f.err == nil && n > longest {
		f.fail("a name of %d bytes, at most %d are read", n, longest)
	}
	if f.err != nil {
		return ""
	}
	text := f.bytes(int(n))
	if f.err != nil {
		f.err = fmt.Errorf("reading a name of %d bytes: %w", n, f.err)
	} else if !utf8.Valid(text) {
		f.fail("the name %q is not UTF-8", text)
	}
	return string(text)
}

// array reads one array.
func (f *reader) array() {
	switch magic := f.uint32(); magic {
	case magic1:
		f.old(f.shape(f.uint32(), 8))
	case magic2, magic3:
		f.stored(magic == magic3)
	default:
		f.old(f.shape(magic, 4)) // version 0: the first number is the rank
	}
}

// shape reads lengths of the given width.
func (f *reader) shape(rank uint32, width int) []int {
	if f.err == nil && rank > broadcast.MaxRank {
		f.fail("%d axes, at most %d are read", int32(rank), broadcast.MaxRank)
	}
	var shape []int
	for range rank {
		if f.err != nil {
			return nil
		}
		n := uint64(0)
		if width == 4 {
			n = uint64(f.uint32())
		} else {
			n = f.uint64()
		}
		if n > 1<<62 {
			f.fail("an axis has length %d", int64(n))
		}
		shape = append(shape, int(n))
	}
	if f.err == nil {
		f.err = broadcast.CheckShape(shape)
	}
	return shape
}

// old reads the rest of an array of version 0 or 1.
func (f *reader) old(shape []int) {
	if f.err == nil && len(shape) == 0 {
		f.fail("the array was never given values: it has no shape")
	}
	f.device()
	dt := f.dtype()
	f.elements(dt, shape, f.room)
}

// device skips the device that the array was on: its kind and its number.
func (f *reader) device() { f.uint64() }

func (f *reader) dtype() dtype.DType {
	n := f.int32()
	all := types()
	if f.err == nil && (n < 0 || int(n) >= len(all)) {
		f.fail("dtype number %d: want one from 0 to %d", n, len(all)-1)
	}
	if f.err != nil {
		return dtype.Unspecified
	}
	return all[n]
}

// elements reads elements into memory from room.
func (f *reader) elements(dt dtype.DType, shape []int, room npy.Room) {
	if f.err != nil {
		return
	}
	h := npy.Header{DType: dt, Shape: shape}
	if f.err = npy.ReadElements(f.r, h, max(f.left, 0), room); f.err == nil {
		bytes, _ := h.Size()
		f.left -= int64(bytes)
	}
}

// part reads a part of a sparse array.
func (f *reader) part(dt dtype.DType, shape []int) []byte {
	_, data, _ := npy.Collect(func(room npy.Room) error {
		f.elements(dt, shape, room)
		return f.err
	})
	return data
}

// stored reads the rest of an array of version 2, or of version 3, whose shapes are NumPy's.
func (f *reader) stored(numpy bool) {
	storage := f.int32()
	if f.err == nil && (storage < dense || storage > csr) {
		f.fail("storage number %d: want 0 (dense), 1 (row_sparse) or 2 (csr)", storage)
		return
	}
	var held []int // shape of the data
	if storage != dense {
		held = f.shape(f.uint32(), 8)
	}
	rank := f.int32()
	if f.err == nil && (rank < 0 || rank == 0 && !numpy) {
		f.fail("the array was never given values: it has no shape")
	}
	shape := f.shape(uint32(rank), 8)
	f.device()
	dt := f.dtype()
	if storage == dense {
		f.elements(dt, shape, f.room)
		return
	}
	lists := make([]indexList, storage) // row_sparse has one list of indices, csr has two
	for i := range lists {
		lists[i].dtype = f.dtype()
		lists[i].shape = f.shape(f.uint32(), 8)
	}
	data := f.part(dt, held)
	for i := range lists {
		lists[i].read(f)
	}
	if f.err == nil {
		f.err = f.dense(npy.Header{DType: dt, Shape: shape}, held, data, lists)
	}
}

// indexList is a list of indices of a sparse array.
type indexList struct {
	dtype  dtype.DType
	shape  []int
	values []int64
}

func (l *indexList) read(f *reader) {
	if f.err == nil && (l.dtype != dtype.Int64 && l.dtype != dtype.Int32 || len(l.shape) != 1) {
		f.fail("indices are %s%s: want a list of int64 or int32", l.dtype, broadcast.FormatShape(l.shape))
	}
	data := f.part(l.dtype, l.shape)
	if f.err != nil {
		return
	}
	size := l.dtype.Size()
	for ; len(data) > 0; data = data[size:] {
		v := int64(int32(binary.NativeEndian.Uint32(data)))
		if size == 8 {
			v = int64(binary.NativeEndian.Uint64(data))
		}
		l.values = append(l.values, v)
	}
}

// dense writes a sparse array to memory from room.
func (f *reader) dense(h npy.Header, held []int, data []byte, lists []indexList) error {
	size, err := h.Size()
	if err != nil {
		return err
	}
	if f.spare -= int64(size); f.spare < 0 {
		return fmt.Errorf("a sparse array of %d bytes has %d bytes when it is dense: more than a file of this size may need", len(data), size)
	}
	runs, err := runsOf(h, held, lists)
	if err != nil {
		return err
	}
	dst, err := f.room(h)
	if err != nil {
		return err
	}
	clear(dst)
	for i, at := range runs {
		length := len(data) / len(runs)
		copy(dst[at*length:], data[i*length:(i+1)*length])
	}
	return nil
}

// runsOf returns for each row (row_sparse) or element (csr) of a sparse array's data its index in the dense array, in
// units of its size.
func runsOf(h npy.Header, held []int, lists []indexList) ([]int, error) {
	indices := lists[len(lists)-1].values
	var runs []int
	add := func(row, col, rows, cols int64) error {
		if row < 0 || row >= rows || col < 0 || col >= cols {
			return fmt.Errorf("the index (%d, %d) is out of range of shape %s", row, col, broadcast.FormatShape(h.Shape))
		}
		runs = append(runs, int(row*cols+col))
		return nil
	}
	if len(lists) == 1 {
		rank := len(h.Shape)
		if rank == 0 || len(held) != rank || !slices.Equal(held[1:], h.Shape[1:]) || held[0] != len(indices) {
			return nil, fmt.Errorf("rows %s with %d indices do not fit shape %s", broadcast.FormatShape(held), len(indices), broadcast.FormatShape(h.Shape))
		}
		for _, row := range indices {
			if err := add(row, 0, int64(h.Shape[0]), 1); err != nil {
				return nil, err
			}
		}
		return runs, nil
	}
	starts := lists[0].values
	if len(h.Shape) != 2 || len(held) != 1 || held[0] != len(indices) || len(starts) != h.Shape[0]+1 || starts[0] != 0 || starts[h.Shape[0]] != int64(len(indices)) {
		return nil, fmt.Errorf("csr data %s with %d row starts and %d indices do not fit shape %s",
			broadcast.FormatShape(held), len(starts), len(indices), broadcast.FormatShape(h.Shape))
	}
	for row := range h.Shape[0] {
		from, to := starts[row], starts[row+1]
		if from > to || to > int64(len(indices)) {
			return nil, fmt.Errorf("row %d of csr data begins at %d and ends at %d, of %d elements", row, from, to, len(indices))
		}
		for _, col := range indices[from:to] {
			if err := add(int64(row), col, int64(h.Shape[0]), int64(h.Shape[1])); err != nil {
				return nil, err
			}
		}
	}
	return runs, nil
}
