package npy

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

func openBytes(b []byte) (*Archive, error) {
	return OpenArchive(bytes.NewReader(b), int64(len(b)))
}

// member is what zipOf writes: any bytes under any name.
type member struct {
	name string
	data []byte
}

func zipOf(t testing.TB, method uint16, members ...member) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, m := range members {
		w, err := z.CreateHeader(&zip.FileHeader{Name: m.name, Method: method})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(m.data); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

type namedArray struct {
	name string
	h    Header
	data []byte
}

func someArrays() []namedArray {
	rng := rand.New(rand.NewPCG(5, 6))
	arrays := []namedArray{
		{name: "z", h: Header{DType: dtype.Float64, Shape: []int{3, 4}}},
		{name: "conv/W", h: Header{DType: dtype.Float32, Fortran: true, Shape: []int{2, 3}}},
		{name: "conv/b", h: Header{DType: dtype.Complex64, BigEndian: true, Shape: []int{5}}},
		{name: "0-d, с именем", h: Header{DType: dtype.Bool}},
		{name: "arg:empty", h: Header{DType: dtype.Int16, Shape: []int{0, 3}}},
		{name: "twice.npy", h: Header{DType: dtype.Int64, BigEndian: true, Shape: []int{70000}}},
	}
	for i, a := range arrays {
		arrays[i].data = elements(rng, a.h)
	}
	return arrays
}

func writeArchive(t testing.TB, compress bool, arrays []namedArray) []byte {
	t.Helper()
	var b bytes.Buffer
	w := NewArchiveWriter(&b, compress)
	for _, a := range arrays {
		body, err := w.Create(a.name, a.h)
		if err != nil {
			t.Fatal(err)
		}
		if err := WriteData(body, a.h, a.data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestArchiveRoundTrip(t *testing.T) {
	arrays := someArrays()
	for _, compress := range []bool{false, true} {
		file := writeArchive(t, compress, arrays)
		if again := writeArchive(t, compress, arrays); !bytes.Equal(file, again) {
			t.Errorf("compress %t: the same arrays give other bytes", compress)
		}
		a, err := openBytes(file)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, want := range arrays {
			names = append(names, want.name)
			h, data, err := readArray(a, want.name)
			if err != nil {
				t.Errorf("compress %t: %v", compress, err)
				continue
			}
			h.Version, h.Descr = [2]byte{}, ""
			want.h.Shape = append([]int{}, want.h.Shape...)
			if diff := cmp.Diff(want.h, h); diff != "" || !bytes.Equal(data, want.data) {
				t.Errorf("compress %t, %q: (-want +got)\n%s\ndata equal: %t", compress, want.name, diff, bytes.Equal(data, want.data))
			}
		}
		if diff := cmp.Diff(names, a.Names()); diff != "" {
			t.Errorf("names (-want +got)\n%s", diff)
		}
		if len(a.Others()) != 0 {
			t.Errorf("others %q, want none", a.Others())
		}
	}
	if stored, deflated := writeArchive(t, false, arrays[:1]), zipOf(t, zip.Store); len(stored) <= len(deflated) {
		t.Error("an archive is no longer than an empty one")
	}
}

func TestArchiveLeavesOthersAlone(t *testing.T) {
	array := encode(t, Header{DType: dtype.Uint8, Shape: []int{3}}, []byte{1, 2, 3})
	text := rawHeader(1, "{'descr': '<U3', 'fortran_order': False, 'shape': ()}")
	a, err := openBytes(zipOf(t, zip.Deflate,
		member{"readme.txt", []byte("not an array")},
		member{"b.npy", array},
		member{"folder/", nil},
		member{"array-without-extension", array},
		member{"log.npy", text},
		member{"dates.npy", rawHeader(1, "{'descr': '<M8[s]', 'fortran_order': False, 'shape': ()}")},
		member{"empty.npy", nil},
		member{"pickle.npy", []byte("\x80\x04.")},
		member{"../a.npy", append(slices.Clone(array), "more"...)},
		member{".npy", array},
	))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"b", "../a", ""}, a.Names()); diff != "" {
		t.Errorf("names (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"log"}, a.Texts()); diff != "" {
		t.Errorf("texts (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"readme.txt", "folder/", "array-without-extension", "dates.npy", "empty.npy", "pickle.npy"}, a.Others()); diff != "" {
		t.Errorf("others (-want +got)\n%s", diff)
	}
	for _, name := range a.Names() {
		if _, data, err := readArray(a, name); err != nil || !bytes.Equal(data, []byte{1, 2, 3}) {
			t.Errorf("%q: % x, %v", name, data, err)
		}
	}
	if _, _, err := readArray(a, "log"); !errors.Is(err, ErrUnsupportedDType) || !strings.Contains(err.Error(), "text") {
		t.Errorf("reading text: %v", err)
	}
	if _, _, err := readArray(a, "pickle"); !errors.Is(err, ErrMagic) {
		t.Errorf("reading a pickle: %v", err)
	}
	if _, _, err := readArray(a, "absent"); err == nil {
		t.Error("read an absent array")
	}
	r, err := a.Open("readme.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if raw, err := io.ReadAll(r); string(raw) != "not an array" || err != nil {
		t.Errorf("raw bytes %q, %v", raw, err)
	}
	if _, err := a.Open("absent"); err == nil {
		t.Error("opened an absent member")
	}
}

func TestArchiveNames(t *testing.T) {
	h := Header{DType: dtype.Int8}
	for _, name := range []string{"", "..", "/..", "a/../b", "a/..", `a\b`, "a\x00b", "a\nb", "\xff", strings.Repeat("n", 65532)} {
		w := NewArchiveWriter(io.Discard, false)
		if _, err := w.Create(name, h); err == nil {
			t.Errorf("%.20q was accepted as a name", name)
		}
	}
	w := NewArchiveWriter(io.Discard, false)
	for _, name := range []string{"a", "a/b", "/a", "//a", "a/", "a//b", "./a", ".", "/", "a.npy", "a b", "a..b", "...", strings.Repeat("n", 65531)} {
		body, err := w.Create(name, h)
		if err != nil {
			t.Fatalf("%.20q: %v", name, err)
		}
		if _, err := body.Write([]byte{1}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Create("a/b", h); err == nil {
		t.Error("a name was accepted twice")
	}
	if err := w.Close(); err != nil {
		t.Errorf("after a refused name: %v", err)
	}
}

func TestArchiveWriterCountsElements(t *testing.T) {
	h := Header{DType: dtype.Int16, Shape: []int{2}}
	var file bytes.Buffer
	w := NewArchiveWriter(&file, false)
	if _, err := w.Create("bad", Header{DType: dtype.Int16, Shape: []int{-2}}); err == nil {
		t.Error("a negative length was accepted")
	}
	body, err := w.Create("a", h)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := body.Write(make([]byte, 5)); err == nil {
		t.Error("5 bytes were accepted for 4")
	}
	if _, err := body.Write(make([]byte, 3)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Create("b", h); err == nil {
		t.Error("an array began before the last was whole")
	}
	if err := w.Close(); err == nil {
		t.Error("closed with an array that is not whole")
	}
	if _, err := openBytes(file.Bytes()); err == nil {
		t.Error("an archive that was not closed can be read")
	}
	if _, err := body.Write(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Errorf("with the last byte: %v", err)
	}
	if a, err := openBytes(file.Bytes()); err != nil || !slices.Equal(a.Names(), []string{"a"}) {
		t.Errorf("completed archive: %v", err)
	}
}

func TestArchiveTruncated(t *testing.T) {
	file := writeArchive(t, true, someArrays()[:3])
	for n := range file {
		if _, err := openBytes(file[:n]); err == nil {
			t.Errorf("opened an archive of %d bytes that was cut to %d", len(file), n)
		}
	}
}

// Whichever byte of an archive is damaged, arrays are read correctly or not at all.
func TestArchiveDamaged(t *testing.T) {
	arrays := someArrays()[:3]
	for _, compress := range []bool{false, true} {
		file := writeArchive(t, compress, arrays)
		for i := range file {
			broken := slices.Clone(file)
			broken[i] ^= 0x55
			a, err := openBytes(broken)
			if err != nil {
				continue
			}
			for _, want := range arrays {
				_, data, err := readArray(a, want.name)
				if err == nil && !bytes.Equal(data, want.data) {
					t.Errorf("compress %t: with byte %d broken, %q is read wrong", compress, i, want.name)
				}
			}
		}
	}
}

func TestArchiveRefusesTwoOfOneName(t *testing.T) {
	array := encode(t, Header{DType: dtype.Int8}, []byte{1})
	if _, err := openBytes(zipOf(t, zip.Store, member{"a.npy", array}, member{"a.npy", array})); err == nil {
		t.Error("two arrays of one name were accepted")
	}
	if _, err := openBytes(zipOf(t, zip.Store, member{"a.txt", array}, member{"a.txt", array})); err != nil {
		t.Errorf("two other members of one name: %v", err)
	}
}

// directoryField changes 4 bytes of every entry of the archive's directory.
func directoryField(file []byte, offset int, change func(entry int, field uint32) uint32) []byte {
	file = slices.Clone(file)
	const signature = "PK\x01\x02"
	for entry, i := 0, 0; ; entry++ {
		n := bytes.Index(file[i:], []byte(signature))
		if n < 0 {
			return file
		}
		i += n
		field := file[i+offset : i+offset+4]
		binary.LittleEndian.PutUint32(field, change(entry, binary.LittleEndian.Uint32(field)))
		i += len(signature)
	}
}

// Offsets of fields in an entry of the directory.
const (
	compressedSize = 20
	expandedSize   = 24
	headerOffset   = 42
)

func TestArchiveOfLies(t *testing.T) {
	h := Header{DType: dtype.Uint8, Shape: []int{1000}}
	array := encode(t, h, make([]byte, 1000))
	short := array[:len(array)-10]
	claim := func(shape string) []byte {
		return append(rawHeader(1, "{'descr': '|u1', 'fortran_order': False, 'shape': "+shape+"}"), 1, 2, 3)
	}
	for _, method := range []uint16{zip.Store, zip.Deflate} {
		whole := zipOf(t, method, member{"a.npy", array}, member{"b.npy", array})
		for name, file := range map[string][]byte{
			"data end early":         zipOf(t, method, member{"a.npy", short}),
			"header claims more":     zipOf(t, method, member{"a.npy", claim("(2000000000,)")}),
			"expanded size too big":  directoryField(whole, expandedSize, func(_ int, n uint32) uint32 { return 2_000_000_000 }),
			"expanded size small":    directoryField(whole, expandedSize, func(_ int, n uint32) uint32 { return n - 1 }),
			"both sizes claim more":  directoryField(zipOf(t, method, member{"a.npy", claim("(2000000000,)")}), expandedSize, func(_ int, n uint32) uint32 { return 2_100_000_000 }),
			"stored size beyond end": directoryField(whole, compressedSize, func(_ int, n uint32) uint32 { return 2_000_000_000 }),
			"stored size small":      directoryField(whole, compressedSize, func(_ int, n uint32) uint32 { return n - 1 }),
			"offset beyond end":      directoryField(whole, headerOffset, func(_ int, n uint32) uint32 { return n + 1_000_000 }),
			"overlap":                directoryField(whole, headerOffset, func(_ int, n uint32) uint32 { return 0 }),
			"members nested":         directoryField(whole, compressedSize, func(entry int, n uint32) uint32 { return n + uint32(1-entry)*100 }),
		} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			a, err := openBytes(file)
			if err == nil {
				var data []byte
				if _, data, err = readArray(a, "a"); err == nil {
					t.Errorf("method %d, %s: read %d bytes", method, name, len(data))
				}
			}
			runtime.ReadMemStats(&after)
			if taken := after.TotalAlloc - before.TotalAlloc; taken > 1<<20 {
				t.Errorf("method %d, %s: %d bytes of memory", method, name, taken)
			}
		}
	}
}

func TestArchiveBound(t *testing.T) {
	h := Header{DType: dtype.Float64, Shape: []int{1 << 20}}
	file := writeArchive(t, true, []namedArray{{"zeros", h, make([]byte, 8<<20)}, {"one", Header{DType: dtype.Int8}, []byte{1}}})
	if len(file) > 1<<16 {
		t.Fatalf("zeros take %d bytes", len(file))
	}
	a, err := openBytes(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, data, err := readArray(a, "zeros"); err != nil || len(data) != 8<<20 {
		t.Errorf("without bound: %d bytes, %v", len(data), err)
	}
	a.MaxBytes = 1 << 20
	if _, _, err := readArray(a, "zeros"); err == nil || !strings.Contains(err.Error(), "limit") {
		t.Errorf("above the bound: %v", err)
	}
	if _, _, err := readArray(a, "one"); err != nil {
		t.Errorf("below the bound: %v", err)
	}
}

// The layout of other writers: sizes and checksum before the data, as Python's zipfile writes to a seekable file.
func TestArchiveWithSizesInFront(t *testing.T) {
	array := encode(t, Header{DType: dtype.Int8, Shape: []int{2}}, []byte{7, 8})
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.CreateRaw(&zip.FileHeader{
		Name: "a.npy", Method: zip.Store, CRC32: crc32.ChecksumIEEE(array),
		CompressedSize64: uint64(len(array)), UncompressedSize64: uint64(len(array)),
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(array); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	a, err := openBytes(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if _, data, err := readArray(a, "a"); err != nil || !bytes.Equal(data, []byte{7, 8}) {
		t.Errorf("% x, %v", data, err)
	}
}
