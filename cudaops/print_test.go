package cudaops

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// programOf returns a program with one opcode, for arguments of a type.
func programOf(op device.Op, t dtype.DType) *device.Program {
	result := t
	switch op {
	case device.OpEq, device.OpNe, device.OpLt, device.OpLe, device.OpGt, device.OpGe, device.OpIsNaN, device.OpIsInf, device.OpIsFinite, device.OpSignBit:
		result = dtype.Bool
	case device.OpAbs, device.OpReal, device.OpImag:
		result = t.Real()
	case device.OpComplex:
		result = t.Complex()
	}
	second := t
	if op == device.OpLdexp {
		second = dtype.Int64
	}
	p := &device.Program{Name: fmt.Sprint(op, " of ", t), Outputs: []device.Param{{Type: result, Stored: result}}}
	for k, in := range []dtype.DType{t, second}[:op.Arity()] {
		p.Inputs = append(p.Inputs, device.Param{Type: in, Stored: in})
		p.Code = append(p.Code, device.Inst{Op: device.OpInput, Type: in, Index: k})
	}
	p.Code = append(p.Code, device.Inst{Op: op, Type: result, A: 0, B: device.Reg(op.Arity() - 1)})
	p.Results = []device.Reg{device.Reg(op.Arity())}
	return p
}

// eachOpcode calls f with a program for every opcode that computes with numbers of some types.
func eachOpcode(f func(p *device.Program)) {
	for _, t := range []dtype.DType{dtype.Bool, dtype.Int8, dtype.Uint32, dtype.Int64, dtype.Float32, dtype.Float64, dtype.Complex64} {
		for op := device.OpAdd; op < device.OpCount; op++ {
			if op.Accepts(t) {
				f(programOf(op, t))
			}
		}
	}
}

// TestProgramsPrint checks that every opcode has a text.
func TestProgramsPrint(t *testing.T) {
	eachOpcode(func(p *device.Program) {
		text := printElementwise(p, layout{n: 1 + len(p.Inputs), pack: 1, types: [device.MaxOperands]dtype.DType{p.Outputs[0].Type, dtype.Float32, dtype.Float32}})
		if strings.Count(text, "void program(") != 1 || strings.Count(text, "store_as<") != 1 {
			t.Errorf("%s:\n%s", p.Name, text)
		}
	})
}

// TestEncodedProgramsReuseSlots checks that the slot of a value is reused once no instruction reads the value any more.
func TestEncodedProgramsReuseSlots(t *testing.T) {
	if size := unsafe.Sizeof(instruction{}); size != 80 {
		t.Errorf("an instruction has %d bytes, which kernels/machine.cuh does not know", size)
	}
	p := &device.Program{Inputs: []device.Param{{Type: dtype.Float64}}, Outputs: []device.Param{{Type: dtype.Float64}}}
	p.Code = append(p.Code, device.Inst{Op: device.OpInput, Type: dtype.Float64})
	for i := range 300 {
		p.Code = append(p.Code, device.Inst{Op: device.OpNeg, Type: dtype.Float64, A: device.Reg(i)})
	}
	p.Results = []device.Reg{300}
	for _, in := range encode(p) {
		if in.to > 1 || in.a > 1 {
			t.Fatalf("a chain uses slots %d and %d", in.to, in.a)
		}
	}
}

// TestCacheOfPrograms checks that incomplete files are ignored.
func TestCacheOfPrograms(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a", "b")
	if _, ok := readCached(file); ok {
		t.Error("a missing file was read")
	}
	want := []byte("image")
	writeCached(file, want)
	if got, ok := readCached(file); !ok || !bytes.Equal(got, want) {
		t.Errorf("%q was read back as %q", want, got)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, broken := range [][]byte{nil, content[:len(content)-1], content[1:], append([]byte("x"), content...)} {
		if err := os.WriteFile(file, broken, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, ok := readCached(file); ok {
			t.Errorf("%q was read", broken)
		}
	}
	if a, b := cacheFile("a", nil, 12, 4), cacheFile("a", nil, 12, 5); a == b && a != "" {
		t.Error("two versions of the compiler share one file")
	}
}
