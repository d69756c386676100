package npy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// rawHeader builds the bytes of a header from its text, without padding.
func rawHeader(major byte, text string) []byte {
	out := append([]byte(magic), major, 0)
	if major == 1 {
		out = binary.LittleEndian.AppendUint16(out, uint16(len(text)))
	} else {
		out = binary.LittleEndian.AppendUint32(out, uint32(len(text)))
	}
	return append(out, text...)
}

func TestReadHeaderAcceptsWhatNumPyAccepts(t *testing.T) {
	v1, v2, v3 := [2]byte{1, 0}, [2]byte{2, 0}, [2]byte{3, 0}
	for _, c := range []struct {
		text string
		want Header
	}{
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }   \n", Header{DType: dtype.Float32, Shape: []int{2, 3}, Version: v1, Descr: "<f4"}},
		{"{'descr':'<f4','fortran_order':True,'shape':(2,3)}", Header{DType: dtype.Float32, Fortran: true, Shape: []int{2, 3}, Version: v1, Descr: "<f4"}},
		{"{'shape': (), 'fortran_order': False, 'descr': '|b1'}", Header{DType: dtype.Bool, Shape: []int{}, Version: v1, Descr: "|b1"}},
		{`{"descr": ">c16", 'fortran_order': False, "shape": (7,)}`, Header{DType: dtype.Complex128, BigEndian: true, Shape: []int{7}, Version: v2, Descr: ">c16"}},
		{" \t{ 'descr' : 'i4' ,\n 'fortran_order' : False , 'shape' : ( 2 , 3 , ) , } \n\n", Header{DType: dtype.Int32, Shape: []int{2, 3}, Version: v1, Descr: "i4"}},
		{"{'descr': '=i4', 'fortran_order': False, 'shape': (0,)}\n", Header{DType: dtype.Int32, Shape: []int{0}, Version: v3, Descr: "=i4"}},
		{"{'descr': '>u1', 'fortran_order': False, 'shape': (1,)}\n", Header{DType: dtype.Uint8, Shape: []int{1}, Version: v1, Descr: ">u1"}},
		{"{'descr': '<u8', 'fortran_order': False, 'shape': (2L, 0, 30L)}\n", Header{DType: dtype.Uint64, Shape: []int{2, 0, 30}, Version: v2, Descr: "<u8"}},
		{"{'descr': '<V2', 'fortran_order': False, 'shape': (4,)}\n", Header{DType: dtype.BFloat16, Shape: []int{4}, Version: v1, Descr: "<V2"}},
		{"{'descr': '|V2', 'fortran_order': False, 'shape': (4,)}\n", Header{DType: dtype.BFloat16, Shape: []int{4}, Version: v1, Descr: "|V2"}},
		{"{'descr': 'bfloat16', 'fortran_order': False, 'shape': (4,)}\n", Header{DType: dtype.BFloat16, Shape: []int{4}, Version: v1, Descr: "bfloat16"}},
	} {
		r := bytes.NewReader(append(rawHeader(c.want.Version[0], c.text), "data"...))
		got, err := ReadHeader(r)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q: (-want +got)\n%s", c.text, diff)
		}
		if r.Len() != len("data") {
			t.Errorf("%q: %d bytes are left, want the data", c.text, r.Len())
		}
	}
}

