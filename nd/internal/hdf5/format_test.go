package hdf5

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/internal/npy"
)

// The hashes are those of the author's own tests.
func TestLookup3(t *testing.T) {
	for text, want := range map[string]uint32{"": 0xdeadbeef, "Four score and seven years ago": 0x17770551} {
		if got := lookup3([]byte(text)); got != want {
			t.Errorf("the hash of %q is %#x, want %#x", text, got, want)
		}
	}
}

// TestFletcher32 compares with the definition.
func TestFletcher32(t *testing.T) {
	for _, n := range []int{1, 2, 3, 720, 721, 10_000} {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(i*i + 7)
		}
		var s1, s2 uint64
		for i := 0; i < n; i += 2 {
			v := uint64(b[i]) << 8
			if i+1 < n {
				v |= uint64(b[i+1])
			}
			s1 = (s1 + v) % 65535
			s2 = (s2 + s1) % 65535
		}
		got := fletcher32(b)
		if uint64(got&0xffff)%65535 != s1 || uint64(got>>16)%65535 != s2 {
			t.Errorf("%d bytes: %#x, want %#x and %#x", n, got, s2, s1)
		}
	}
	if got := fletcher32(make([]byte, 8)); got != 0 {
		t.Errorf("zeros: %#x", got)
	}
}

func TestUnshuffle(t *testing.T) {
	got := make([]byte, 8)
	unshuffle(got, []byte{1, 4, 2, 5, 3, 6, 7, 8}, 3)
	if want := []byte{1, 2, 3, 4, 5, 6, 7, 8}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestSlabs(t *testing.T) {
	for _, c := range []struct {
		shape []int
		size  int
		want  string
	}{
		{[]int{10}, 4, "[10] 0"}, {[]int{1 << 20}, 4, "[262144] 0"}, {[]int{100, 1000, 10}, 8, "[13 1000 10] 0"},
		{[]int{5, 1 << 20}, 2, "[1 524288] 1"}, {[]int{2, 3, 1 << 20}, 1, "[1 1 1048576] 1"}, {[]int{2, 3, 1 << 19}, 1, "[1 2 524288] 1"},
	} {
		chunk, axis := slabs(c.shape, c.size)
		if got := fmt.Sprint(chunk, axis); got != c.want {
			t.Errorf("%v of %d bytes: %s, want %s", c.shape, c.size, got, c.want)
		}
	}
}

// parseType reads a datatype.
func parseType(b []byte) (d datatype, err error) {
	defer catch(&err)
	return (&cursor{b: b}).datatype(), nil
}

func TestTypesRoundTrip(t *testing.T) {
	for dt := dtype.Bool; dt < dtype.Count; dt++ {
		d, err := parseType(typeOf(dt))
		if err != nil || d.dtype != dt || d.size != dt.Size() || d.big {
			t.Errorf("%s: read %+v, %v", dt, d, err)
		}
	}
}

// TestTypesOfNoArray changes fields of datatypes that arrays have.
func TestTypesOfNoArray(t *testing.T) {
	change := func(dt dtype.DType, at int, v byte) []byte {
		b := typeOf(dt)
		b[at] = v
		return b
	}
	for what, b := range map[string][]byte{
		"integers of 24 bits in 4 bytes": change(dtype.Int32, 10, 24),
		"integers of 32 bits in 4 bytes": change(dtype.Int32, 8, 1), // that begin at bit 1
		"floats of 32 bits":              change(dtype.Float32, 16, 126),
		"floats of 16 bits":              change(dtype.Float16, 13, 4),
		"floats of 64 bits":              change(dtype.Float64, 1, 0x61), // of mixed order
		"compounds":                      change(dtype.Complex64, 8, 'x'),
		"elements of class 15":           change(dtype.Int8, 0, 0x1f),
	} {
		d, err := parseType(b)
		if err != nil || d.dtype.Valid() || d.text != 0 || !strings.Contains(d.what, what) {
			t.Errorf("want %s: %+v, %v", what, d, err)
		}
	}
	for what, b := range map[string][]byte{
		"elements of no bytes": change(dtype.Int8, 4, 0), "bytes are expected": typeOf(dtype.Bool)[:14], "without an end": typeOf(dtype.Bool)[:22],
	} {
		if d, err := parseType(b); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("want an error %q: %+v, %v", what, d, err)
		}
	}
}

