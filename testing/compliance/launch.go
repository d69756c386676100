package compliance

import (
	"errors"
	"fmt"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// call is one launch of a kernel. Operands that have the same block in host memory share a block on the device.
type call struct {
	kernel  func(device.Device, *device.Launch)
	loop    []int
	outputs []*array // nil for an operand without memory
	inputs  []*array
	where   *array
	set     func(*device.Launch) // attributes of the kernel
	fresh   bool                 // outputs are not compared if the launch ends with an index error
	work    int                  // steps of the naive loop per point; 0 means 1

	close closeness // nil means same
	count *int      // if the kernel returns a count, only so many elements of the outputs are compared
}

// outcome is the content of the blocks after a call, and the index error of the call.
type outcome struct {
	blocks map[*byte][]byte
	err    *device.IndexError
}

// check makes the call on both devices and compares.
func (s *suite) check(c call, format string, args ...any) {
	s.Helper()
	if s.settings != nil {
		s.checkSettings(c, format, args...)
		return
	}
	want := s.launch(s.reference, c)
	wantCount := c.counted()
	got := s.launch(s.dev, c)
	if message := c.compare(got, want, c.counted(), wantCount); message != "" {
		s.Fatalf("%s: %s\n%s", fmt.Sprintf(format, args...), message, c)
	}
}

func (c call) counted() int {
	if c.count == nil {
		return -1
	}
	return *c.count
}

// operands returns the operands in the kernel's order.
func (c call) operands() []*array {
	all := append(append([]*array(nil), c.outputs...), c.inputs...)
	if c.where != nil {
		all = append(all, c.where)
	}
	return all
}

// String describes the operands.
func (c call) String() string {
	text := fmt.Sprintf("loop %v", c.loop)
	for k, a := range c.operands() {
		if a == nil {
			text += fmt.Sprintf("\n  operand %d: none", k)
			continue
		}
		text += fmt.Sprintf("\n  operand %d: %s, offset %d, strides %v, len %d", k, a.dtype, a.Offset, a.loop, a.len)
	}
	return text
}

// launch makes the call on one device. It skips the test if the device lacks the kernel.
func (s *suite) launch(dev device.Device, c call) outcome {
	s.Helper()
	s.spendSteps(c)
	if signature := c.signature(); signature != nil {
		if message := c.mismatch(signature); message != "" {
			s.Fatalf("the signature %v: %s\n%s", *signature, message, c)
		}
	}
	out, err := c.runOn(dev, dev != s.reference)
	var unsupported *device.Unsupported
	switch {
	case errors.As(err, &unsupported):
		s.Skipf("the device has no kernel %s", unsupported.Kernel)
	case errors.As(err, &out.err):
	case err != nil:
		s.Fatal(err)
	}
	return out
}

// runOn makes the call and returns the kernel's panic as an error. If spoilt is set, attributes that the kernel's
// signature does not have hold garbage.
func (c call) runOn(dev device.Device, spoilt bool) (out outcome, err error) {
	memories := map[*byte]device.Memory{}
	l := device.NewLaunch()
	for k := range l.Shape { // entries beyond the rank must not matter
		l.Shape[k] = -7
	}
	l.Rank = copy(l.Shape[:], c.loop)
	for k, a := range c.operands() {
		l.N++
		l.Operands[k] = device.Operand{}
		if a == nil {
			continue
		}
		m, ok := memories[&a.block[0]]
		if !ok {
			m = dev.Alloc(len(a.block))
			defer dev.Free(m)
			dev.CopyIn(m, 0, a.block)
			memories[&a.block[0]] = m
		}
		o := &l.Operands[k]
		o.Memory, o.DType, o.Offset, o.Len = m, a.dtype, a.Offset, a.len
		for axis := range o.Strides {
			o.Strides[axis] = 11
		}
		copy(o.Strides[:], a.loop)
	}
	l.Outputs = len(c.outputs)
	if c.where != nil {
		l.Where = l.N - 1
	}
	if c.set != nil {
		c.set(l)
	}
	if signature := c.signature(); spoilt && signature != nil {
		spoil(l, signature)
	}
	err = protect(func() { c.kernel(dev, l) })
	l.Recycle()
	if fault := dev.Synchronize(); err == nil {
		err = fault
	}
	out.blocks = map[*byte][]byte{}
	for first, m := range memories {
		out.blocks[first] = newBlock(m.Size)
		dev.CopyOut(out.blocks[first], m, 0)
	}
	return out, err
}

// protect converts the panics that a kernel may have to errors.
func protect(f func()) (err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *device.Unsupported:
			err = e
		case *device.IndexError:
			err = e
		case *device.MatrixError:
			err = e
		case *device.OutOfMemory:
			err = e
		case *device.Fault:
			err = e
		default:
			panic(e)
		}
	}()
	f()
	return nil
}

