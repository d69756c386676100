package npy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// elements draws the bytes of an array, with bools that are 0 or 1.
func elements(rng *rand.Rand, h Header) []byte {
	size, err := h.Size()
	if err != nil {
		panic(err)
	}
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(rng.Uint32())
		if h.DType == dtype.Bool {
			data[i] &= 1
		}
	}
	return data
}

func readAll(r io.Reader, known int64) (Header, []byte, error) {
	return Collect(func(room Room) error { return Read(r, known, room) })
}

func readArray(a *Archive, name string) (Header, []byte, error) {
	return Collect(func(room Room) error { return a.Read(name, room) })
}

func encode(t testing.TB, h Header, data []byte) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := WriteHeader(&file, h); err != nil {
		t.Fatal(err)
	}
	if err := WriteData(&file, h, data); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func TestReadKnownBytes(t *testing.T) {
	native16 := func(v ...uint16) (b []byte) {
		for _, x := range v {
			b = binary.NativeEndian.AppendUint16(b, x)
		}
		return b
	}
	native32 := func(v ...uint32) (b []byte) {
		for _, x := range v {
			b = binary.NativeEndian.AppendUint32(b, x)
		}
		return b
	}
	native64 := func(v ...uint64) (b []byte) {
		for _, x := range v {
			b = binary.NativeEndian.AppendUint64(b, x)
		}
		return b
	}
	for _, c := range []struct {
		descr, data string
		want        []byte
	}{
		{"<i2", "\x01\x02\x03\x04", native16(0x0201, 0x0403)},
		{">i2", "\x01\x02\x03\x04", native16(0x0102, 0x0304)},
		{">V2", "\x3f\x80\xbf\x80", native16(0x3f80, 0xbf80)},
		{"<f4", "\x01\x02\x03\x04\x05\x06\x07\x08", native32(0x04030201, 0x08070605)},
		{">f4", "\x01\x02\x03\x04\x05\x06\x07\x08", native32(0x01020304, 0x05060708)},
		{"=f4", "\x01\x02\x03\x04\x05\x06\x07\x08", native32(0x04030201, 0x08070605)},
		{"<c8", "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10", native32(0x04030201, 0x08070605, 0x0c0b0a09, 0x100f0e0d)},
		{">c8", "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10", native32(0x01020304, 0x05060708, 0x090a0b0c, 0x0d0e0f10)},
		{">c16", strings.Repeat("\x01\x02\x03\x04\x05\x06\x07\x08", 4), native64(0x0102030405060708, 0x0102030405060708, 0x0102030405060708, 0x0102030405060708)},
		{"|u1", "\x00\xff", []byte{0, 255}},
		{"|b1", "\x00\x01\x02\xff\x80", []byte{0, 1, 1, 1, 1}},
		{"<b1", "\x00\x02", []byte{0, 1}},
		{">b1", "\x00\x02", []byte{0, 1}},
	} {
		dt, _, err := parseDescr(c.descr)
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%d,)}", c.descr, len(c.data)/dt.Size())
		_, got, err := readAll(strings.NewReader(string(rawHeader(1, text))+c.data+"trailing"), 0)
		if err != nil || !bytes.Equal(got, c.want) {
			t.Errorf("%s: % x, %v, want % x", c.descr, got, err, c.want)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	shapes := [][]int{{}, {0}, {1}, {5}, {2, 3}, {3, 0, 2}, {2, 1, 3, 2}, {chunkBytes/2 + 3}}
	for _, e := range encodings {
		for _, shape := range shapes {
			for variant := range 4 {
				h := Header{DType: e.dtype, BigEndian: variant&1 != 0, Fortran: variant&2 != 0, Shape: shape}
				data := elements(rng, h)
				before := slices.Clone(data)
				file := encode(t, h, data)
				if !bytes.Equal(data, before) {
					t.Fatalf("%+v: writing changed the data", h)
				}
				// With one byte at a time, the reader cannot rely on complete elements.
				var r io.Reader = bytes.NewReader(file)
				if len(file) < 1000 {
					r = iotest.OneByteReader(r)
				}
				got, gotData, err := readAll(r, 0)
				if err != nil {
					t.Fatalf("%+v: %v", h, err)
				}
				want := h
				want.Version = [2]byte{1, 0}
				want.Descr, _ = formatDescr(h.DType, h.BigEndian)
				want.BigEndian = h.BigEndian && e.component > 1
				if diff := cmp.Diff(want, got); diff != "" || !bytes.Equal(data, gotData) {
					t.Fatalf("%+v: (-want +got)\n%s\ndata equal: %t", h, diff, bytes.Equal(data, gotData))
				}
				sized := make([]byte, len(data))
				if err := ReadData(bytes.NewReader(file[len(file)-len(data):]), got, sized); err != nil || !bytes.Equal(data, sized) {
					t.Fatalf("%+v: ReadData differs, %v", h, err)
				}
			}
		}
	}
}

func TestByteOrdersAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, e := range encodings {
		h := Header{DType: e.dtype, Shape: []int{3}}
		data := elements(rng, h)
		little := encode(t, h, data)
		h.BigEndian = true
		big := encode(t, h, data)
		little, big = little[len(little)-len(data):], big[len(big)-len(data):]
		for i := 0; i < len(data); i += e.component {
			slices.Reverse(big[i : i+e.component])
		}
		if !bytes.Equal(little, big) {
			t.Errorf("%v: little-endian % x, reversed big-endian % x", e.dtype, little, big)
		}
	}
}

