package sparse_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	_ "github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/sparse"
)

// onDevices runs a test on every registered device that opens.
func onDevices(t *testing.T, f func(t *testing.T, dev device.Device)) {
	for _, name := range device.Names() {
		t.Run(name, func(t *testing.T) {
			dev, err := device.Get(name)
			if err != nil {
				t.Skip(err)
			}
			f(t, dev)
		})
	}
}

// random returns normally distributed numbers with some zeros: about one element in two, and all of row 1 and column 2,
// if they exist.
func random(seed uint64, dev device.Device, rows, cols int) *nd.Array {
	r := rand.New(rand.NewPCG(seed, uint64(rows*100+cols)))
	values := make([]float64, rows*cols)
	for i := range values {
		if row, col := i/cols, i%cols; row != 1 && col != 2 && r.IntN(2) == 0 {
			values[i] = r.NormFloat64()
		}
	}
	return nd.FromSlice(values, rows, cols).To(dev)
}

// repeated returns an unsorted list with coordinates that occur two or three times, and the dense matrix.
func repeated(dev device.Device) (*sparse.COO, *nd.Array) {
	data := nd.FromSlice([]float64{1, -2, 3, 4, 0.5, -6, 7}).To(dev)
	row := nd.FromSlice([]int32{2, 0, 2, 0, 2, 3, 0}).To(dev)
	col := nd.FromSlice([]int64{1, 3, 1, 0, 1, 0, 3}).To(dev)
	dense := nd.FromSlice([]float64{4, 0, 0, 5, 0, 0, 0, 0, 0, 4.5, 0, 0, -6, 0, 0, 0}, 4, 4).To(dev)
	return sparse.NewCOO(data, row, col, 4, 4), dense
}

func same(t *testing.T, what string, got, want *nd.Array) {
	t.Helper()
	if fmt.Sprint(got.Shape()) != fmt.Sprint(want.Shape()) || got.DType() != want.DType() {
		t.Errorf("%s: %s%v, want %s%v", what, got.DType(), got.Shape(), want.DType(), want.Shape())
		return
	}
	if got.Device() != want.Device() {
		t.Errorf("%s: on %s", what, got.Device().Name())
	}
	if !ops.AllClose(got, want, ops.IsCloseOptions{EqualNaN: true}) {
		t.Errorf("%s:\n%v\nwant\n%v", what, got, want)
	}
}

// formats lists the matrix in all formats.
func formats(m sparse.Matrix) map[string]sparse.Matrix {
	return map[string]sparse.Matrix{"CSR": m.ToCSR(), "CSC": m.ToCSC(), "COO": m.ToCOO(), "of the transpose": m.ToCSR().T().ToCSR().T()}
}

// each calls f with matrices of several shapes in every format, and with the same matrices as dense arrays.
func each(t *testing.T, dev device.Device, f func(t *testing.T, m sparse.Matrix, dense *nd.Array)) {
	for _, shape := range [][2]int{{5, 4}, {1, 7}, {6, 1}, {3, 3}, {0, 3}, {3, 0}, {0, 0}, {17, 23}} {
		dense := random(1, dev, shape[0], shape[1])
		for name, m := range formats(sparse.FromDense(dense)) {
			t.Run(fmt.Sprint(shape, name), func(t *testing.T) { f(t, m, dense) })
		}
	}
	m, dense := repeated(dev)
	t.Run("repeated", func(t *testing.T) { f(t, m, dense) })
	t.Run("repeated, transposed", func(t *testing.T) { f(t, m.T(), dense.T()) })
	t.Run("stored zeros", func(t *testing.T) {
		m := m.ToCSR()
		f(t, m.WithData(ops.Multiply(m.Data, 0)), nd.ZerosLike(dense))
	})
}

func TestConversions(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device) {
		each(t, dev, func(t *testing.T, m sparse.Matrix, dense *nd.Array) {
			same(t, "ToDense", m.ToDense(), dense)
			for name, other := range formats(m) {
				same(t, "by way of "+name, other.ToDense(), dense)
			}
			rows, cols := m.Shape()
			if rows != dense.Dim(0) || cols != dense.Dim(1) {
				t.Errorf("shape %d, %d", rows, cols)
			}
		})
	})
}

func TestFromDenseStoresWhatIsNotZero(t *testing.T) {
	x := nd.FromSlice([]float32{0, 3, 0, 0, 0, 0, 1, 0, 2}, 3, 3)
	m := sparse.FromDense(x)
	if got := fmt.Sprint(m.Data, m.Indices, m.IndPtr); got != "[3. 1. 2.] [1 0 2] [0 1 1 3]" {
		t.Error(got)
	}
	if got := m.String(); got != "CSR (3, 3) of float32 with 3 stored elements" {
		t.Error(got)
	}
	c := m.ToCSC()
	if got := fmt.Sprint(c.Data, c.Indices, c.IndPtr, c); got != "[1. 3. 2.] [2 0 2] [0 1 2 3] CSC (3, 3) of float32 with 3 stored elements" {
		t.Error(got)
	}
}