func TestReadHeaderRefuses(t *testing.T) {
	const rest = ", 'fortran_order': False, 'shape': (2,)}"
	shape := func(s string) string { return "{'descr': '<i4', 'fortran_order': False, 'shape': " + s + "}" }
	for _, c := range []struct{ text, says string }{
		{"", "ends where a dict"},
		{"\x00\x00", "a dict should be"},
		{"['<i4', False, (2, 3)]", "a dict should be"},
		{"{}", "lacks the key"},
		{"{,}", "a string should be"},
		{"{'descr': '<i4', 'shape': (2, 3)}", `lacks the key "fortran_order"`},
		{"{'descr': '<i4', 'x': 1" + rest, `unknown key "x"`},
		{"{'descr': '<i4', 'descr': '<i4'" + rest, `key "descr" twice`},
		{"{'descr': '<i4' 'fortran_order': False}", "a comma or the end"},
		{"{'descr', '<i4'" + rest, "a colon"},
		{"{descr: '<i4'" + rest, "a string should be"},
		{`{'de\x73cr': '<i4'` + rest, "escape"},
		{"{'descr': '<i4, ", "does not end"},
		{"{'descr': b'<i4'" + rest, "a string should be"},
		{"{'descr': '<i4'" + rest + "x", "the end of the header"},
		{"{'descr': '<i4'" + rest + " # two", "the end of the header"},
		{"{'descr': '<i4'" + rest + "\x00", "the end of the header"},
		{"{'descr': '<i4'" + rest[:len(rest)-1], "ends where"},
		{"{'descr': '<q9'" + rest, "not a dtype"},
		{"{'descr': '<i3'" + rest, "not a dtype"},
		{"{'descr': '<<i4'" + rest, "not a dtype"},
		{"{'descr': '<i04'" + rest, "not a dtype"},
		{"{'descr': ''" + rest, "not a dtype"},
		{"{'descr': '<'" + rest, "not a dtype"},
		{"{'descr': 'int32'" + rest, "not a dtype"},
		{"{'descr': None" + rest, "a string should be"},
		{"{'descr': '<i4', 'fortran_order': 0, 'shape': (2,)}", "True or False"},
		{"{'descr': '<i4', 'fortran_order': Falsely, 'shape': (2,)}", "a comma or the end"},
		{shape("[2, 3]"), "a tuple"},
		{shape("2"), "a tuple"},
		{shape("(2)"), "not a tuple"},
		{shape("(,)"), "an integer"},
		{shape("(2,,3)"), "an integer"},
		{shape("(2 3)"), "a comma"},
		{shape("(2, -3)"), "negative"},
		{shape("(-0,)"), "negative"},
		{shape("(+2,)"), "an integer"},
		{shape("(2.0,)"), "a comma"},
		{shape("(0x2,)"), "a comma"},
		{shape("(02,)"), "leading zeros"},
		{shape("(1_0,)"), "a comma"},
		{shape("(True,)"), "an integer"},
		{shape("((2,),)"), "an integer"},
		{shape("(2, __import__('os').getpid())"), "an integer"},
		{shape("(2*3,)"), "a comma"},
		{shape("(99999999999999999999999,)"), "too large"},
		{shape("(9223372036854775807, 3)"), "too large"},
		{shape("(0, 9223372036854775807, 3)"), "too large"},
		{shape("(2305843009213693952,)"), "too large"}, // times 4 bytes is 2^63
		{shape("(" + strings.Repeat("1, ", 65) + ")"), "more than 64 axes"},
		{shape("(" + strings.Repeat("(", 4000)), "an integer"},
		{"{'descr': '<i4'" + rest + "é", "not ASCII"},
	} {
		_, err := ReadHeader(bytes.NewReader(rawHeader(1, c.text)))
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: error %v, want one that says %q", c.text, err, c.says)
		}
		if errors.Is(err, ErrUnsupportedDType) || errors.Is(err, ErrMagic) {
			t.Errorf("%q: %v wraps another kind of error", c.text, err)
		}
	}
}

func TestReadHeaderNamesUnsupportedTypes(t *testing.T) {
	for _, c := range []struct{ descr, says string }{
		{"'|O'", "Python objects"},
		{"'|O8'", "Python objects"},
		{"'<U7'", "text"},
		{"'|S3'", "byte strings"},
		{"'|V3'", "raw bytes"},
		{"'<M8[ns]'", "dates"},
		{"'<m8'", "time spans"},
		{"'<f16'", "long doubles"},
		{"'<c32'", "complex long doubles"},
		{"[('a', '<i4'), ('b', '<f8')]", "structured"},
		{"('<i4', (2,))", "arrays"},
	} {
		text := "{'descr': " + c.descr + ", 'fortran_order': False, 'shape': (3,)}"
		h, err := ReadHeader(bytes.NewReader(rawHeader(1, text)))
		if !errors.Is(err, ErrUnsupportedDType) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want an unsupported dtype that says %q", c.descr, err, c.says)
		}
		if h.DType != dtype.Unspecified || h.Version != [2]byte{1, 0} {
			t.Errorf("%s: header %+v beside the error", c.descr, h)
		}
		if strings.HasPrefix(c.descr, "'") && (h.Descr != strings.Trim(c.descr, "'") || !cmp.Equal(h.Shape, []int{3})) {
			t.Errorf("%s: header %+v beside the error lacks descr or shape", c.descr, h)
		}
	}
}

