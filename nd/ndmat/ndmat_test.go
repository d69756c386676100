package ndmat_test

import (
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ndgrad/ndgrad/device"
	_ "github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ndmat"
)

func Example() {
	x := nd.FromRows([][]float64{{4, 1}, {1, 3}})
	var lu mat.LU
	lu.Factorize(ndmat.To(x))
	fmt.Printf("%.1f\n", lu.Det())
	fmt.Println(ndmat.From(mat.NewDense(2, 2, []float64{1, 2, 3, 4}).T()))
	// Output:
	// 11.0
	// [[1. 3.]
	//  [2. 4.]]
}

func TestFrom(t *testing.T) {
	dense := func() *mat.Dense { return mat.NewDense(3, 4, []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}) }
	column := dense().ColView(1).(*mat.VecDense)
	for what, c := range map[string]struct {
		m      mat.Matrix
		shared bool
	}{
		"dense":              {dense(), true},
		"transposed":         {dense().T(), true},
		"part":               {dense().Slice(1, 3, 1, 3), true}, // its memory ends within a row
		"part, transposed":   {dense().Slice(0, 2, 2, 4).T(), true},
		"column":             {column, true},
		"column, transposed": {column.T(), true},
		"symmetric":          {mat.NewSymDense(2, []float64{1, 2, 2, 3}), false},
		"triangle":           {mat.NewTriDense(2, mat.Upper, []float64{1, 2, 0, 3}).T(), false},
		"diagonal":           {mat.NewDiagDense(2, []float64{1, 2}), false},
		"without elements":   {new(mat.Dense), false},
	} {
		x := ndmat.From(c.m)
		rows, columns := c.m.Dims()
		if x.Rank() != 2 || x.Dim(0) != rows || x.Dim(1) != columns || x.DType() != dtype.Float64 {
			t.Errorf("%s: %v of %v", what, x.DType(), x.Shape())
		}
		equal := func() bool {
			for i := range rows {
				for j := range columns {
					if x.Float(i, j) != c.m.At(i, j) {
						return false
					}
				}
			}
			return true
		}
		if !equal() {
			t.Errorf("%s:\n%v\nwant\n%v", what, x, mat.Formatted(c.m))
		}
		if c.shared {
			if x.Assign(nd.Scalar(-1), nd.At(-1), nd.At(-1)); !equal() {
				t.Errorf("%s: a write to the array does not show in the matrix", what)
			}
		}
	}
}

func TestTo(t *testing.T) {
	x := nd.Arange(0, 6, 1).Reshape(2, 3)
	m := ndmat.To(x)
	if m.Set(1, 2, 9); x.Float(1, 2) != 9 {
		t.Error("a write to the matrix does not show in the array")
	}
	ndmat.From(m).Assign(nd.Scalar(8), nd.At(0), nd.At(0))
	if x.Float(0, 0) != 8 {
		t.Error("there and back the memory is another")
	}
	ref, err := device.Get("ref")
	if err != nil {
		t.Fatal(err)
	}
	for what, x := range map[string]*nd.Array{
		"transposed": x.T(), "columns": x.Index(nd.All(), nd.From(1)), "float32": x.AsType(dtype.Float32),
		"int64": x.AsType(dtype.Int64), "one axis": nd.Arange(0, 3, 1), "ref": x.To(ref),
	} {
		m := ndmat.To(x)
		got := ndmat.From(m)
		if want := x.Reshape(x.Dim(0), -1).AsType(dtype.Float64); got.String() != want.String() {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	for want, x := range map[string]*nd.Array{
		"complex128": nd.Zeros([]int{2, 2}, dtype.Complex128), "one or two axes": nd.Zeros([]int{2, 2, 2}),
		"one element": nd.Zeros([]int{0, 2}), "nil": nil, "axes": nd.Scalar(1),
	} {
		err := nd.Catch(func() { ndmat.To(x) })
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "ndmat.To") {
			t.Errorf("%v, want an error of ndmat.To about %s", err, want)
		}
	}
}
