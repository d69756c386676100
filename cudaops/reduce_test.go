package cudaops

import (
	"bytes"
	"fmt"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// TestCuts checks that all parts except the last have the same length, that the last part is not empty, and that the
// number of parts is within the limit.
func TestCuts(t *testing.T) {
	for _, inner := range []int{0, 1, 3, 4, 5, 8, 9, 63, 64, 65, 128, 1000, 1024, 1025, 2048, 8192, 8193, 1 << 20, 1<<24 + 5, 1 << 31} {
		c := cutsOf(inner)
		if c.lanes&(c.lanes-1) != 0 || c.lanes > 32 || c.lanes < 32 && c.lanes*4 < inner {
			t.Errorf("%d values have %d lanes", inner, c.lanes)
		}
		if c.parts > mostCuts || c.parts*c.length < inner || (c.parts-1)*c.length >= max(inner, 1) || c.parts > 1 && c.length%128 != 0 {
			t.Errorf("%d values are split into %d parts of %d", inner, c.parts, c.length)
		}
		for _, outer := range []int{1, 3, 511, 512, 1 << 20} {
			if columns := c.columnsOf(outer); threads%columns != 0 || threads/columns > c.lanes {
				t.Errorf("%d values of %d outputs: blocks have %d columns", inner, outer, columns)
			}
		}
	}
}

// TestReductionsKeepTheirOrder checks that the bits of a sum depend only on the number of values. They must not depend
// on the layout, on whether a block processes rows or columns, on whether packs can be read, or on whether the program
// is interpreted or read directly.
func TestReductionsKeepTheirOrder(t *testing.T) {
	d := gpu(t, "cuda:0")
	before := d.printing
	d.printing = printNever
	defer func() { d.printing = before }()
	reductions(t, d)
}

func reductions(t *testing.T, d device.Device) {
	identity := identities()[dtype.Float32]
	twice := &device.Program{Name: "twice half", Inputs: identity.Inputs, Outputs: identity.Outputs, Results: []device.Reg{2},
		Code: []device.Inst{{Op: device.OpInput, Type: dtype.Float32}, {Op: device.OpConst, Type: dtype.Float32, Value: device.Scalar{Re: 1}},
			{Op: device.OpMul, Type: dtype.Float32, A: 0, B: 1}}}
	for _, shape := range [][2]int{{5, 3}, {40, 10}, {300, 33}, {7, 64}, {600, 100}, {3, 1000}, {9, 1025}, {40, 9000}, {520, 1100}, {2, 70_000}, {1, 300_000}} {
		outer, inner := shape[0], shape[1]
		values := make([]float32, outer*inner)
		for i := range values {
			values[i] = float32(i%977)*1e-3 + float32(i%13)*1e5
		}
		var want []byte
		for _, way := range []struct {
			name          string
			offset        int
			row, column   int // strides
			program       *device.Program
			columns, pack bool
		}{
			{"rows", 0, inner, 1, identity, false, inner%4 == 0 || outer == 1},
			{"rows from an odd address", 5, inner, 1, identity, false, false},
			{"columns", 0, 1, outer, identity, outer > 1, outer == 1},
			{"interpreted rows", 0, inner, 1, twice, false, false},
			{"interpreted columns", 3, 1, outer, twice, outer > 1, false},
		} {
			name := fmt.Sprintf("%v, %s", shape, way.name)
			x := d.Alloc(4 * (len(values) + 8))
			y := d.Alloc(4 * outer)
			laid := make([]float32, len(values)+8)
			for o := range outer {
				for v := range inner {
					laid[way.offset+o*way.row+v*way.column] = values[o*inner+v]
				}
			}
			d.CopyIn(x, 0, unsafe.Slice((*byte)(unsafe.Pointer(&laid[0])), 4*len(laid)))
			l := device.NewLaunch()
			l.Rank, l.N, l.Outputs, l.Program, l.Combine, l.Reduced = 2, 2, 1, way.program, device.CombineSum, 1
			l.Shape[0], l.Shape[1] = outer, inner
			l.Operands[0] = device.Operand{Memory: y, DType: dtype.Float32}
			l.Operands[0].Strides[0] = 1
			l.Operands[1] = device.Operand{Memory: x, DType: dtype.Float32, Offset: way.offset}
			l.Operands[1].Strides[0], l.Operands[1].Strides[1] = way.row, way.column
			r := reductionOf(l)
			if r.columns > 0 != way.columns && outer != 1 {
				t.Errorf("%s: %d columns", name, r.columns)
			}
			if got := r.direct() == directPacks; way.program == identity && got != way.pack {
				t.Errorf("%s: packs are read: %v", name, got)
			}
			d.Reduce(l)
			got := make([]byte, 4*outer)
			d.CopyOut(got, y, 0)
			if want == nil {
				want = got
			} else if !bytes.Equal(got, want) {
				t.Errorf("%s: the bits differ from those by rows", name)
			}
			l.Recycle()
			d.Free(x)
			d.Free(y)
		}
	}
}