func TestReadTruncatedData(t *testing.T) {
	h := Header{DType: dtype.Int32, Shape: []int{2, 3}}
	file := encode(t, h, make([]byte, 24))
	for missing := 1; missing <= 24; missing++ {
		_, data, err := readAll(bytes.NewReader(file[:len(file)-missing]), 0)
		if !errors.Is(err, io.ErrUnexpectedEOF) || data != nil {
			t.Errorf("%d bytes missing: %d bytes, error %v", missing, len(data), err)
		}
	}
	broken := errors.New("broken disk")
	_, _, err := readAll(io.MultiReader(bytes.NewReader(file[:len(file)-5]), iotest.ErrReader(broken)), 0)
	if !errors.Is(err, broken) {
		t.Errorf("error %v, want the reader's", err)
	}
}

func TestReadTakesNoMemoryForClaims(t *testing.T) {
	claims := []string{"(1000000000,)", "(1000, 1000, 500)"}
	if ^uint(0)>>63 == 1 {
		claims = append(claims, "(1152921504606846976,)")
	}
	for _, shape := range claims {
		file := append(rawHeader(1, "{'descr': '|i1', 'fortran_order': False, 'shape': "+shape+"}"), make([]byte, 10)...)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, err := readAll(bytes.NewReader(file), 0)
		runtime.ReadMemStats(&after)
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: error %v", shape, err)
		}
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 1<<20 {
			t.Errorf("%s: %d bytes of memory for a file of %d", shape, taken, len(file))
		}
	}
}

// Known bytes are read straight into the memory of room, and a source that ends early is an error all the same.
func TestReadKnownSize(t *testing.T) {
	data := []byte{1, 0, 2, 0, 3, 0, 4, 0}
	file := encode(t, Header{DType: dtype.Int16, Shape: []int{4}}, data)
	for _, known := range []int64{0, 7, 8, 1 << 40} {
		if _, got, err := readAll(bytes.NewReader(file), known); err != nil || !bytes.Equal(got, data) {
			t.Errorf("known %d: % x, %v", known, got, err)
		}
		if _, _, err := readAll(bytes.NewReader(file[:len(file)-1]), known); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("known %d, cut off: error %v", known, err)
		}
	}
	refused := errors.New("no room")
	for _, known := range []int64{0, 8} {
		err := Read(bytes.NewReader(file), known, func(Header) ([]byte, error) { return nil, refused })
		if !errors.Is(err, refused) {
			t.Errorf("known %d: error %v, want that of room", known, err)
		}
	}
}

func TestDataOfWrongSize(t *testing.T) {
	h := Header{DType: dtype.Int32, Shape: []int{2}}
	for _, n := range []int{0, 7, 9} {
		if err := ReadData(bytes.NewReader(make([]byte, 100)), h, make([]byte, n)); err == nil {
			t.Errorf("ReadData took %d bytes for 8", n)
		}
		if err := WriteData(io.Discard, h, make([]byte, n)); err == nil {
			t.Errorf("WriteData took %d bytes for 8", n)
		}
	}
	if err := WriteData(io.Discard, Header{}, nil); !errors.Is(err, ErrUnsupportedDType) {
		t.Errorf("WriteData without dtype: %v", err)
	}
	if err := ReadData(strings.NewReader(""), Header{}, nil); !errors.Is(err, ErrUnsupportedDType) {
		t.Errorf("ReadData without dtype: %v", err)
	}
}

// Several arrays may follow one another in a stream.
func TestReadSeveralFromOneStream(t *testing.T) {
	var stream bytes.Buffer
	for i := range 3 {
		stream.Write(encode(t, Header{DType: dtype.Uint8, Shape: []int{i}}, make([]byte, i)))
	}
	for i := range 3 {
		h, _, err := readAll(&stream, 0)
		if err != nil || h.Shape[0] != i {
			t.Errorf("array %d: shape %v, %v", i, h.Shape, err)
		}
	}
	if _, _, err := readAll(&stream, 0); !errors.Is(err, io.EOF) {
		t.Errorf("after the last array: error %v, want io.EOF", err)
	}
}

// The byte order of the host is a variable, so that each host also tests the other order.
func TestHostsOfBothByteOrders(t *testing.T) {
	defer func(v bool) { hostBigEndian = v }(hostBigEndian)
	const data = "\x01\x02\x03\x04\x05\x06\x07\x08"
	for _, c := range []struct {
		bigEndianHost bool
		descr, want   string
	}{
		{false, "<c8", data},
		{false, ">c8", "\x04\x03\x02\x01\x08\x07\x06\x05"},
		{true, "<c8", "\x04\x03\x02\x01\x08\x07\x06\x05"},
		{true, "=c8", "\x04\x03\x02\x01\x08\x07\x06\x05"},
		{true, ">c8", data},
		{true, "|i1", data},
	} {
		hostBigEndian = c.bigEndianHost
		dt, _, err := parseDescr(c.descr)
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%d,)}", c.descr, len(data)/dt.Size())
		h, got, err := readAll(strings.NewReader(string(rawHeader(1, text))+data), 0)
		if err != nil || string(got) != c.want {
			t.Errorf("big-endian host %t, %s: % x, %v, want % x", c.bigEndianHost, c.descr, got, err, c.want)
		}
		if file := encode(t, h, got); string(file[len(file)-len(data):]) != data {
			t.Errorf("big-endian host %t, %s: written as % x", c.bigEndianHost, c.descr, file[len(file)-len(data):])
		}
	}
}
