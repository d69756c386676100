package npy

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// rewrite writes a header that was read and reads it again: everything but the
// spelling of the dtype must stay.
func rewrite(t *testing.T, h Header) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := WriteHeader(&b, h); err != nil {
		t.Fatalf("%+v was read and cannot be written: %v", h, err)
	}
	again, err := ReadHeader(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatalf("%q was written and cannot be read: %v", b.Bytes(), err)
	}
	again.Descr = h.Descr
	if diff := cmp.Diff(h, again); diff != "" {
		t.Fatalf("written and read again (-want +got)\n%s", diff)
	}
	return b.Bytes()
}

// FuzzHeader fuzzes the text of a header, put behind a magic string and length
// that fit it.
func FuzzHeader(f *testing.F) {
	f.Add(byte(1), "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }  \n")
	f.Add(byte(1), "{'descr': '|O', 'fortran_order': True, 'shape': (), }")
	f.Add(byte(2), "{\"shape\":(3L,),\"descr\":\">c16\",\"fortran_order\":True}")
	f.Add(byte(3), "{'descr': [('é', '<i4')], 'fortran_order': False, 'shape': (0, 9223372036854775807)}")
	f.Fuzz(func(t *testing.T, major byte, text string) {
		h, err := ReadHeader(bytes.NewReader(rawHeader(major, text)))
		if err == nil {
			rewrite(t, h)
		}
	})
}

func FuzzNpy(f *testing.F) {
	f.Add(encode(f, Header{DType: dtype.Bool}, []byte{1}))
	f.Add(encode(f, Header{DType: dtype.Complex64, BigEndian: true, Fortran: true, Shape: []int{1, 2}}, make([]byte, 16)))
	f.Add(encode(f, Header{DType: dtype.Float16, Shape: []int{3}, Version: [2]byte{3, 0}}, make([]byte, 6)))
	f.Add(append(rawHeader(1, "{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}"), 0, 1, 255))
	f.Fuzz(func(t *testing.T, file []byte) {
		h, data, err := readAll(bytes.NewReader(file), 0)
		if err != nil {
			if data != nil {
				t.Fatalf("data beside the error %v", err)
			}
			return
		}
		if cap(data) > len(file) {
			t.Fatalf("a file of %d bytes made a buffer of %d", len(file), cap(data))
		}
		written := bytes.NewBuffer(rewrite(t, h))
		if err := WriteData(written, h, data); err != nil {
			t.Fatal(err)
		}
		if _, again, err := readAll(written, int64(len(data))); err != nil || !bytes.Equal(data, again) {
			t.Fatalf("written and read again: % x, %v, want % x", again, err, data)
		}
	})
}

func FuzzArchive(f *testing.F) {
	array := encode(f, Header{DType: dtype.Int16, BigEndian: true, Shape: []int{2}}, []byte{1, 2, 3, 4})
	for _, method := range []uint16{zip.Store, zip.Deflate} {
		f.Add(zipOf(f, method, member{"a/b.npy", array}, member{"c.npy", array}, member{"readme.txt", []byte("text")}))
		f.Add(zipOf(f, method, member{"d.npy", append(array, "trailing"...)}))
		f.Add(zipOf(f, method, member{"e.npy", textFile(">U2", "True", "(2,)", "\x00\x00\x00a\x00\x00\x00\x00\x00\x00\x00b\x00\x00\x00c")}))
	}
	f.Fuzz(checkArchive)
}

// FuzzArchiveMember fuzzes what no checksum protects: any bytes under any name beside a valid array, and then one
// changed byte of the archive.
func FuzzArchiveMember(f *testing.F) {
	array := encode(f, Header{DType: dtype.Int16, BigEndian: true, Shape: []int{2}}, []byte{1, 2, 3, 4})
	f.Add("a.npy", array, false, uint16(0), byte(0))
	f.Add("sound.npy", array, true, uint16(0), byte(0))
	f.Add("b/c.npy", array[:len(array)-1], true, uint16(40), byte(255))
	f.Fuzz(func(t *testing.T, name string, data []byte, compress bool, at uint16, flip byte) {
		if len(name) > 1<<15 || strings.HasSuffix(name, "/") {
			return // a directory, which the zip writer gives no data
		}
		method := zip.Store
		if compress {
			method = zip.Deflate
		}
		file := zipOf(t, method, member{name, data}, member{"sound.npy", array})
		file[int(at)%len(file)] ^= flip
		checkArchive(t, file)
	})
}

// checkArchive opens any bytes as an archive. What can be read must not be larger than the bytes can hold, and must be
// the same when written again.
func checkArchive(t *testing.T, file []byte) {
	a, err := openBytes(file)
	if err != nil {
		return
	}
	a.MaxBytes = 1 << 20
	var total int
	var arrays []namedArray
	for _, name := range a.Names() {
		h, data, err := readArray(a, name)
		if err != nil {
			continue
		}
		total += cap(data)
		if checkName(name) == nil {
			arrays = append(arrays, namedArray{name, h, data})
		}
	}
	for _, name := range a.Texts() {
		t, err := a.ReadText(name)
		if err == nil {
			total += 4 * len(strings.Join(t.Values, ""))
		}
	}
	const most = 1032 // the largest expansion of one byte by deflate
	if total > most*len(file) {
		t.Fatalf("a file of %d bytes made arrays of %d", len(file), total)
	}
	b, err := openBytes(writeArchive(t, true, arrays))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range arrays {
		h, data, err := readArray(b, want.name)
		if err != nil || !bytes.Equal(data, want.data) || !cmp.Equal(h.Shape, want.h.Shape) {
			t.Fatalf("%q written and read again: %v, % x, %v", want.name, h, data, err)
		}
	}
}