func TestSumDuplicates(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device) {
		m, dense := repeated(dev)
		for name, summed := range map[string]sparse.Matrix{
			"COO": m.SumDuplicates(),
			"CSR": sparse.NewCSR(
				nd.FromSlice([]float64{7, 4, -2, 1, 3, 0.5, -6}).To(dev), nd.FromSlice([]int{3, 0, 3, 1, 1, 1, 0}).To(dev),
				nd.FromSlice([]int32{0, 3, 3, 6, 7}).To(dev), 4, 4).SumDuplicates(),
			"CSC": sparse.NewCSC(
				nd.FromSlice([]float64{-6, 4, 1, 3, 0.5, 7, -2}).To(dev), nd.FromSlice([]int{3, 0, 2, 2, 2, 0, 0}).To(dev),
				nd.FromSlice([]int32{0, 2, 5, 5, 7}).To(dev), 4, 4).SumDuplicates(),
		} {
			if summed.NNZ() != 4 {
				t.Errorf("%s: %d elements", name, summed.NNZ())
			}
			same(t, name, summed.ToDense(), dense)
		}
		if again := m.SumDuplicates(); again.SumDuplicates() != again {
			t.Error("a matrix without repeated coordinates is not itself")
		}
		if csr := sparse.FromDense(dense); csr.SumDuplicates() != csr {
			t.Error("FromDense is not known to be in order")
		}
		in := sparse.NewCOO(nd.FromSlice([]float64{1, 2}).To(dev), nd.FromSlice([]int{0, 1}).To(dev), nd.FromSlice([]int{1, 0}).To(dev), 2, 2)
		if in.SumDuplicates() != in {
			t.Error("NewCOO does not notice that the coordinates are in order")
		}
	})
}

func TestMatMul(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device) {
		each(t, dev, func(t *testing.T, m sparse.Matrix, dense *nd.Array) {
			rows, cols := m.Shape()
			for _, n := range []int{0, 1, 5} {
				same(t, "m x", sparse.MatMul(m, random(2, dev, cols, n)), ops.MatMul(dense, random(2, dev, cols, n)))
				same(t, "x m", sparse.DenseMatMul(random(3, dev, n, rows), m), ops.MatMul(random(3, dev, n, rows), dense))
			}
			v, w := random(4, dev, 1, cols).Reshape(cols), random(4, dev, rows, 1).Reshape(rows)
			same(t, "m v", sparse.MatMul(m, v), ops.MatMul(dense, v))
			same(t, "w m", sparse.DenseMatMul(w, m), ops.MatMul(w, dense))
			strided := random(5, dev, 4, cols).T()
			same(t, "m x, strided", sparse.MatMul(m, strided), ops.MatMul(dense, strided))
			for _, n := range []int{0, 6} {
				other := random(6, dev, cols, n)
				for name, b := range formats(sparse.FromDense(other)) {
					same(t, "m times "+name, sparse.SparseMatMul(m, b).ToDense(), ops.MatMul(dense, other))
				}
			}
		})
		a, dense := repeated(dev)
		same(t, "repeated coordinates of both", sparse.SparseMatMul(a, a).ToDense(), ops.MatMul(dense, dense))
	})
}

func TestMatMulPromotes(t *testing.T) {
	m := sparse.FromDense(nd.FromSlice([]float32{0, 2, 1, 0}, 2, 2))
	for _, test := range []struct {
		x    *nd.Array
		want dtype.DType
	}{
		{nd.FromSlice([]float32{1, 2}), dtype.Float32},
		{nd.FromSlice([]int64{1, 2}), dtype.Float64},
		{nd.FromSlice([]complex64{1i, 2}), dtype.Complex64},
	} {
		y := sparse.MatMul(m, test.x)
		if y.DType() != test.want {
			t.Errorf("%s gives %s", test.x.DType(), y.DType())
		}
		same(t, "product", y, ops.MatMul(m.ToDense(), test.x))
	}
}

