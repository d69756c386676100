package cudaops

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"

	_ "github.com/ndgrad/ndgrad/device/cpu"
)

// These tests cover what the compliance suite, whose arrays are small, does not reach: every method of processing rows,
// compared with the CPU, and different layouts and types of the operands, which must not change a bit of the results.

// operandOrder is the memory layout of the operands of a launch.
type operandOrder int

const (
	inRows    operandOrder = iota // in row-major order, without gaps
	displaced                     // the same, but 5 elements further
	inColumns                     // the first axis has the smallest stride
)

// values describes an operand: the axes of the loop along which it varies, and its numbers in row-major order. Without
// axes the operand is missing.
type values struct {
	axes   []int
	dtype  dtype.DType         // 0 for the type of the launch
	number func(i int) float64 // returns the element with a number; nil for results
}

// rowsCase is a kernel with its operands; the results come first.
type rowsCase struct {
	kernel   func(device.Device, *device.Launch)
	set      func(*device.Launch)
	loop     []int
	outputs  int
	operands []values
	near     float64 // tolerance in float32 epsilons
}

// eachElement calls visit with the number and the offset of each element of an operand.
func (c rowsCase) eachElement(o values, lie operandOrder, visit func(i, at int)) (strides [device.MaxRank]int) {
	order, shape := slices.Clone(o.axes), []int{}
	if lie != inColumns {
		slices.Reverse(order)
	}
	step := 1
	for _, axis := range order {
		strides[axis] = step
		step *= c.loop[axis]
	}
	for _, axis := range o.axes {
		shape = append(shape, c.loop[axis])
	}
	for i := range broadcast.Size(shape) {
		at, rest := 0, i
		for k := len(shape) - 1; k >= 0; k-- {
			at += rest % shape[k] * strides[o.axes[k]]
			rest /= shape[k]
		}
		visit(i, at)
	}
	return strides
}

// run returns the results for elements of a type and a layout, and the fault.
func (c rowsCase) run(d device.Device, of dtype.DType, lie operandOrder) (results [][]float64, fault error) {
	l := device.NewLaunch()
	defer l.Recycle()
	l.Func, l.Rank, l.N, l.Outputs = "test", copy(l.Shape[:], c.loop), len(c.operands), c.outputs
	offset := 0
	if lie == displaced {
		offset = 5
	}
	blocks := make([][]byte, l.N)
	for k, o := range c.operands {
		l.Operands[k] = device.Operand{DType: of}
		if o.axes == nil {
			continue
		}
		at := &l.Operands[k]
		if o.dtype != 0 {
			at.DType = o.dtype
		}
		last := offset
		at.Strides = c.eachElement(o, lie, func(_, i int) { last = max(last, offset+i) })
		at.Offset = offset
		size := at.DType.Size()
		blocks[k] = make([]byte, (last+1)*size)
		if o.number != nil {
			c.eachElement(o, lie, func(i, element int) { storeNumber(blocks[k][(offset+element)*size:], at.DType, o.number(i)) })
		}
		at.Memory = d.Alloc(len(blocks[k]))
		d.CopyIn(at.Memory, 0, blocks[k])
	}
	c.set(l)
	c.kernel(d, l)
	fault = d.Synchronize()
	for k, o := range c.operands {
		if o.axes == nil {
			continue
		}
		if k < c.outputs {
			d.CopyOut(blocks[k], l.Operands[k].Memory, 0)
			y := []float64{}
			c.eachElement(o, lie, func(_, at int) { y = append(y, loadNumber(blocks[k][(offset+at)*of.Size():], of)) })
			results = append(results, y)
		}
		d.Free(l.Operands[k].Memory)
	}
	return results, fault
}

func storeNumber(to []byte, t dtype.DType, x float64) {
	p := unsafe.Pointer(unsafe.SliceData(to))
	switch t {
	case dtype.BFloat16:
		*(*dtype.BF16)(p) = dtype.BFloat16FromFloat64(x)
	case dtype.Float32:
		*(*float32)(p) = float32(x)
	case dtype.Int64:
		*(*int64)(p) = int64(x)
	case dtype.Bool:
		*(*bool)(p) = x != 0
	default:
		*(*float64)(p) = x
	}
}

func loadNumber(from []byte, t dtype.DType) float64 {
	p := unsafe.Pointer(unsafe.SliceData(from))
	switch t {
	case dtype.BFloat16:
		return float64((*(*dtype.BF16)(p)).Float32())
	case dtype.Float32:
		return float64(*(*float32)(p))
	}
	return *(*float64)(p)
}