// compare describes the first difference of two outcomes, or returns "".
func (c call) compare(got, want outcome, gotCount, wantCount int) string {
	switch {
	case (got.err == nil) != (want.err == nil) || got.err != nil && got.err.Size != want.err.Size:
		return fmt.Sprintf("ended with %v, want %v", got.err, want.err)
	case gotCount != wantCount:
		return fmt.Sprintf("returned %d, want %d", gotCount, wantCount)
	}
	written := map[*byte][]bool{} // the bytes of outputs, by block
	if want.err == nil || c.fresh {
		for k, a := range c.outputs {
			if a == nil {
				continue
			}
			first := &a.block[0]
			if written[first] == nil {
				written[first] = make([]bool, len(a.block))
			}
			expected := want.blocks[first]
			if want.err != nil {
				expected = nil
			}
			if message := c.compareOutput(a, got.blocks[first], expected, written[first], wantCount); message != "" {
				return fmt.Sprintf("output %d: %s", k, message)
			}
		}
	}
	for _, a := range c.operands() {
		if a == nil {
			continue
		}
		first := &a.block[0]
		for at, b := range got.blocks[first] {
			if b != a.block[at] && (written[first] == nil || !written[first][at]) {
				return fmt.Sprintf("byte %d of a block was changed, but belongs to no element of an output (element %d of type %s)",
					at, at/a.dtype.Size(), a.dtype)
			}
		}
	}
	return ""
}

// compareOutput compares the elements of one output with the wanted elements, if any, and marks the output's bytes in
// written.
func (c call) compareOutput(a *array, got, want []byte, written []bool, count int) string {
	size := a.dtype.Size()
	for k, offset := range a.offsets() {
		for b := range size {
			written[offset*size+b] = true
		}
		if c.count != nil && k >= count || want == nil {
			continue
		}
		x, y := load(a.dtype, elementAt(got, a.dtype, offset)), load(a.dtype, elementAt(want, a.dtype, offset))
		if x.exact && x.int == y.int || !x.exact && c.near(a.dtype, x.z, y.z, k) {
			continue
		}
		return fmt.Sprintf("element %d is %s, want %s%s", k, x.format(a.dtype), y.format(a.dtype), c.inputsAt(k))
	}
	return ""
}

func (c call) near(dt dtype.DType, got, want complex128, k int) bool {
	if c.close == nil {
		return same(dt, got, want, k)
	}
	return c.close(dt, got, want, k)
}

// inputsAt describes the inputs of an elementwise launch at the point of an element.
func (c call) inputsAt(k int) string {
	text := ""
	for i, a := range c.inputs {
		if a == nil || a.len != 0 || len(a.Shape) != len(c.outputs[0].Shape) {
			continue
		}
		if offsets := a.offsets(); k < len(offsets) {
			text += fmt.Sprintf("; input %d there: %s", i, load(a.dtype, a.pointer(offsets[k])).format(a.dtype))
		}
	}
	return text
}

func (n number) format(dt dtype.DType) string {
	switch {
	case dt.IsComplex():
		return fmt.Sprintf("%v (%x)", n.z, n.z)
	case dt.IsFloat():
		return fmt.Sprintf("%v (%x)", real(n.z), real(n.z))
	case dt.IsUnsigned():
		return fmt.Sprint(uint64(n.int))
	}
	return fmt.Sprint(n.int)
}

// scale makes the call on the reference device with the magnitudes of all inputs and returns the elements of the first
// output. The rounding errors of sums and products are relative to these.
func (s *suite) scale(c call) []float64 {
	s.Helper()
	if s.settings != nil { // settings are compared bit for bit
		return nil
	}
	c.inputs = append([]*array(nil), c.inputs...)
	for k, a := range c.inputs {
		if a.dtype.IsInexact() {
			c.inputs[k] = a.magnitudes()
		}
	}
	c.outputs = append([]*array{c.outputs[0].magnitudes()}, c.outputs[1:]...)
	out := s.launch(s.reference, c)
	y := c.outputs[0]
	sizes := make([]float64, 0, len(y.offsets()))
	for _, offset := range y.offsets() {
		v := 0.0
		if y.dtype.IsInexact() {
			v = real(load(y.dtype, elementAt(out.blocks[&y.block[0]], y.dtype, offset)).magnitude().z)
		}
		sizes = append(sizes, v)
	}
	return sizes
}

// compile parses a program for types given by letter.
func (s *suite) compile(src device.Source, types map[byte]dtype.DType) *device.Program {
	s.Helper()
	p, err := src.Compile(func(letter byte) dtype.DType { return types[letter] })
	if err != nil {
		s.Fatal(err)
	}
	return p
}