func TestElementwise(t *testing.T) {
	check := func(t *testing.T, m *sparse.CSR, dense *nd.Array) {
		for name, f := range map[string][2]func() *nd.Array{
			"Absolute": {sparse.Absolute(m).ToDense, func() *nd.Array { return ops.Absolute(dense) }},
			"Sign":     {sparse.Sign(m).ToDense, func() *nd.Array { return ops.Sign(dense) }},
			"Square":   {sparse.Square(m).ToDense, func() *nd.Array { return ops.Square(dense) }},
			"Sqrt":     {sparse.Sqrt(sparse.Absolute(m)).ToDense, func() *nd.Array { return ops.Sqrt(ops.Absolute(dense)) }},
			"Sin":      {sparse.Sin(m).ToDense, func() *nd.Array { return ops.Sin(dense) }},
			"Tan":      {sparse.Tan(m).ToDense, func() *nd.Array { return ops.Tan(dense) }},
			"Arcsin":   {sparse.Arcsin(m).ToDense, func() *nd.Array { return ops.Arcsin(dense) }},
			"Arctan":   {sparse.Arctan(m).ToDense, func() *nd.Array { return ops.Arctan(dense) }},
			"Sinh":     {sparse.Sinh(m).ToDense, func() *nd.Array { return ops.Sinh(dense) }},
			"Tanh":     {sparse.Tanh(m).ToDense, func() *nd.Array { return ops.Tanh(dense) }},
			"Arcsinh":  {sparse.Arcsinh(m).ToDense, func() *nd.Array { return ops.Arcsinh(dense) }},
			"Arctanh":  {sparse.Arctanh(m).ToDense, func() *nd.Array { return ops.Arctanh(dense) }},
			"Expm1":    {sparse.Expm1(m).ToDense, func() *nd.Array { return ops.Expm1(dense) }},
			"Log1p":    {sparse.Log1p(m).ToDense, func() *nd.Array { return ops.Log1p(dense) }},
			"Floor":    {sparse.Floor(m).ToDense, func() *nd.Array { return ops.Floor(dense) }},
			"Ceil":     {sparse.Ceil(m).ToDense, func() *nd.Array { return ops.Ceil(dense) }},
			"Rint":     {sparse.Rint(m).ToDense, func() *nd.Array { return ops.Rint(dense) }},
			"Trunc":    {sparse.Trunc(m).ToDense, func() *nd.Array { return ops.Trunc(dense) }},
			"Deg2Rad":  {sparse.Deg2Rad(m).ToDense, func() *nd.Array { return ops.Deg2Rad(dense) }},
			"Rad2Deg":  {sparse.Rad2Deg(m).ToDense, func() *nd.Array { return ops.Rad2Deg(dense) }},
			"ReLU":     {sparse.ReLU(m).ToDense, func() *nd.Array { return ops.ReLU(dense) }},
			"Power":    {sparse.Power(m, nd.Scalar(3)).ToDense, func() *nd.Array { return ops.Power(dense, 3) }},
			"AsType":   {sparse.AsType(m, dtype.Int32).ToDense, func() *nd.Array { return dense.AsType(dtype.Int32) }},
			"Negative": {sparse.Negative(m).ToDense, func() *nd.Array { return ops.Negative(dense) }},
			"Multiply": {sparse.Multiply(m, nd.Scalar(2)).ToDense, func() *nd.Array { return ops.Multiply(dense, 2) }},
			"Divide":   {sparse.Divide(m, nd.Scalar(2)).ToDense, func() *nd.Array { return ops.Divide(dense, 2) }},
		} {
			same(t, name, f[0](), f[1]())
		}
	}
	onDevices(t, func(t *testing.T, dev device.Device) {
		each(t, dev, func(t *testing.T, m sparse.Matrix, dense *nd.Array) { check(t, m.ToCSR(), dense) })
		// repeated coordinates, which functions that are not linear add up first
		data := nd.FromSlice([]float64{0.5, 0.25, -0.75}).To(dev)
		at := nd.FromSlice([]int{1, 1, 0}).To(dev)
		m := sparse.NewCSR(data, at, nd.FromSlice([]int{0, 2, 3}).To(dev), 2, 2)
		check(t, m, m.ToDense())
		same(t, "the transpose", sparse.Square(m.T()).ToDense(), ops.Square(m.ToDense().T()))
		same(t, "the list", sparse.Square(m.ToCOO()).ToDense(), ops.Square(m.ToDense()))
	})
}

