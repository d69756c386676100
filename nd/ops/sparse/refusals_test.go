package sparse_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/sparse"
)

func TestRefusals(t *testing.T) {
	floats := func(v ...float64) *nd.Array { return nd.FromSlice(v) }
	ints := func(v ...int) *nd.Array { return nd.FromSlice(v) }
	ref, err := device.Get("ref")
	if err != nil {
		t.Fatal(err)
	}
	m := sparse.FromDense(nd.FromSlice([]float64{0, 1, 2, 3, 0, 0}, 2, 3))
	for name, test := range map[string]struct {
		f    func()
		says string
	}{
		"bool data":             {func() { sparse.NewCSR(floats(1).AsType(dtype.Bool), ints(0), ints(0, 1), 1, 1) }, "numbers"},
		"dense bools":           {func() { sparse.FromDense(nd.Ones([]int{2, 2}, dtype.Bool)) }, "numbers"},
		"data of two axes":      {func() { sparse.NewCSR(nd.Ones([]int{1, 1}), ints(0), ints(0, 1), 1, 1) }, "one axis"},
		"too few elements":      {func() { sparse.NewCSR(floats(1), ints(0, 1), ints(0, 2), 1, 2) }, "1 elements for 2 indices"},
		"short indptr":          {func() { sparse.NewCSR(floats(1), ints(0), ints(0, 1), 2, 1) }, "indptr"},
		"indptr that decreases": {func() { sparse.NewCSR(floats(1, 2), ints(0, 0), ints(0, 2, 1, 2), 3, 1) }, "decrease"},
		"indptr from 1":         {func() { sparse.NewCSR(floats(1), ints(0), ints(1, 1), 1, 1) }, "from 1 to 1"},
		"indptr to 3":           {func() { sparse.NewCSR(floats(1), ints(0), ints(0, 3), 1, 1) }, "from 0 to 3"},
		"a large column":        {func() { sparse.NewCSR(floats(1), ints(2), ints(0, 1), 1, 2) }, "from 2 to 2"},
		"a negative column":     {func() { sparse.NewCSC(floats(1), ints(-1), ints(0, 1), 2, 1) }, "from -1"},
		"float indices":         {func() { sparse.NewCSR(floats(1), floats(0), ints(0, 1), 1, 1) }, "integers"},
		"uint64 indices":        {func() { sparse.NewCSR(floats(1), ints(0).AsType(dtype.Uint64), ints(0, 1), 1, 1) }, "int64"},
		"negative rows":         {func() { sparse.NewCOO(floats(), ints(), ints(), -1, 2) }, "-1 rows"},
		"a row too many":        {func() { sparse.NewCOO(floats(1), ints(2), ints(0), 2, 2) }, "rows"},
		"uneven coordinates":    {func() { sparse.NewCOO(floats(1), ints(0), ints(0, 0), 2, 2) }, "columns"},
		"a vector":              {func() { sparse.FromDense(floats(1)) }, "two axes"},
		"two devices":           {func() { sparse.NewCSR(floats(1).To(ref), ints(0), ints(0, 1), 1, 1) }, "devices"},
		"other data":            {func() { m.WithData(floats(1)) }, "1 elements for 3 indices"},
		"other device":          {func() { m.WithData(floats(1, 2, 3).To(ref)) }, "devices"},
		"product shapes":        {func() { sparse.MatMul(m, floats(1, 2)) }, "3 and 2"},
		"product of a cube":     {func() { sparse.MatMul(m, nd.Ones([]int{3, 1, 1})) }, "one axis or two"},
		"product of a number":   {func() { sparse.MatMul(m, nd.Scalar(1)) }, "one axis or two"},
		"number times matrix":   {func() { sparse.DenseMatMul(nd.Scalar(1), m) }, "one axis or two"},
		"product devices":       {func() { sparse.MatMul(m, floats(1, 2, 3).To(ref)) }, "devices"},
		"sparse product":        {func() { sparse.SparseMatMul(m, m) }, "columns"},
		"sum of shapes":         {func() { sparse.Add(m, m.T()) }, "one shape"},
		"axis":                  {func() { sparse.Sum(m, ops.Over(2)) }, "axis 2"},
		"power 0":               {func() { sparse.Power(m, nd.Scalar(0)) }, "positive"},
		"power -1":              {func() { sparse.Power(m, nd.Scalar(-1.0)) }, "positive"},
		"powers":                {func() { sparse.Power(m, floats(1, 2, 3)) }, "positive"},
		"factors":               {func() { sparse.Multiply(m, floats(1, 2)) }, "broadcast"},
		"too many factors":      {func() { sparse.Multiply(m, nd.Ones([]int{2, 2, 3})) }, "broadcast"},
		"map":                   {func() { sparse.Map(m, func(x *nd.Array) *nd.Array { return ops.Sum(x) }) }, "one axis"},
		"slice":                 {func() { sparse.SliceRows(m, 1, 3) }, "0 to 2"},
		"slice backwards":       {func() { sparse.SliceColumns(m, 2, 1) }, "0 to 3"},
		"rows":                  {func() { sparse.TakeRows(m, ints(0, 2)) }, "below 2"},
		"nil":                   {func() { sparse.MatMul(nil, floats(1)) }, "nil"},
		"nil CSR":               {func() { sparse.SliceRows(nil, 0, 0) }, "nil"},
		"nil CSC":               {func() { (*sparse.CSC)(nil).ToDense() }, "nil"},
		"nil COO":               {func() { (*sparse.COO)(nil).ToDense() }, "nil"},
		"nil data":              {func() { sparse.NewCSR(nil, ints(0), ints(0, 1), 1, 1) }, "nil"},
		"row indices":           {func() { sparse.NewRowSparse(nd.Ones([]int{2, 3}), ints(0, 4), 4) }, "below 4"},
		"rows of a number":      {func() { sparse.NewRowSparse(nd.Ones(nil), ints(), 4) }, "one axis"},
		"rows of bools":         {func() { sparse.RowsFromDense(nd.Ones([]int{2}, dtype.Bool)) }, "numbers"},
		"retain":                {func() { sparse.RowsFromDense(nd.Ones([]int{2, 2})).Retain(ints(2)) }, "below 2"},
	} {
		err := nd.Catch(test.f)
		var misuse *nd.Error
		if !errors.As(err, &misuse) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, want an error that contains %q", name, err, test.says)
		}
	}
}
