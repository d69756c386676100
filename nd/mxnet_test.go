package nd_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func TestMXNetRoundTrip(t *testing.T) {
	whole := nd.ArangeInt(0, 24, 1).Reshape(2, 3, 4)
	var arrays []nd.Named
	for d := dtype.Bool; d < dtype.Count; d++ {
		if !d.IsComplex() {
			arrays = append(arrays, nd.Named{Name: d.String(), Array: whole.AsType(d)})
		}
	}
	arrays = append(arrays, nd.Named{Name: "arg:deep/ä", Array: whole.T()}, nd.Named{Name: "0-d", Array: nd.Scalar(2.5)},
		nd.Named{Name: "empty", Array: nd.Zeros([]int{0, 3})}, nd.Named{Name: "", Array: whole.Index(nd.At(0), nd.All().By(-1))})
	unnamed := []nd.Named{{Array: nd.Ones([]int{2})}, {Array: nd.Ones([]int{3}, dtype.Int8)}}
	path := filepath.Join(t.TempDir(), "a.params")
	for _, want := range [][]nd.Named{arrays, unnamed, nil} {
		if err := nd.SaveMXNet(path, want); err != nil {
			t.Fatal(err)
		}
		got, err := nd.LoadMXNet(path)
		if err != nil || len(got) != len(want) {
			t.Fatal(len(got), err)
		}
		for i, n := range want {
			if got[i].Name != n.Name || got[i].Array.GoString() != n.Array.GoString() {
				t.Errorf("wrote %q %#v, read %q %#v", n.Name, n.Array, got[i].Name, got[i].Array)
			}
		}
		file, _ := os.ReadFile(path)
		again, err := nd.ReadMXNet(bytes.NewBuffer(file))
		if err != nil || len(again) != len(want) {
			t.Errorf("from a reader: %d arrays, %v", len(again), err)
		}
		for cut := range file {
			if _, err := nd.ReadMXNet(bytes.NewReader(file[:cut])); err == nil {
				t.Fatalf("a file cut off after %d of %d bytes was read", cut, len(file))
			}
		}
		if _, err := nd.ReadMXNet(bytes.NewReader(append(file, 0))); err == nil {
			t.Error("a file with a byte behind was read")
		}
	}
}

func TestMXNetRefusals(t *testing.T) {
	x := nd.Ones([]int{2})
	for what, arrays := range map[string][]nd.Named{
		"complex":      {{Name: "z", Array: nd.Ones([]int{2}, dtype.Complex64)}},
		"a name twice": {{Name: "a", Array: x}, {Name: "a", Array: x}},
	} {
		var out bytes.Buffer
		if err := nd.WriteMXNet(&out, arrays); err == nil || out.Len() > 0 || !strings.HasPrefix(err.Error(), "nd.WriteMXNet: ") {
			t.Errorf("%s: error %v, %d bytes written", what, err, out.Len())
		}
	}
	if _, err := nd.LoadMXNet(filepath.Join(t.TempDir(), "none.params")); !os.IsNotExist(err) {
		t.Errorf("no file: %v", err)
	}
	var whole bytes.Buffer
	if err := nd.WriteMXNet(&whole, []nd.Named{{Name: "name", Array: x}}); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken disk")
	for cut := range whole.Len() {
		_, err := nd.ReadMXNet(io.MultiReader(bytes.NewReader(whole.Bytes()[:cut]), iotest.ErrReader(broken)))
		if !errors.Is(err, broken) {
			t.Errorf("a disk that breaks after %d bytes: error %v, want the reader's", cut, err)
		}
	}
}

// params lays the bytes of a file down: numbers of 32 bits, and of 64 bits where a number is an int64.
func params(parts ...any) []byte {
	var b []byte
	put := func(n uint64, width int) {
		for k := range width {
			b = append(b, byte(n>>(8*k)))
		}
	}
	for _, p := range parts {
		switch v := p.(type) {
		case int:
			put(uint64(v), 4)
		case int64:
			put(uint64(v), 8)
		case []byte:
			b = append(b, v...)
		}
	}
	return b
}