func TestMultiplyByArrays(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device) {
		each(t, dev, func(t *testing.T, m sparse.Matrix, dense *nd.Array) {
			rows, cols := m.Shape()
			for name, v := range map[string]*nd.Array{
				"all": random(7, dev, rows, cols), "a row": random(7, dev, 1, cols).Reshape(cols),
				"a column": random(7, dev, rows, 1), "a number": nd.Full(nil, 1.5).To(dev),
			} {
				same(t, name, sparse.Multiply(m.ToCOO(), v).ToDense(), ops.Multiply(dense, v))
				positive := ops.Add(ops.Absolute(v), 1)
				same(t, name, sparse.Divide(m.ToCSC(), positive).ToDense(), ops.Divide(dense, positive))
			}
		})
		z := nd.FromSlice([]complex128{0, 1 + 2i, -1i, 0}, 2, 2).To(dev)
		same(t, "Conj", sparse.Conj(sparse.FromDense(z)).ToDense(), ops.Conj(z))
	})
}

func TestSumsAndMatrixSums(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device) {
		each(t, dev, func(t *testing.T, m sparse.Matrix, dense *nd.Array) {
			same(t, "Sum", sparse.Sum(m), ops.Sum(dense))
			for _, axis := range []int{0, 1, -1, -2} {
				same(t, fmt.Sprint("Sum along ", axis), sparse.Sum(m, ops.Over(axis)), ops.Sum(dense, ops.Over(axis)))
			}
			rows, cols := m.Shape()
			other := random(8, dev, rows, cols)
			b := sparse.FromDense(other)
			same(t, "Add", sparse.Add(m, b).ToDense(), ops.Add(dense, other))
			same(t, "Add a CSC", sparse.Add(b.ToCSC(), m).ToDense(), ops.Add(other, dense))
			same(t, "Subtract", sparse.Subtract(m, b).ToDense(), ops.Subtract(dense, other))
		})
		m := sparse.FromDense(nd.FromSlice([]int8{100, 0, 100, 100}, 2, 2).To(dev))
		same(t, "a wide sum", sparse.Sum(m, ops.Over(1)), nd.FromSlice([]int64{100, 200}).To(dev))
	})
}

func TestParts(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device) {
		each(t, dev, func(t *testing.T, matrix sparse.Matrix, dense *nd.Array) {
			m := matrix.ToCSR()
			for start := 0; start <= min(m.Rows, 4); start++ {
				for stop := start; stop <= min(m.Rows, 5); stop++ {
					same(t, "SliceRows", sparse.SliceRows(m, start, stop).ToDense(), dense.Index(nd.Span(start, stop)))
				}
			}
			for start := 0; start <= min(m.Cols, 4); start++ {
				for stop := start; stop <= min(m.Cols, 5); stop++ {
					part := sparse.SliceColumns(m, start, stop)
					same(t, "SliceColumns", part.ToDense(), dense.Index(nd.All(), nd.Span(start, stop)))
					same(t, "its conversion", part.ToCSC().ToDense(), dense.Index(nd.All(), nd.Span(start, stop)))
				}
			}
			for _, rows := range [][]int{{}, {0}, {1, 1, 0, 2, 1}} {
				if len(rows) > 0 && m.Rows < 3 {
					continue
				}
				at := nd.FromSlice(rows).To(dev)
				same(t, "TakeRows", sparse.TakeRows(m, at).ToDense(), dense.Index(nd.Pick(at)))
			}
		})
		same(t, "Identity", sparse.Identity(3, nd.ArrayOptions{Device: dev}).ToDense(), nd.Identity(3).To(dev))
	})
}

func TestRowSparse(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device) {
		x := nd.FromSlice([]float64{0, 0, 1, 2, 0, 0, 0, 3}, 4, 2).To(dev)
		m := sparse.RowsFromDense(x)
		if got := fmt.Sprint(m.Indices, m.Shape(), m.DType()); got != "[1 3] [4 2] float64" {
			t.Error(got)
		}
		same(t, "ToDense", m.ToDense(), x)
		kept := m.Retain(nd.FromSlice([]int{3, 0}).To(dev))
		same(t, "Retain", kept.Data, nd.FromSlice([]float64{0, 3}, 1, 2).To(dev))
		same(t, "of the rows", kept.Indices, nd.FromSlice([]int{3}).To(dev))
		same(t, "of none", m.Retain(nd.Zeros([]int{0}, nd.ArrayOptions{DType: dtype.Int64, Device: dev})).ToDense(), nd.ZerosLike(x))
		twice := sparse.NewRowSparse(nd.FromSlice([]float64{1, 2, 3, 4}, 2, 2).To(dev), nd.FromSlice([]int32{1, 1}).To(dev), 2)
		same(t, "a row stored twice", twice.ToDense(), nd.FromSlice([]float64{0, 0, 4, 6}, 2, 2).To(dev))
		vector := sparse.RowsFromDense(nd.FromSlice([]float64{0, 5, 0}).To(dev))
		same(t, "a vector", vector.ToDense(), nd.FromSlice([]float64{0, 5, 0}).To(dev))
	})
}
