package device_test

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// number is a value of any type, with the fields of a scalar.
type number = device.Scalar

func real64(v float64) number           { return number{Re: v, Int: int64(v)} }
func complexNumber(z complex128) number { return number{Re: real(z), Im: imag(z)} }

// wide returns the type in which a value of type t is passed in and out.
func wide(t dtype.DType) dtype.DType {
	switch {
	case t.IsComplex():
		return dtype.Complex128
	case t.IsFloat():
		return dtype.Float64
	}
	return dtype.Int64
}

// upload returns an operand of one element, or of several for a raw input.
func upload(d *ref.Device, t dtype.DType, values ...number) device.Operand {
	w := wide(t)
	m := d.Alloc(len(values) * w.Size())
	for k, v := range values {
		var p unsafe.Pointer
		switch w {
		case dtype.Complex128:
			z := complex(v.Re, v.Im)
			p = unsafe.Pointer(&z)
		case dtype.Float64:
			p = unsafe.Pointer(&v.Re)
		default:
			p = unsafe.Pointer(&v.Int)
		}
		d.CopyIn(m, k*w.Size(), unsafe.Slice((*byte)(p), w.Size()))
	}
	return device.Operand{Memory: m, DType: w}
}

func download(d *ref.Device, o device.Operand) number {
	var raw [2]float64
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&raw)), o.DType.Size())
	d.CopyOut(bytes, o.Memory, 0)
	if o.DType == dtype.Int64 {
		return number{Int: *(*int64)(unsafe.Pointer(&raw))}
	}
	return number{Re: raw[0], Im: raw[1]}
}

// evaluate runs a program at one point. Raw inputs take all values given for them, other inputs the first.
func evaluate(p *device.Program, scalars []number, inputs ...[]number) []number {
	d := ref.New()
	l := device.NewLaunch()
	defer l.Recycle()
	l.Program = p
	l.Outputs = len(p.Outputs)
	copy(l.Scalars[:], scalars)
	for _, q := range p.Outputs {
		l.Operands[l.N] = upload(d, q.Type, number{})
		l.N++
	}
	for k, q := range p.Inputs {
		l.Operands[l.N] = upload(d, q.Type, inputs[k]...)
		if q.Raw {
			l.Operands[l.N].Len = len(inputs[k])
		}
		l.N++
	}
	d.Elementwise(l)
	var results []number
	for k := range p.Outputs {
		results = append(results, download(d, l.Operands[k]))
	}
	return results
}

func compile(t *testing.T, src device.Source, types map[byte]dtype.DType) *device.Program {
	t.Helper()
	p, err := src.Compile(func(letter byte) dtype.DType { return types[letter] })
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// show formats a value of type t.
func show(v number, t dtype.DType) string {
	switch {
	case t.IsComplex():
		return fmt.Sprint(complex(v.Re, v.Im))
	case t.IsFloat():
		return fmt.Sprint(v.Re)
	case t.IsBool():
		return fmt.Sprint(v.Int != 0)
	case t == dtype.Uint64:
		return fmt.Sprint(uint64(v.Int))
	}
	return fmt.Sprint(v.Int)
}
