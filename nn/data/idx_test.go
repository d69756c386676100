package data_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/data"
)

func zipped(raw string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(raw))
	_ = z.Close()
	return b.String()
}

func TestReadIDX(t *testing.T) {
	for _, c := range []struct {
		raw    string
		dt     dtype.DType
		shape  []int
		values []float64
	}{
		{"\x00\x00\x08\x02\x00\x00\x00\x02\x00\x00\x00\x01\x07\xff", dtype.Uint8, []int{2, 1}, []float64{7, 255}},
		{"\x00\x00\x09\x01\x00\x00\x00\x02\x07\xff", dtype.Int8, []int{2}, []float64{7, -1}},
		{"\x00\x00\x0b\x01\x00\x00\x00\x02\x01\x02\xff\xfe", dtype.Int16, []int{2}, []float64{258, -2}},
		{"\x00\x00\x0c\x01\x00\x00\x00\x01\x00\x01\x00\x00", dtype.Int32, []int{1}, []float64{65536}},
		{"\x00\x00\x0d\x01\x00\x00\x00\x01\xbf\x80\x00\x00", dtype.Float32, []int{1}, []float64{-1}},
		{"\x00\x00\x0e\x01\x00\x00\x00\x01\x40\x00\x00\x00\x00\x00\x00\x00", dtype.Float64, []int{1}, []float64{2}},
		{"\x00\x00\x08\x00\x05", dtype.Uint8, []int{}, []float64{5}},
		{"\x00\x00\x0e\x02\x00\x00\x00\x00\x00\x00\x00\x03", dtype.Float64, []int{0, 3}, nil},
	} {
		for _, raw := range []string{c.raw, zipped(c.raw)} {
			x, err := data.ReadIDX(strings.NewReader(raw))
			if err != nil || x.DType() != c.dt || !cmp.Equal(x.Shape(), c.shape) {
				t.Errorf("%x: %v, %v", c.raw, x, err)
				continue
			}
			if got := nd.ToSlice[float64](x.AsType(dtype.Float64)); len(got) != len(c.values) || len(got) > 0 && !cmp.Equal(got, c.values) {
				t.Errorf("%x: %v, want %v", c.raw, got, c.values)
			}
		}
	}
}

func TestReadIDXRefuses(t *testing.T) {
	for _, c := range []struct{ raw, want string }{
		{"", "header"},
		{"\x00\x00\x08", "header"},
		{"\x00\x01\x08\x00\x05", "no IDX file"},
		{"\x00\x00\x0a\x00\x05", "no IDX file"},
		{"\x00\x00\x08\x02\x00\x00\x00\x02", "lengths of 2 axes"},
		{"\x00\x00\x08\x01\x00\x00\x00\x02\x07", "1 of the 2 bytes"},
		{"\x00\x00\x08\x01\x00\x00\x00\x01\x07\x07", "more data"},
		{"\x00\x00\x08\x02\xff\xff\xff\xff\xff\xff\xff\xff\x01", ""},
		{"\x00\x00\x0e\x01\xff\xff\xff\xff\x01", "1 of the"},
		{zipped("\x00\x00\x08\x01\x00\x00\x00\x01\x07")[:20], ""},
		{"\x1f\x8b\x00", ""},
	} {
		if x, err := data.ReadIDX(strings.NewReader(c.raw)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%x: %v, %v, want %q", c.raw, x, err, c.want)
		}
	}
}

func FuzzReadIDX(f *testing.F) {
	f.Add([]byte("\x00\x00\x08\x02\x00\x00\x00\x02\x00\x00\x00\x01\x07\xff"))
	f.Add([]byte(zipped("\x00\x00\x0d\x01\x00\x00\x00\x01\xbf\x80\x00\x00")))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if x, err := data.ReadIDX(bytes.NewReader(raw)); (x == nil) == (err == nil) {
			t.Errorf("%v, %v", x, err)
		}
	})
}

func TestLoadMNIST(t *testing.T) {
	folder := t.TempDir()
	write := func(name, raw string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(raw), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const images, labels = "\x00\x00\x08\x03\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x02\x01\x02\x03\x04", "\x00\x00\x08\x01\x00\x00\x00\x02\x09\x03"
	if _, _, err := data.LoadMNIST(folder, true); err == nil || !strings.Contains(err.Error(), "no train-images-idx3-ubyte") {
		t.Errorf("an empty folder: %v", err)
	}
	write("train-images-idx3-ubyte.gz", zipped(images))
	write("train-labels.idx1-ubyte", labels)
	x, y, err := data.LoadMNIST(folder, true)
	if err != nil || !cmp.Equal(x.Shape(), []int{2, 1, 2}) || !cmp.Equal(nd.ToSlice[int](y), []int{9, 3}) {
		t.Errorf("%v, %v, %v", x, y, err)
	}
	write("t10k-images-idx3-ubyte", images)
	write("t10k-labels-idx1-ubyte", "\x00\x00\x08\x01\x00\x00\x00\x01\x09")
	if _, _, err := data.LoadMNIST(folder, false); err == nil || !strings.Contains(err.Error(), "images uint8(2, 1, 2) and labels uint8(1,)") {
		t.Errorf("labels that are too few: %v", err)
	}
}
