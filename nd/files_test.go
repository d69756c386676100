package nd_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func TestNpyRoundTrip(t *testing.T) {
	whole := nd.ArangeInt(0, 24, 1).Reshape(2, 3, 4)
	for name, x := range map[string]*nd.Array{
		"contiguous": whole, "fortran": whole.T(), "strided": whole.Index(nd.All(), nd.All().By(-2)),
		"0-d": nd.Scalar(2.5), "empty": nd.Zeros([]int{0, 3}), "half": whole.AsType(dtype.Float16),
		"bfloat16": whole.AsType(dtype.BFloat16), "complex": whole.AsType(dtype.Complex64), "bool": whole.AsType(dtype.Bool),
	} {
		var file bytes.Buffer
		if err := nd.WriteNpy(&file, x); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		y, err := nd.ReadNpy(&file)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if x.Repr(nd.PrintOptions{}) != y.Repr(nd.PrintOptions{}) {
			t.Errorf("%s: wrote %#v, read %#v", name, x, y)
		}
		if name == "fortran" && !y.IsFortran() {
			t.Error("Fortran order was lost")
		}
	}
}

// TestWriteRaw reads the elements of arrays of several layouts with binary.Read.
func TestWriteRaw(t *testing.T) {
	whole := nd.ArangeInt(0, 24, 1, dtype.Int16).Reshape(2, 3, 4)
	for name, x := range map[string]*nd.Array{
		"contiguous": whole, "transposed": whole.T(), "strided": whole.Index(nd.All(), nd.All().By(-2)), "0-d": nd.Full(nil, 7, dtype.Int16),
		"empty": nd.Zeros([]int{0, 3}, dtype.Int16),
	} {
		var file bytes.Buffer
		if err := nd.WriteRaw(&file, x); err != nil || file.Len() != x.Bytes() {
			t.Fatalf("%s: %d bytes, want %d: %v", name, file.Len(), x.Bytes(), err)
		}
		elements := make([]int16, x.Size())
		if err := binary.Read(&file, binary.LittleEndian, elements); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if want := nd.ToSlice[int16](x); !slices.Equal(elements, want) {
			t.Errorf("%s: wrote %v, want %v", name, elements, want)
		}
	}
	var file bytes.Buffer
	if err := nd.WriteRaw(&file, nd.Scalar(2.5)); err != nil || !bytes.Equal(file.Bytes(), []byte{0, 0, 0, 0, 0, 0, 4, 0x40}) {
		t.Errorf("a scalar is the bytes %v: %v", file.Bytes(), err)
	}
	if err := nd.WriteRaw(failingWriter{}, whole); err == nil || !strings.Contains(err.Error(), "nd.WriteRaw") {
		t.Errorf("the error of a writer gives %v", err)
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestNpzFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.npz")
	want := []nd.Named{{Name: "fc1/W", Array: nd.Ones([]int{2, 3})}, {Name: "fc1/b", Array: nd.Arange(0, 3, 1)},
		{Name: "/conv/W", Array: nd.Zeros([]int{2})}}
	if err := nd.SaveNpz(path, want, true); err != nil {
		t.Fatal(err)
	}
	got, err := nd.LoadNpz(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range got {
		if n.Name != want[i].Name || n.Array.String() != want[i].Array.String() {
			t.Errorf("member %d is %s %v", i, n.Name, n.Array)
		}
	}
	if names := got.Names(); !slices.Equal(names, []string{"fc1/W", "fc1/b", "/conv/W"}) {
		t.Errorf("names %v", names)
	}
	if b := got.Get("fc1/b"); b != got[1].Array || got.Get("fc1") != nil {
		t.Errorf("fc1/b is %v, and fc1 %v", b, got.Get("fc1"))
	}
	if err := nd.SaveNpz(path, []nd.Named{{Name: "../escape", Array: want[0].Array}}, false); err == nil {
		t.Error("a name that leaves the archive was accepted")
	}
	if err := nd.CreateNpz(path, true, func(z *nd.NpzWriter) error { return z.WriteStrings("log", nd.Strings{Shape: []int{1}}) }); err == nil {
		t.Error("a text without its elements was accepted")
	}
	if kept, err := nd.LoadNpz(path); err != nil || len(kept) != 3 {
		t.Errorf("a failed save destroyed the file: %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("temporary files are left over: %v", left)
	}
}

func TestSavingIntoAMissingFolderNamesThePath(t *testing.T) {
	x := nd.Ones([]int{2})
	arrays := []nd.Named{{Name: "a", Array: x}}
	for name, save := range map[string]func(path string) error{
		"SaveNpy":         func(path string) error { return nd.SaveNpy(path, x) },
		"SaveNpz":         func(path string) error { return nd.SaveNpz(path, arrays, false) },
		"SaveSafetensors": func(path string) error { return nd.SaveSafetensors(path, arrays, nil) },
		"SaveMXNet":       func(path string) error { return nd.SaveMXNet(path, arrays) },
		"SaveText":        func(path string) error { return nd.SaveText(path, x) },
		"CreateNpyRows":   func(path string) error { _, err := nd.CreateNpyRows(path, dtype.Int8, nil); return err },
	} {
		path := filepath.Join(t.TempDir(), "nowhere", "a.b")
		if err := save(path); !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "create "+path+": ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTextInAnNpzFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npz")
	log := nd.Strings{Shape: []int{}, Values: []string{`{"epoch": 3}`}}
	err := nd.CreateNpz(path, false, func(z *nd.NpzWriter) error {
		return errors.Join(z.WriteStrings("log", log), z.Write("W", nd.Ones([]int{2})))
	})
	if err != nil {
		t.Fatal(err)
	}
	z, err := nd.OpenNpz(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	got, err := z.ReadStrings("log")
	if err != nil || !slices.Equal(got.Values, log.Values) || len(got.Shape) != 0 {
		t.Errorf("read %v, %v", got, err)
	}
	if arrays, texts := z.Names(), z.StringNames(); !slices.Equal(arrays, []string{"W"}) || !slices.Equal(texts, []string{"log"}) {
		t.Errorf("arrays %v, texts %v", arrays, texts)
	}
}

func TestNpyRefusesWhatItCannotHold(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "no magic": "hello", "object": "\x93NUMPY\x01\x00\x38\x00{'descr': '|O', 'fortran_order': False, 'shape': (1,), }  \n",
	} {
		if x, err := nd.ReadNpy(bytes.NewReader([]byte(text))); err == nil {
			t.Errorf("%s: read %v", name, x)
		}
	}
	if _, err := nd.LoadNpy(filepath.Join(t.TempDir(), "missing.npy")); !os.IsNotExist(err) {
		t.Errorf("missing file: %v", err)
	}
}