// TestOldLayouts reads layouts of versions 1 and 2, which libhdf5 no longer writes, of the numbers 0, …, 5 of shape (2, 3).
func TestOldLayouts(t *testing.T) {
	numbers := []byte{0, 1, 2, 3, 4, 5}
	// A tree of chunks of two columns, which are at bytes 16 and 24.
	tree := concat([]byte("TREE\x01\x00\x02\x00"), u64(undefined), u64(undefined))
	for k, first := range [][]int{{0, 0}, {0, 2}, {2, 4}} {
		tree = append(tree, chunkKey(4, first)...)
		tree = append(tree, u64(uint64(16+8*k))...)
	}
	file := concat(numbers, make([]byte, 10), []byte{0, 1, 3, 4, 9, 9, 9, 9, 2, 9, 5, 9, 9, 9, 9, 9}, tree)
	shape := concat(u32(2), u32(3))
	for version := byte(1); version <= 2; version++ {
		for what, layout := range map[string][]byte{
			"compact":    concat([]byte{version, 2, compactLayout, 0, 0, 0, 0, 0}, shape, u32(6), numbers),
			"contiguous": concat([]byte{version, 2, contiguousLayout, 0, 0, 0, 0, 0}, u64(0), shape),
			"chunked":    concat([]byte{version, 3, chunkedLayout, 0, 0, 0, 0, 0}, u64(32), u32(2), u32(2), u32(1)),
		} {
			got := make([]byte, 6)
			err := func() (err error) {
				defer catch(&err)
				f := &File{r: bytes.NewReader(file), size: int64(len(file))}
				v := f.reader().value(typeOf(dtype.Uint8), space([]int{2, 3}))
				d := &dataset{r: f.reader(), value: &v, header: []message{{kind: layoutMessage, data: layout}}, shape: v.Header.Shape, bytes: 6,
					room: func() []byte { return got }, toHost: v.Header.ToHost}
				d.read()
				return nil
			}()
			if err != nil || !slices.Equal(got, numbers) {
				t.Errorf("%s of version %d: %v, %v", what, version, got, err)
			}
		}
	}
}

// TestFiltersOfOthers refuses what the package cannot undo, by name.
func TestFiltersOfOthers(t *testing.T) {
	list := func(id int, name string) []byte {
		b := concat([]byte{2, 1}, u16(id))
		if id >= 256 {
			b = append(b, u16(len(name))...)
		}
		return concat(b, u16(0), u16(0), []byte(name))
	}
	for want, data := range map[string][]byte{
		"the filter szip:": list(4, ""), "the filter nbit:": list(5, ""), "the filter scaleoffset:": list(6, ""), "the filter 32000 (lzf):": list(32000, "lzf\x00"),
		"the filter 99:": list(99, ""), "an impossible list": concat([]byte{2, 2}, list(1, "")[2:], list(1, "")[2:]),
	} {
		err := func() (err error) {
			defer catch(&err)
			f := &File{}
			(&dataset{r: f.reader(), header: []message{{kind: filterMessage, data: data}}}).filters()
			return nil
		}()
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// TestEdgesWithoutFilters reads chunks that have filters only inside the dataset.
func TestEdgesWithoutFilters(t *testing.T) {
	k := &chunks{dataset: &dataset{value: &Value{Header: npy.Header{Shape: []int{5}}}}, shape: []int{2}, grid: []int{3}, bytes: 2,
		filters: []filter{{id: fletcherFilter}}, rawEdge: true}
	for at, want := range []int{6, 6, 2} {
		if _, size := k.steps(chunk{at: at}); size != want {
			t.Errorf("chunk %d has %d bytes, want %d", at, size, want)
		}
	}
}

// TestSpaceLimits reads the limits of axes.
func TestSpaceLimits(t *testing.T) {
	var v Value
	v.space(&cursor{b: concat([]byte{2, 2, 1, 1}, u64(3), u64(4), u64(undefined), u64(7))})
	if got := fmt.Sprint(v.Header.Shape, v.limits); got != "[3 4] [-1 7]" {
		t.Error(got)
	}
	if binary.LittleEndian.Uint64(space([]int{9})[4:]) != 9 {
		t.Error("a dataspace of another length")
	}
}
