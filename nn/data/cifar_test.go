package data_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/data"
)

// cifarRecord is an image with one value everywhere, and its labels.
func cifarRecord(value byte, labels ...byte) []byte {
	return append(labels, []byte(strings.Repeat(string([]byte{value}), 3*32*32))...)
}

func writeFile(t *testing.T, folder, name string, parts ...[]byte) {
	t.Helper()
	var raw []byte
	for _, p := range parts {
		raw = append(raw, p...)
	}
	if err := os.WriteFile(filepath.Join(folder, name), raw, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestLoadCIFAR10(t *testing.T) {
	folder := t.TempDir()
	writeFile(t, folder, "test_batch")
	if _, _, err := data.LoadCIFAR10(folder, false); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "no test_batch.bin (test_batch is a file of the Python version): fetch") {
		t.Errorf("error %v", err)
	}
	for i := range 5 {
		writeFile(t, folder, fmt.Sprintf("data_batch_%d.bin", i+1), cifarRecord(byte(i), byte(9-i)), cifarRecord(byte(10*i), 1))
	}
	second := cifarRecord(7, 3)
	second[1+32*32+33] = 8 // second channel, second row, second column
	writeFile(t, folder, "test_batch.bin", cifarRecord(5, 2), second)
	x, labels, err := data.LoadCIFAR10(folder, true)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "shape", x.Shape(), []int{10, 3, 32, 32})
	equal(t, "labels", nd.ToSlice[int](labels), []int{9, 1, 8, 1, 7, 1, 6, 1, 5, 1})
	if x.DType() != dtype.Uint8 || labels.DType() != dtype.Int64 || x.Float(9, 2, 31, 31) != 40 {
		t.Errorf("%s, %s, %v", x.DType(), labels.DType(), x.Float(9, 2, 31, 31))
	}
	if x, labels, err = data.LoadCIFAR10(folder, false); err != nil || x.Float(1, 1, 1, 1) != 8 || x.Float(1, 1, 1, 0) != 7 {
		t.Errorf("%v, %v", labels, err)
	}
	for want, raw := range map[string][]byte{"records of 3073": cifarRecord(1, 2)[:3072], "0 bytes": nil, "label 10 of image 0": cifarRecord(1, 10)} {
		writeFile(t, folder, "test_batch.bin", raw)
		if _, _, err := data.LoadCIFAR10(folder, false); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "test_batch.bin") {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestLoadCIFAR100(t *testing.T) {
	folder := t.TempDir()
	writeFile(t, folder, "train.bin", cifarRecord(1, 19, 99), cifarRecord(2, 3, 4))
	writeFile(t, folder, "test.bin", cifarRecord(1, 20, 1))
	_, labels, err := data.LoadCIFAR100(folder, true)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "classes", nd.ToSlice[int](labels), []int{99, 4})
	_, labels, err = data.LoadCIFAR100(folder, true, data.CIFAR100Options{Coarse: true})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "superclasses", nd.ToSlice[int](labels), []int{19, 3})
	if _, _, err := data.LoadCIFAR100(folder, false); err == nil || !strings.Contains(err.Error(), "label 20 of image 0: CIFAR-100 has 20") {
		t.Errorf("error %v", err)
	}
}

func FuzzLoadCIFAR100(f *testing.F) {
	f.Add(cifarRecord(1, 2, 3))
	f.Add(cifarRecord(1, 2, 3)[:100])
	f.Fuzz(func(t *testing.T, raw []byte) {
		folder := t.TempDir()
		writeFile(t, folder, "test.bin", raw)
		x, labels, err := data.LoadCIFAR100(folder, false)
		if (err == nil) != (x != nil && labels != nil && x.Dim(0)*(2+3*32*32) == len(raw)) {
			t.Errorf("%v, %v", labels, err)
		}
	})
}