func TestHeaderEncodingsByVersion(t *testing.T) {
	unicode := "{'descr': [('é', '<i4')], 'fortran_order': False, 'shape': (1,)}"
	long := "{'descr': '<i4', 'fortran_order': False, 'shape': (1L,)}"
	for _, c := range []struct {
		name  string
		bytes []byte
		says  string
	}{
		{"unicode in 2.0", rawHeader(2, unicode), "not ASCII"},
		{"unicode in 3.0", rawHeader(3, unicode), "structured"},
		{"broken unicode in 3.0", rawHeader(3, "{'\xff"), "not UTF-8"},
		{"long suffix in 3.0", rawHeader(3, long), "a comma"},
		{"version 4.0", rawHeader(4, long), "format version 4.0"},
		{"version 0.0", rawHeader(0, long), "format version 0.0"},
		{"version 1.1", append([]byte(magic), 1, 1), "format version 1.1"},
		{"length in 1.0", append([]byte(magic), 1, 0, 0xff, 0xff), "claims 65535 bytes"},
		{"length in 2.0", append([]byte(magic), 2, 0, 0xff, 0xff, 0xff, 0xff), "claims 4294967295 bytes"},
		{"length above the cap", rawHeader(2, strings.Repeat(" ", 10001)), "claims 10001 bytes"},
	} {
		_, err := ReadHeader(bytes.NewReader(c.bytes))
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one that says %q", c.name, err, c.says)
		}
	}
	text := "{'descr': '<i4', 'fortran_order': False, 'shape': (1,)}"
	if _, err := ReadHeader(bytes.NewReader(rawHeader(2, text+strings.Repeat(" ", 10000-len(text))))); err != nil {
		t.Errorf("header of exactly the cap: %v", err)
	}
}

func TestReadHeaderTruncated(t *testing.T) {
	for _, major := range []byte{1, 2, 3} {
		whole := rawHeader(major, "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }\n")
		for n := range whole {
			_, err := ReadHeader(bytes.NewReader(whole[:n]))
			want := io.ErrUnexpectedEOF
			if n == 0 {
				want = io.EOF
			}
			if !errors.Is(err, want) {
				t.Errorf("version %d cut to %d bytes: error %v, want %v", major, n, err, want)
			}
		}
	}
	for _, start := range []string{"P", "PK\x03\x04", "\x93NUMPX\x01\x00\x00\x00", "\x80\x04\x95 a pickle"} {
		if _, err := ReadHeader(strings.NewReader(start)); !errors.Is(err, ErrMagic) {
			t.Errorf("%q: error %v, want %v", start, err, ErrMagic)
		}
	}
}

func TestWriteHeaderAsNumPy(t *testing.T) {
	many := make([]int, 32)
	for i := range many {
		many[i] = 1
	}
	many[20] = 3
	for _, c := range []struct {
		h      Header
		prefix string
		text   string
		blanks int
	}{
		{Header{DType: dtype.Float32}, "\x01\x00\x76\x00", "{'descr': '<f4', 'fortran_order': False, 'shape': (), }", 62},
		{Header{DType: dtype.Bool, Shape: []int{3, 4}}, "\x01\x00\x76\x00", "{'descr': '|b1', 'fortran_order': False, 'shape': (3, 4), }", 58},
		{Header{DType: dtype.Int8, BigEndian: true, Shape: []int{7}}, "\x01\x00\x76\x00", "{'descr': '|i1', 'fortran_order': False, 'shape': (7,), }", 60},
		{Header{DType: dtype.Complex128, BigEndian: true, Fortran: true, Shape: []int{2, 3}}, "\x01\x00\x76\x00", "{'descr': '>c16', 'fortran_order': True, 'shape': (2, 3), }", 58},
		{Header{DType: dtype.Int64, Shape: []int{3, 4}, Version: [2]byte{2, 0}}, "\x02\x00\x74\x00\x00\x00", "{'descr': '<i8', 'fortran_order': False, 'shape': (3, 4), }", 56},
		{Header{DType: dtype.Uint16, Shape: []int{1}, Version: [2]byte{3, 0}, Descr: "ignored"}, "\x03\x00\x74\x00\x00\x00", "{'descr': '<u2', 'fortran_order': False, 'shape': (1,), }", 58},
		{Header{DType: dtype.BFloat16, Shape: []int{1}}, "\x01\x00\x76\x00", "{'descr': '<V2', 'fortran_order': False, 'shape': (1,), }", 60},
		{Header{DType: dtype.Int8, Shape: many}, "\x01\x00\xb6\x00", "{'descr': '|i1', 'fortran_order': False, 'shape': (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1), }", 32},
	} {
		var got bytes.Buffer
		if err := WriteHeader(&got, c.h); err != nil {
			t.Errorf("%+v: %v", c.h, err)
			continue
		}
		if want := magic + c.prefix + c.text + strings.Repeat(" ", c.blanks) + "\n"; got.String() != want {
			t.Errorf("%+v:\n got %q\nwant %q", c.h, got.String(), want)
		}
		if got.Len()%headerAlign != 0 {
			t.Errorf("%+v: %d bytes are not aligned", c.h, got.Len())
		}
	}
}

