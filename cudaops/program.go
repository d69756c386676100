package cudaops

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"unsafe"

	"github.com/ndgrad/ndgrad/cudaops/kernels"
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// value is a number in the format of kernels: Value in kernels/opcodes.cuh.
type value struct {
	bits uint64 // an integer, or the real part
	im   float64
}

// valueOf returns a scalar or a constant, rounded to a type, in the format of kernels.
func valueOf(s device.Scalar, t dtype.DType) value {
	switch t {
	case dtype.Bool:
		if s.Int != 0 {
			return value{bits: 1}
		}
		return value{}
	case dtype.Int8:
		return value{bits: uint64(int8(s.Int))}
	case dtype.Int16:
		return value{bits: uint64(int16(s.Int))}
	case dtype.Int32:
		return value{bits: uint64(int32(s.Int))}
	case dtype.Uint8:
		return value{bits: uint64(uint8(s.Int))}
	case dtype.Uint16:
		return value{bits: uint64(uint16(s.Int))}
	case dtype.Uint32:
		return value{bits: uint64(uint32(s.Int))}
	case dtype.Int64, dtype.Uint64:
		return value{bits: uint64(s.Int)}
	case dtype.Float32:
		return value{bits: math.Float64bits(float64(float32(s.Re)))}
	case dtype.Complex64:
		return value{math.Float64bits(float64(float32(s.Re))), float64(float32(s.Im))}
	}
	return value{math.Float64bits(s.Re), s.Im}
}

// instruction is Instruction in kernels/machine.cuh.
type instruction struct {
	op, dtype, of int64
	a, b, c, to   int64
	index         int64
	constant      value
}

// storeResult is the instruction that stores a result.
const storeResult = 255

// slots is the largest number of values that a program can hold at a time.
const slots = 256

// encode translates a program for the interpreter. A slot is reused after the last instruction that reads its value.
func encode(p *device.Program) []instruction {
	last := make([]int, len(p.Code))
	for i := range p.Code {
		for _, r := range p.Code[i].Args() {
			last[r] = i
		}
	}
	for _, r := range p.Results {
		last[r] = len(p.Code)
	}
	var free []int64
	next := int64(0)
	slot := make([]int64, len(p.Code))
	list := make([]instruction, 0, len(p.Code)+len(p.Results))
	for i := range p.Code {
		in := &p.Code[i]
		e := instruction{op: int64(in.Op), dtype: int64(in.Type), of: int64(in.Type), index: int64(in.Index)}
		args := in.Args()
		for k, r := range args {
			*[]*int64{&e.a, &e.b, &e.c}[k] = slot[r]
			if k == 0 {
				e.of = int64(p.Code[r].Type)
			}
		}
		if in.Op == device.OpConst {
			e.constant = valueOf(in.Value, in.Type)
		}
		for k, r := range args {
			if last[r] == i && !slices.Contains(args[:k], r) {
				free = append(free, slot[r])
			}
		}
		if n := len(free); n > 0 {
			slot[i], free = free[n-1], free[:n-1]
		} else {
			slot[i] = next
			next++
		}
		e.to = slot[i]
		list = append(list, e)
		if last[i] == 0 && i > 0 { // no instruction reads it
			free = append(free, slot[i])
		}
	}
	if next > slots {
		panic(fmt.Sprintf("cudaops: program %s needs %d values at a time, which are more than %d", p.Name, next, slots))
	}
	for k, r := range p.Results {
		list = append(list, instruction{op: storeResult, of: int64(p.Code[r].Type), a: slot[r], index: int64(k)})
	}
	return list
}

// code is a program in device memory.
type code struct {
	address uint64
	length  int
	tier    tier
}

// codeKey is the key of a device's code among the compiled forms of a program.
type codeKey struct{ device *Device }

// code returns a program's instructions. They are copied to the device at the first call and stay there.
func (d *Device) code(fn string, p *device.Program) code {
	k := p.Compiled(codeKey{d}, newKept).(*programMemory)
	k.once.Do(func() {
		list := encode(p)
		bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), len(list)*int(unsafe.Sizeof(list[0])))
		k.scratch = d.scratch(fn, len(bytes)) // freed when the program is gone
		d.staging.in(d, k.scratch.address, bytes)
		k.code = code{k.scratch.address, len(list), tierOf(p)}
	})
	return k.code
}

// programMemory keeps the memory of a program's code alive.
type programMemory struct {
	once    sync.Once
	code    code
	scratch scratch
}

func newKept() any { return new(programMemory) }

// code adds a Code. A missing program has length 0.
func (a *arguments) code(c code) {
	a.word(c.address)
	a.int(c.length)
}

// scalars adds room for n scalars and stores those of a program first.
func (a *arguments) scalars(values []device.Scalar, declared []device.Param, n int) {
	for i, p := range declared {
		v := valueOf(values[i], p.Type)
		a.word(v.bits)
		a.float(v.im)
	}
	a.n += 2 * (n - len(declared))
}

// tier is the part of the opcodes that a program needs. Kernels for fewer opcodes are compiled sooner.
type tier int

const (
	plainTier  tier = iota // arithmetic of real numbers
	commonTier             // and common functions
	wholeTier              // and special functions and complex numbers
)

func tierOf(p *device.Program) tier {
	t := plainTier
	for _, in := range p.Code {
		switch {
		case in.Type.IsComplex() || kernels.IsSpecial(in.Op):
			return wholeTier
		case kernels.IsFunction(in.Op):
			t = commonTier
		}
	}
	return t
}

// interpreters returns the entries that run programs of each tier.
func interpreters(name string) (all [wholeTier + 1]entry) {
	for t, suffix := range []string{"_plain", "_common", ""} {
		all[t] = entry{file: name + suffix, name: name + suffix}
	}
	return all
}

var (
	elementwiseEntries = interpreters("elementwise")
	reduceEntries      = interpreters("reduce")
)
