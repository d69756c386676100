package cudaops

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/cudaops/internal/drv"
	"github.com/ndgrad/ndgrad/cudaops/kernels"
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// programOf returns a program of one opcode for arguments of a type.
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

// eachOpcode calls f with every opcode that computes with numbers of some types.
func eachOpcode(f func(p *device.Program)) {
	for _, t := range []dtype.DType{dtype.Bool, dtype.Int8, dtype.Uint32, dtype.Int64, dtype.Float32, dtype.Float64, dtype.Complex64} {
		for op := device.OpAdd; op < device.OpCount; op++ {
			if op.Accepts(t) {
				f(programOf(op, t))
			}
		}
	}
}

// quiet makes quiet what signals as a float32 or a float64: whether conversions that cancel out make it so is the compiler's business.
func quiet(b []byte) {
	for i := 0; i < len(b); i += 4 {
		if b[i+3]&0x7f == 0x7f && b[i+2]&0x80 != 0 {
			b[i+2] |= 0x40
		}
	}
	for i := 0; i < len(b); i += 8 {
		if b[i+7]&0x7f == 0x7f && b[i+6]&0xf0 == 0xf0 {
			b[i+6] |= 0x08
		}
	}
}

// TestPrintedIsInterpreted compiles every opcode for each sort of numbers, and compares what both forms of the programs write, bit by bit.
func TestPrintedIsInterpreted(t *testing.T) {
	d := gpu(t, "cuda:0")
	if testing.Short() {
		t.Skip("compiling takes a minute")
	}
	var source strings.Builder
	var programs []*device.Program
	var launches []*device.Launch
	const n = 500
	random := rand.New(rand.NewPCG(1, 2))
	block := func(k int) device.Memory {
		bytes := make([]byte, 16*n)
		for i := range bytes {
			bytes[i] = byte(random.Uint32())
		}
		quiet(bytes)
		m := d.Alloc(len(bytes))
		d.CopyIn(m, 0, bytes)
		return m
	}
	x, y := block(0), block(1)
	eachOpcode(func(p *device.Program) {
		l := device.NewLaunch()
		l.Rank, l.Shape[0], l.Program = 1, n, p
		add := func(m device.Memory, t dtype.DType) {
			o := &l.Operands[l.N]
			o.Memory, o.DType, o.Offset, o.Len, o.Strides[0] = m, t, 0, 0, 1
			l.N++
		}
		add(d.Alloc(16*n), p.Outputs[0].Type)
		l.Outputs = 1
		for k, in := range p.Inputs {
			add([]device.Memory{x, y}[k], in.Type)
		}
		text := printProgram(p, layoutOf(l))
		source.WriteString(strings.Replace(text, "KERNEL(program,", fmt.Sprintf("KERNEL(program%d,", len(programs)), 1))
		programs, launches = append(programs, p), append(launches, l)
	})
	if _, _, err := drv.CompilerVersion(); err != nil {
		t.Skip(err)
	}
	image, log, err := drv.Compile(programSource(source.String()), "programs.cu", append([]string{kernels.Architecture}, kernels.Options()...))
	if err != nil {
		t.Fatalf("%v\n%.2000s", err, log)
	}
	m, err := d.context.LoadModule(image)
	if err != nil {
		t.Fatal(err)
	}
	d.printing = printNever
	defer func() { d.printing = printOften }()
	for k, l := range launches {
		f, err := d.context.Function(m, entry{name: fmt.Sprint("program", k), limit: narrow}.String())
		if err != nil {
			t.Fatal(err)
		}
		size := n * l.Operands[0].DType.Size()
		want, got := make([]byte, size), make([]byte, size)
		d.Elementwise(l)
		d.CopyOut(want, l.Operands[0].Memory, 0)
		d.zero("test", address(l.Operands[0].Memory, 0), size)
		a := newArguments(narrow)
		a.code(d.code("test", l.Program))
		a.int(1)
		a.int(0)
		a.scalars(nil, nil, device.MaxScalars)
		a.launchLoop(l, l.N, device.MaxOperands)
		d.launch("test", f, over(n), threads, 0, a)
		d.CopyOut(got, l.Operands[0].Memory, 0)
		if !bytes.Equal(got, want) {
			t.Errorf("%s: printed it is not what it is interpreted", programs[k].Name)
		}
		d.Free(l.Operands[0].Memory)
	}
}

// TestProgramsPrint: every opcode has a text.
func TestProgramsPrint(t *testing.T) {
	eachOpcode(func(p *device.Program) {
		text := printProgram(p, layout{n: 1 + len(p.Inputs), limit: narrow, flat: true, types: [device.MaxOperands]dtype.DType{p.Outputs[0].Type, dtype.Float32, dtype.Float32}})
		if !strings.HasPrefix(text, "KERNEL(program, ElementwiseParams)") || strings.Count(text, "store_as<") != 1 {
			t.Errorf("%s:\n%s", p.Name, text)
		}
	})
}

// TestEncodedProgramsReuseSlots: a value's slot serves again when nobody reads it any more.
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
			t.Fatalf("slots %d and %d of a chain", in.to, in.a)
		}
	}
}

// TestCacheOfPrograms: what is not whole is ignored.
func TestCacheOfPrograms(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a", "b")
	if _, ok := readCached(file); ok {
		t.Error("a file that is not there was read")
	}
	want := []byte("image")
	writeCached(file, want)
	if got, ok := readCached(file); !ok || !bytes.Equal(got, want) {
		t.Errorf("%q came back as %q", want, got)
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
		t.Error("two versions of the compiler have one file")
	}
}