// drawn is an operand of random numbers within 2 of around, which bfloat16 represents exactly.
func drawn(seed uint64, around float64, axes ...int) values {
	return values{axes: axes, number: func(i int) float64 {
		hash := (uint64(i) + seed<<32) * 0x9e3779b97f4a7c15
		return float64(dtype.BFloat16FromFloat64(around + float64(int64(hash^hash>>31))*0x1p-62).Float32())
	}}
}

func result(axes ...int) values { return values{axes: axes} }

func nothing(*device.Launch) {}

// rowsCases returns the cases by name.
func rowsCases() map[string]rowsCase {
	cases := map[string]rowsCase{}
	for _, n := range []int{10, 16, 133, 516, 1000, 4100, 8192, 8196, 9001} {
		loop := []int{3, n}
		x, gy := drawn(1, 0, 0, 1), drawn(2, 0, 0, 1)
		probabilities := values{axes: []int{0, 1}, number: func(i int) float64 { return math.Ldexp(float64(i%64), -6-bits.Len(uint(n))) }}
		labels := values{axes: []int{0}, dtype: dtype.Int64, number: func(i int) float64 { return float64(i*(n-1)/2 - i%2) }}
		for _, log := range []bool{false, true} {
			set := func(l *device.Launch) { l.Log = log }
			cases[fmt.Sprint("Softmax ", n, log)] = rowsCase{device.Device.Softmax, set, loop, 1, []values{result(0, 1), x}, 64}
			cases[fmt.Sprint("SoftmaxGrad ", n, log)] = rowsCase{device.Device.SoftmaxGrad, set, loop, 1, []values{result(0, 1), probabilities, gy}, 1024}
		}
		ignore := func(l *device.Launch) { l.Ignore = -1 }
		cases[fmt.Sprint("CrossEntropy ", n)] = rowsCase{device.Device.CrossEntropy, ignore, loop, 1, []values{result(0), x, labels}, 64}
		cases[fmt.Sprint("CrossEntropyGrad ", n)] = rowsCase{device.Device.CrossEntropyGrad, ignore, loop, 1,
			[]values{result(0, 1), x, labels, drawn(3, 1, 0)}, 64}
	}
	// Layers with rows that are kept in registers and with longer ones; batches with channels whose rows are read in
	// fours and with others; groups of channels.
	for name, c := range map[string]struct {
		loop    []int
		reduced int
		gamma   []int
	}{
		"layer of 10":     {[]int{70, 10}, 1, []int{1}},
		"layer of 64":     {[]int{300, 64}, 1, []int{1}},
		"layer of 1000":   {[]int{3, 1000}, 1, []int{1}},
		"layer of 8192":   {[]int{2, 8192}, 1, []int{1}},
		"layer of 8196":   {[]int{2, 8196}, 1, []int{1}},
		"layer of 33000":  {[]int{2, 33_000}, 1, []int{1}},
		"batch of 7·7":    {[]int{3, 20, 49}, 2, []int{0}},
		"batch of 14·14":  {[]int{3, 20, 196}, 2, []int{0}},
		"batch of 49·401": {[]int{2, 401, 49}, 2, []int{0}},
		"batch of 4·5000": {[]int{2, 5000, 4}, 2, []int{0}},
		"groups":          {[]int{50, 2, 3, 16}, 2, []int{1, 2}},
		"groups of 9·3":   {[]int{50, 2, 9, 3}, 2, []int{1, 2}},
		"channels":        {[]int{5, 3, 4000}, 1, []int{1}},
	} {
		rank := len(c.loop)
		all, kept := make([]int, rank), make([]int, rank-c.reduced)
		for axis := range all {
			all[axis] = axis
		}
		copy(kept, all)
		set := func(l *device.Launch) { l.Reduced, l.Eps = c.reduced, 0.01 }
		x, gamma := drawn(4, 50, all...), drawn(5, 1, c.gamma...)
		cases["Normalize, "+name] = rowsCase{device.Device.Normalize, set, c.loop, 3,
			[]values{result(all...), result(kept...), result(kept...), x, gamma, drawn(6, 0, c.gamma...)}, 400}
		variance := values{axes: kept, number: func(i int) float64 { return 1 + float64(i%4)/4 }}
		cases["NormalizeGrad, "+name] = rowsCase{device.Device.NormalizeGrad, set, c.loop, 3,
			[]values{result(all...), result(c.gamma...), result(c.gamma...), x, gamma, drawn(7, 50, kept...), variance, drawn(8, 0, all...)}, 4000}
	}
	return cases
}