// TestMXNetVersions reads layouts that SaveMXNet does not write.
func TestMXNetVersions(t *testing.T) {
	const gpu, bytes8, int64s = 2, 3, 6
	head := params(int64(0x112), int64(0), int64(1))
	tail := params(int64(0))
	for what, c := range map[string]struct {
		array []byte
		want  string
	}{
		"version 0":  {params(2, 1, 3, gpu, 0, bytes8, []byte{1, 2, 3}), "uint8 [[1 2 3]]"},
		"version 1":  {params(0xF993FAC8, 1, int64(3), gpu, 0, bytes8, []byte{1, 2, 3}), "uint8 [1 2 3]"},
		"row_sparse": {params(0xF993FAC9, 1, 2, int64(1), int64(2), 2, int64(3), int64(2), 1, 0, bytes8, int64s, 1, int64(1), []byte{7, 8}, int64(1)), "uint8 [[0 0]\n [7 8]\n [0 0]]"},
		"no rows":    {params(0xF993FAC9, 1, 2, int64(0), int64(2), 2, int64(1), int64(2), 1, 0, bytes8, int64s, 1, int64(0)), "uint8 [[0 0]]"},
		"csr": {params(0xF993FACA, 2, 1, int64(3), 2, int64(2), int64(3), 1, 0, bytes8, int64s, 1, int64(3), int64s, 1, int64(3), []byte{4, 5, 6},
			int64(0), int64(2), int64(3), int64(0), int64(2), int64(1)), "uint8 [[4 0 5]\n [0 6 0]]"},
	} {
		arrays, err := nd.ReadMXNet(bytes.NewReader(slices.Concat(head, c.array, tail)))
		if err != nil || len(arrays) != 1 {
			t.Errorf("%s: %v, %v", what, arrays, err)
			continue
		}
		if got := fmt.Sprint(arrays[0].Array.DType(), arrays[0].Array); got != c.want {
			t.Errorf("%s: read %s, want %s", what, got, c.want)
		}
	}
	for what, array := range map[string][]byte{
		"no array":            params(0xF993FAC9, 0, 0),
		"an unknown array":    params(0xF993FACA, 0, -1),
		"a negative length":   params(0xF993FACA, 0, 1, int64(-1), 1, 0, bytes8),
		"a claim of 2^61":     params(0xF993FACA, 0, 1, int64(1<<61), 1, 0, bytes8),
		"rank 2^31":           params(1<<31-1, 1),
		"dtype 13":            params(1, 1, 1, 0, 13, []byte{1}),
		"storage 3":           params(0xF993FAC9, 3, 1, int64(1)),
		"a row out of range":  params(0xF993FAC9, 1, 2, int64(1), int64(2), 2, int64(3), int64(2), 1, 0, bytes8, int64s, 1, int64(1), []byte{7, 8}, int64(3)),
		"a negative row":      params(0xF993FAC9, 1, 2, int64(1), int64(2), 2, int64(3), int64(2), 1, 0, bytes8, int64s, 1, int64(1), []byte{7, 8}, int64(-1)),
		"indices of floats":   params(0xF993FAC9, 1, 2, int64(1), int64(2), 2, int64(3), int64(2), 1, 0, bytes8, 1, 1, int64(1), []byte{7, 8}, int64(1)),
		"a swelling array":    params(0xF993FAC9, 1, 1, int64(0), 1, int64(1<<40), 1, 0, bytes8, int64s, 1, int64(0)),
		"csr rows backward":   params(0xF993FAC9, 2, 1, int64(1), 2, int64(2), int64(3), 1, 0, bytes8, int64s, 1, int64(3), int64s, 1, int64(1), []byte{4}, int64(0), int64(9), int64(1), int64(0)),
		"csr of three axes":   params(0xF993FAC9, 2, 1, int64(0), 3, int64(1), int64(1), int64(1), 1, 0, bytes8, int64s, 1, int64(2), int64s, 1, int64(0), int64(0), int64(0)),
		"csr without starts":  params(0xF993FAC9, 2, 1, int64(0), 2, int64(0), int64(1), 1, 0, bytes8, int64s, 1, int64(0), int64s, 1, int64(0)),
		"more names than one": params(1, 1, 1, 0, bytes8, []byte{1}, int64(2), int64(1), []byte("a"), int64(1), []byte("b")),
		"a name of 2^62":      params(1, 1, 1, 0, bytes8, []byte{1}, int64(1), int64(1<<62), []byte("a")),
		"a name not UTF-8":    params(1, 1, 1, 0, bytes8, []byte{1}, int64(1), int64(1), []byte{0xff}),
	} {
		if arrays, err := nd.ReadMXNet(bytes.NewReader(slices.Concat(head, array, tail))); err == nil {
			t.Errorf("%s: read %v", what, arrays)
		}
	}
}

// FuzzMXNet: what is read is written and read again as the same arrays.
func FuzzMXNet(f *testing.F) {
	f.Add(params(int64(0x112), int64(0), int64(1), 2, 1, 3, 2, 0, 3, []byte{1, 2, 3}, int64(1), int64(1), []byte("a")))
	f.Add(params(int64(0x112), int64(0), int64(1), 0xF993FACA, 2, 1, int64(3), 2, int64(2), int64(3), 1, 0, 3, 6, 1, int64(3), 6, 1, int64(3),
		[]byte{4, 5, 6}, int64(0), int64(2), int64(3), int64(0), int64(2), int64(1), int64(0)))
	f.Fuzz(func(t *testing.T, file []byte) {
		arrays, err := nd.ReadMXNet(bytes.NewReader(file))
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := nd.WriteMXNet(&out, arrays); err != nil {
			t.Fatal(err)
		}
		again, err := nd.ReadMXNet(&out)
		if err != nil || len(again) != len(arrays) {
			t.Fatalf("%d arrays written, %d read, %v", len(arrays), len(again), err)
		}
		for i, a := range arrays {
			if b := again[i]; a.Name != b.Name || a.Array.GoString() != b.Array.GoString() {
				t.Fatalf("wrote %q %#v, read %q %#v", a.Name, a.Array, b.Name, b.Array)
			}
		}
	})
}
