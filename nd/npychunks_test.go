package nd_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func TestRowsOfAnNpyFile(t *testing.T) {
	whole := nd.ArangeInt(0, 7*3*2, 1, dtype.Int16).Reshape(7, 3, 2)
	for name, x := range map[string]*nd.Array{
		"C order": whole, "Fortran order": whole.CopyFortran(), "one axis": whole.Ravel(), "empty rows": nd.Zeros([]int{4, 0}),
		"no rows": nd.Zeros([]int{0, 3}), "bool": whole.AsType(dtype.Bool),
	} {
		var file bytes.Buffer
		if err := nd.WriteNpy(&file, x); err != nil {
			t.Fatal(err)
		}
		rows, err := nd.NewNpyRows(bytes.NewReader(file.Bytes()), int64(file.Len()))
		if err != nil {
			t.Fatal(err)
		}
		if rows.Len() != x.Dim(0) || rows.DType() != x.DType() || len(rows.Shape()) != x.Rank() {
			t.Errorf("%s: %d rows of %s, shape %v", name, rows.Len(), rows.DType(), rows.Shape())
		}
		for count := 1; count <= 8; count++ {
			from := 0
			for got, err := range rows.Chunks(count) {
				if err != nil {
					t.Fatal(err)
				}
				want := x.Index(nd.Span(from, from+count))
				if got.GoString() != want.GoString() {
					t.Errorf("%s: rows from %d are %#v, want %#v", name, from, got, want)
				}
				from += got.Dim(0)
			}
			if from != x.Dim(0) {
				t.Errorf("%s: %d rows by %d", name, from, count)
			}
		}
		if got, err := rows.Rows(0, 0); err != nil || got.Dim(0) != 0 {
			t.Errorf("%s: rows from 0 to 0 are %#v, %v", name, got, err)
		}
		for _, bad := range [][2]int{{-1, 0}, {1, 0}, {0, rows.Len() + 1}} {
			if _, err := rows.Rows(bad[0], bad[1]); err == nil {
				t.Errorf("%s: rows from %d to %d were read", name, bad[0], bad[1])
			}
		}
	}
}

func TestChunksCanBeLeft(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := nd.SaveNpy(path, nd.Arange(0, 10, 1)); err != nil {
		t.Fatal(err)
	}
	rows, err := nd.OpenNpyRows(path)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	seen := 0
	for x, err := range rows.Chunks(3) {
		if err != nil {
			t.Fatal(err)
		}
		if seen += x.Dim(0); seen == 6 {
			break
		}
	}
	if seen != 6 {
		t.Errorf("%d rows", seen)
	}
	if nd.Catch(func() { rows.Chunks(0) }) == nil {
		t.Error("empty chunks were not refused")
	}
}

func TestNpyRowsRefusesFilesThatAreTooShort(t *testing.T) {
	var file bytes.Buffer
	if err := nd.WriteNpy(&file, nd.Arange(0, 10, 1)); err != nil {
		t.Fatal(err)
	}
	for n := range file.Len() {
		if _, err := nd.NewNpyRows(bytes.NewReader(file.Bytes()), int64(n)); err == nil {
			t.Fatalf("%d bytes of %d were enough", n, file.Len())
		}
	}
	var single bytes.Buffer
	if err := nd.WriteNpy(&single, nd.Scalar(1)); err != nil {
		t.Fatal(err)
	}
	if _, err := nd.NewNpyRows(bytes.NewReader(single.Bytes()), int64(single.Len())); err == nil {
		t.Error("a 0-d array has rows")
	}
}

func TestAppendedRowsAreOneFile(t *testing.T) {
	dir := t.TempDir()
	path, whole := filepath.Join(dir, "a.npy"), filepath.Join(dir, "b.npy")
	x := nd.ArangeInt(0, 40, 1).Reshape(10, 2, 2).AsType(dtype.Float32)
	w, err := nd.CreateNpyRows(path, dtype.Float32, []int{2, 2})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Discard()
	for _, part := range [][2]int{{0, 1}, {1, 1}, {1, 7}, {7, 10}} {
		if err := w.Append(x.Index(nd.Span(part[0], part[1]))); err != nil {
			t.Fatal(err)
		}
	}
	for what, bad := range map[string]*nd.Array{
		"another dtype": x.AsType(dtype.Float64), "another shape": x.Reshape(10, 4), "no axes": nd.Scalar(1.0),
	} {
		var misuse *nd.Error
		if err := w.Append(bad); !errors.As(err, &misuse) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Error("the file exists before it is complete")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.Append(x); !errors.Is(err, os.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	if err := nd.SaveNpy(whole, x); err != nil {
		t.Fatal(err)
	}
	got, _ := os.ReadFile(path)
	want, _ := os.ReadFile(whole)
	if !bytes.Equal(got, want) {
		t.Error("the file differs from that of the whole array")
	}
}

func TestDiscardedRowsLeaveNothing(t *testing.T) {
	dir := t.TempDir()
	w, err := nd.CreateNpyRows(filepath.Join(dir, "a.npy"), dtype.Int8, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Append(nd.Zeros([]int{3}, dtype.Int8)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Discard(), w.Discard(), w.Close()); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left over: %v", left)
	}
	if _, err := nd.CreateNpyRows(filepath.Join(dir, "b.npy"), dtype.Unspecified, nil); err == nil {
		t.Error("no dtype: not refused")
	}
	if _, err := nd.CreateNpyRows(filepath.Join(dir, "b.npy"), dtype.Int8, []int{-1}); err == nil {
		t.Error("a negative length: not refused")
	}
}