// TestRows compares the results with those of the CPU, and the results of all layouts and types with one another.
func TestRows(t *testing.T) {
	d := gpu(t, "cuda:0")
	cpu, err := device.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range rowsCases() {
		results := func(dev device.Device, of dtype.DType, lie operandOrder) [][]float64 {
			y, err := c.run(dev, of, lie)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return y
		}
		for _, of := range []dtype.DType{dtype.Float32, dtype.Float64} {
			got, want := results(d, of, inRows), results(cpu, of, inRows)
			for k := range want {
				for i, v := range want[k] {
					if limit := c.near * dtype.Info(of).Eps * (1 + math.Abs(v)); !(math.Abs(got[k][i]-v) <= limit) {
						t.Fatalf("%s of %s: element %d of result %d is %g, want %g (within %g)", name, of, i, k, got[k][i], v, limit)
					}
				}
			}
			for _, lie := range []operandOrder{displaced, inColumns} {
				if !slices.EqualFunc(results(d, of, lie), got, slices.Equal) {
					t.Errorf("%s of %s depends on the layout of the operands (%d)", name, of, lie)
				}
			}
		}
		want, got := results(d, dtype.Float32, inRows), results(d, dtype.BFloat16, inRows)
		for k := range want {
			for i, v := range want[k] {
				if rounded := float64(dtype.BFloat16FromFloat64(v).Float32()); got[k][i] != rounded {
					t.Fatalf("%s: element %d of result %d is %g for bfloat16, but %g for float32", name, i, k, got[k][i], v)
				}
			}
		}
		if !slices.EqualFunc(results(d, dtype.BFloat16, displaced), got, slices.Equal) {
			t.Errorf("%s of bfloat16 depends on the layout of the operands", name)
		}
	}
}

// TestManyLabels has so many labels that they are checked before the kernel runs. The first label out of range is
// reported, and nothing is written.
func TestManyLabels(t *testing.T) {
	d := gpu(t, "cuda:0")
	const rows, classes = 3 * mostAlone, 4
	for _, n := range []int{mostAlone, rows} {
		labels := values{axes: []int{0}, dtype: dtype.Int64, number: func(i int) float64 {
			switch i {
			case n - 300:
				return -7
			case n - 1:
				return classes
			}
			return float64(i % classes)
		}}
		c := rowsCase{device.Device.CrossEntropy, nothing, []int{n, classes}, 1, []values{result(0), drawn(1, 0, 0, 1), labels}, 0}
		y, err := c.run(d, dtype.Float32, inRows)
		var index *device.IndexError
		if !errors.As(err, &index) || index.Index != -7 || index.Size != classes {
			t.Errorf("%d rows: the fault is %v", n, err)
		}
		if slices.ContainsFunc(y[0], func(v float64) bool { return v != 0 }) {
			t.Errorf("%d rows: results were written", n)
		}
	}
}

// TestAttentionInParts compares attention whose scores do not fit the scratch memory with attention whose scores do,
// with a bool mask.
func TestAttentionInParts(t *testing.T) {
	d := gpu(t, "cuda:0")
	mask := values{axes: []int{0, 2, 3}, dtype: dtype.Bool, number: func(i int) float64 { return float64(i % 3) }}
	for _, causal := range []bool{false, true} {
		c := rowsCase{device.Device.Attention, func(l *device.Launch) { l.Scale, l.Causal = 0.5, causal }, []int{2, 3, 20, 12, 8, 5}, 2,
			[]values{result(0, 1, 2, 5), result(0, 1, 2, 3), drawn(1, 0, 0, 1, 2, 4), drawn(2, 0, 1, 3, 4), drawn(3, 0, 0, 3, 5), mask}, 0}
		run := func(limit int) [][]float64 {
			defer func(before int) { scoreBytes = before }(scoreBytes)
			scoreBytes = limit
			y, err := c.run(d, dtype.Float64, inRows)
			if err != nil {
				t.Fatal(err)
			}
			return y
		}
		want := run(scoreBytes)
		for _, limit := range []int{8 * 3 * 20 * 12, 8 * 20 * 12, 8 * 12 * 7, 1} {
			if !slices.EqualFunc(run(limit), want, slices.Equal) {
				t.Errorf("causal %v, %d bytes at a time: the results differ", causal, limit)
			}
		}
	}
}