// The room for growth stays: headers that differ only in the growing axis have the same length, and a text that ends at
// the alignment gets a whole unit of blanks.
func TestWriteHeaderRoomForGrowth(t *testing.T) {
	lengths := map[int]bool{}
	for _, n := range []int{0, 9, 10, 12345, math.MaxInt32 / 4} {
		for _, fortran := range []bool{false, true} {
			shape := []int{n, 1}
			if fortran {
				shape = []int{1, n}
			}
			var b bytes.Buffer
			if err := WriteHeader(&b, Header{DType: dtype.Uint8, Fortran: fortran, Shape: shape}); err != nil {
				t.Fatal(err)
			}
			lengths[b.Len()] = true
		}
	}
	if len(lengths) != 1 {
		t.Errorf("lengths %v, want one", lengths)
	}
	for digits := 1; digits < 10; digits++ {
		fixed := int(math.Pow10(digits - 1))
		var b bytes.Buffer
		if err := WriteHeader(&b, Header{DType: dtype.Uint8, Shape: []int{0, 1, 1, 1, fixed}}); err != nil {
			t.Fatal(err)
		}
		text := len("{'descr': '|u1', 'fortran_order': False, 'shape': (0, 1, 1, 1, ), }") + digits + 20
		if want := (10+text+1)/64*64 + 64; b.Len() != want {
			t.Errorf("%d digits: %d bytes, want %d", digits, b.Len(), want)
		}
	}
}

func TestWriteHeaderRefuses(t *testing.T) {
	for _, c := range []struct {
		h    Header
		says string
	}{
		{Header{}, "unsupported dtype"},
		{Header{DType: dtype.Int8, Shape: []int{2, -1}}, "negative"},
		{Header{DType: dtype.Int64, Shape: []int{math.MaxInt / 4}}, "too large"},
		{Header{DType: dtype.Int8, Shape: make([]int, 65)}, "65 axes"},
		{Header{DType: dtype.Int8, Version: [2]byte{9, 0}}, "version 9.0"},
	} {
		var b bytes.Buffer
		err := WriteHeader(&b, c.h)
		if err == nil || !strings.Contains(err.Error(), c.says) || b.Len() > 0 {
			t.Errorf("%+v: error %v with %d bytes written, want one that says %q", c.h, err, b.Len(), c.says)
		}
	}
}

func TestSize(t *testing.T) {
	for _, c := range []struct {
		h    Header
		want int
	}{
		{Header{DType: dtype.Complex128}, 16},
		{Header{DType: dtype.Float16, Shape: []int{2, 3}}, 12},
		{Header{DType: dtype.Float64, Shape: []int{2, 0, 3}}, 0},
		{Header{DType: dtype.Int8, Shape: []int{math.MaxInt}}, math.MaxInt},
		{Header{DType: dtype.Int8, Shape: []int{math.MaxInt, 0}}, 0},
	} {
		if got, err := c.h.Size(); got != c.want || err != nil {
			t.Errorf("%+v: size %d, %v, want %d", c.h, got, err, c.want)
		}
	}
}
