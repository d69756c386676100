package ops

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/internal/ufunc"
)

// KernelOptions are the options of NewKernel.
type KernelOptions struct {
	// Name is the kernel's name in messages; "ops.Kernel" by default.
	Name string
	// Gradient replaces the derivative that NewKernel derives from the body. It assigns gx for an input x, from the
	// inputs, the outputs, and gy for an output y.
	Gradient string
}

// Kernel is a user-defined elementwise function, compiled from source text. It runs as one launch on every device, and
// is differentiable to any order.
// CuPy: ElementwiseKernel.
type Kernel struct {
	fn       nd.Func // the name in messages
	programs device.Programs
	in, out  []device.Declaration
}

// NewKernel compiles a kernel from declarations of its inputs and outputs, such as "T x, raw T y, int32 shift", and its
// body: assignments such as "d = x - y; z = d*d", or one expression if there is one output. [device.Source] describes
// the language.
//
// A capital letter is a type that the arguments decide: arguments declared with the same letter promote together, and
// weak scalars promote as in every function. A letter of an output must be a letter of an input. A raw input is not
// broadcast; the body reads it by index, as y[i]. i is the index in the loop, and n, or _ind.size(), the loop's length.
func NewKernel(in, out, body string, opts ...KernelOptions) (*Kernel, error) {
	const fn nd.Func = "ops.NewKernel"
	o := options.Read(fn, opts)
	if o.Name == "" {
		o.Name = "ops.Kernel"
	}
	k := &Kernel{fn: nd.Func(o.Name), programs: device.Programs{
		Source: device.Source{Name: o.Name, Inputs: in, Outputs: out, Body: body, Gradient: o.Gradient}}}
	var err error
	if k.in, err = device.ParseParams(in); err != nil {
		return nil, fmt.Errorf("%s: inputs: %w", o.Name, err)
	}
	if k.out, err = device.ParseParams(out); err != nil {
		return nil, fmt.Errorf("%s: outputs: %w", o.Name, err)
	}
	for _, d := range k.out {
		if d.Generic() && !k.decides(d.Type) {
			return nil, fmt.Errorf("%s: output %q has type %s, which no input decides", o.Name, d.Name, d.Type)
		}
	}
	return k, k.try()
}

// MustKernel is [NewKernel] for source text that is known to be right: it panics with the error that NewKernel would
// return.
//
//	var shifted = ops.MustKernel("T x, T y", "T z", "d = x - y; z = abs(d) < 1 ? d*d : 2*abs(d) - 1")
//
// The language is that of C expressions, on one element of each input. The operators, loosest first, are
//
//	c ? x : y
//	||
//	&&
//	|
//	^
//	&
//	== !=
//	< <= > >=
//	<< >>
//	+ -
//	* / %
//
// and, before a value, - + ! ~. For integers 7/2 is 3, and % has the sign of the left side. & | ^ ~ << >> accept
// integers; the first four accept bools, too. There is no operator for powers: write x*x, or pow(x, 2). Statements end
// with ; and assign by
//
//	= += -= *= /= %= &= |= ^= <<= >>=
//
// Functions of one value:
//
//	abs sign neg floor ceil trunc rint round round_float16 round_bfloat16
//	sqrt rsqrt cbrt exp exp2 exp10 expm1 log log2 log10 log1p
//	sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sinc
//	sigmoid softplus erf erfc erfcx erfinv ndtr log_ndtr ndtri
//	gamma lgamma digamma trigamma i0 i1
//	isnan isinf isfinite signbit not
//	real imag conj
//
// Functions of two values:
//
//	min max fmin fmax pow hypot atan2 copysign nextafter ldexp
//	add sub mul div floordiv mod fmod gcd lcm logaddexp logaddexp2
//	eq ne lt le gt ge and or xor shl shr
//	polygamma zeta gammainc gammaincc gamma_pdf
//	besseli besselie besselj bessely besselk besselke
//	complex
//
// select(c, x, y) is c ? x : y. The first value of polygamma and of the Bessel functions is the order, a whole number.
// It has no derivative; nor has the first value of zeta and gammainc. If one value is NaN, min and max return NaN, fmin
// and fmax the other value. mod has the sign of the right side, fmod of the left. rint rounds half to even, round half
// away from zero; round_float16 and round_bfloat16 give the number that the 16-bit float holds. fabs is abs, and power is
// pow. T(x), float(x) or int64(x) converts to a type: an input's letter, a dtype's name, or C's char, short, int, long,
// unsigned, size_t, float, double, bool. The predefined names
//
//	i n pi inf nan true false
//
// are the index in the loop, its length, and constants. Inputs, outputs and variables may have any of these names, or a
// function's name, except true, false, and names that begin with _. They hide the predefined name, but a function can
// still be called, as in gamma*gamma(x). Literals take the type of the other operand.
func MustKernel(in, out, body string, opts ...KernelOptions) *Kernel {
	k, err := NewKernel(in, out, body, opts...)
	if err != nil {
		panic(nd.Func("ops.MustKernel").Errorf(nil, "%v", err))
	}
	return k
}

func (k *Kernel) decides(letter string) bool {
	for _, d := range k.in {
		if d.Type == letter {
			return true
		}
	}
	return false
}

// try compiles the kernel for some types, and returns an error if none of them compiles.
func (k *Kernel) try() error {
	body, gradient := k.tryFor(dtype.Float32, dtype.Complex64)
	if gradient != nil {
		return gradient
	}
	if body != nil {
		if meansPower(body) {
			return body
		}
		if forIntegers, _ := k.tryFor(dtype.Int32, dtype.Bool); forIntegers != nil {
			return body
		}
	}
	return nil
}

// meansPower reports whether an error comes from x^2, where x may be a float. With a declared integer type, x^2 means
// bits.
func meansPower(err error) bool {
	var syntax *device.SyntaxError
	if !errors.As(err, &syntax) {
		return false
	}
	after, found := strings.CutPrefix(syntax.Source[syntax.Offset:], "^")
	after = strings.TrimSpace(after)
	return found && after != "" && strings.Contains("0123456789.", after[:1])
}

// tryFor compiles the kernel for types of which one must work. It returns the first error in the body; if the body is
// right, it returns the first error in the gradient.
func (k *Kernel) tryFor(types ...dtype.DType) (body, gradient error) {
	for _, t := range types {
		p, err := k.programs.Source.Compile(func(byte) dtype.DType { return t })
		if err != nil {
			if body == nil {
				body = err
			}
			continue
		}
		if err = gradients(p, k.programs.Source.Gradient); err == nil {
			return nil, nil
		}
		if gradient == nil {
			gradient = err
		}
	}
	return body, gradient
}

// gradients finds errors in the text of a gradient. Without a text, an input without a derivative is an error only when
// its gradient is computed.
func gradients(p *device.Program, text string) error {
	if text == "" {
		return nil
	}
	for i := range p.Inputs {
		if _, err := p.Derive(i); err != nil {
			return err
		}
	}
	return nil
}

// Call runs a kernel with one output. The arguments are arrays, and Scalars, which become parameters of the launch. The
// loop is the broadcast shape of the arguments that are not raw.
func (k *Kernel) Call(args ...*nd.Array) *nd.Array {
	if len(k.out) != 1 {
		panic(k.fn.Errorf(args, "it has %d outputs: use CallMany", len(k.out)))
	}
	return k.CallMany(args...)[0]
}

// CallMany runs a kernel with any number of outputs.
func (k *Kernel) CallMany(args ...*nd.Array) []*nd.Array {
	k.check(args)
	var shape []int
	elements := false
	for i, x := range args {
		if k.in[i].Raw || x.IsScalar() {
			continue
		}
		elements = true
		var err error
		if shape, err = broadcast.Shapes(shape, x.Shape()); err != nil {
			panic(k.fn.Errorf(args, "%v", err))
		}
	}
	if !elements {
		for i, x := range args {
			if k.in[i].Raw || !x.IsScalar() {
				panic(k.fn.Errorf(args, "input %s is raw, and so are all arrays: say with CallOver what to loop over", k.in[i].Name))
			}
		}
	}
	return k.run(shape, args)
}

// CallOver runs a kernel over a loop of a given shape, to which the arguments that are not raw must broadcast. It is for
// kernels whose arrays are all raw.
func (k *Kernel) CallOver(shape []int, args ...*nd.Array) []*nd.Array {
	k.check(args)
	if err := broadcast.CheckShape(shape); err != nil {
		panic(k.fn.Errorf(args, "%v", err))
	}
	k.checkLoop(shape, args)
	return k.run(shape, args)
}

// IsUnary reports whether a kernel computes one output, element by element, from one input.
func (k *Kernel) IsUnary() bool { return len(k.in) == 1 && len(k.out) == 1 && !k.in[0].Raw }

// Program returns the program that Call runs for one array of a dtype, or nil if the kernel is not unary or its result has another dtype.
// It is for functions that apply a kernel to their own result, as part of their launch.
func (k *Kernel) Program(t dtype.DType) *device.Program {
	if !k.IsUnary() {
		return nil
	}
	var types device.Letters
	if d := k.in[0]; d.Generic() {
		types[d.Type[0]-'A'] = t
	}
	p, err := k.programs.For(types)
	if err != nil || p.Inputs[0].Stored != t || p.Outputs[0].Stored != t || p.HasRaw() {
		return nil
	}
	return p
}

// CallInto runs a kernel into given arrays, one per output, which have the loop's shape; the arguments that are not raw
// must broadcast to it. An output may be one of the arguments, which is then changed in place. No tape records
// CallInto, and no tape may have recorded any of the arrays.
func (k *Kernel) CallInto(outs []*nd.Array, args ...*nd.Array) {
	k.check(args)
	k.fn.Check(outs...)
	all := append(append([]*nd.Array{}, outs...), args...)
	if len(outs) != len(k.out) {
		panic(k.fn.Errorf(all, "%d arrays for the outputs %q", len(outs), k.programs.Source.Outputs))
	}
	if ufunc.Recorded(all...) {
		panic(k.fn.Errorf(all, "CallInto is not recorded, and an array is: use Detach, or CallMany"))
	}
	shape := outs[0].Shape()
	for i, y := range outs {
		if y.IsScalar() || !broadcast.Equal(y.Shape(), shape) {
			panic(k.fn.Errorf(all, "the outputs must be arrays of one shape"))
		}
		for _, other := range outs[:i] {
			if y.SharesMemory(other) {
				panic(k.fn.Errorf(all, "two outputs share memory"))
			}
		}
	}
	k.checkLoop(shape, args)
	types := k.bind(args)
	p := k.program(args, types)
	for i, y := range outs {
		if t := p.Outputs[i].Stored; !dtype.CanCast(t, y.DType(), dtype.CastSameKind) {
			panic(k.fn.Errorf(all, "cannot cast output %s from %s to %s with casting rule same_kind", k.out[i].Name, t, y.DType()))
		}
	}
	var room ufunc.Operands
	arrays, scalars, mask := room.Split(p, nil, args)
	ufunc.Launch(k.fn, p.Bind(mask), scalars, shape, nil, outs, arrays)
	ufunc.ReleaseLoaded(arrays, args)
}

// checkLoop panics if arguments do not broadcast to a loop.
func (k *Kernel) checkLoop(shape []int, args []*nd.Array) {
	for i, x := range args {
		if k.in[i].Raw || x.IsScalar() {
			continue
		}
		if full, err := broadcast.Shapes(shape, x.Shape()); err != nil || !broadcast.Equal(full, shape) {
			panic(k.fn.Errorf(args, "input %s does not broadcast to the loop of shape %s", k.in[i].Name, broadcast.FormatShape(shape)))
		}
	}
}

func (k *Kernel) check(args []*nd.Array) {
	if len(args) != len(k.in) {
		panic(k.fn.Errorf(args, "%d arguments for the inputs %q", len(args), k.programs.Source.Inputs))
	}
	k.fn.Check(args...)
	for i, x := range args {
		if k.in[i].Raw && x.IsScalar() {
			panic(k.fn.Errorf(args, "input %s is raw: want an array", k.in[i].Name))
		}
	}
}

func (k *Kernel) run(shape []int, args []*nd.Array) []*nd.Array {
	types := k.bind(args)
	p := k.program(args, types)
	var room ufunc.Operands
	arrays, scalars, mask := room.Split(p, nil, args)
	p = p.Bind(mask)
	outs := make([]*nd.Array, len(k.out))
	for i := range outs {
		outs[i] = k.fn.NewLike(p.Outputs[i].Stored, shape, args...)
	}
	ufunc.Launch(k.fn, p, scalars, shape, nil, outs, arrays)
	ufunc.Record(k.fn, p, scalars, arrays, outs...)
	ufunc.ReleaseLoaded(arrays, args)
	return outs
}

// bind finds the types of the letters, and checks the arguments of inputs that have a declared type.
func (k *Kernel) bind(args []*nd.Array) (types device.Letters) {
	var operands [26][]dtype.Operand
	for i, d := range k.in {
		if d.Generic() {
			at := d.Type[0] - 'A'
			operands[at] = append(operands[at], args[i].Operand())
		}
	}
	for at, list := range operands {
		if list != nil {
			types[at] = dtype.ResultType(list...)
		}
	}
	return types
}

func (k *Kernel) program(args []*nd.Array, types device.Letters) *device.Program {
	program, err := k.programs.For(types)
	if err != nil {
		panic(k.fn.Errorf(args, "%v", err))
	}
	for i, x := range args {
		want := program.Inputs[i].Stored
		if !x.IsScalar() && !dtype.CanCast(x.DType(), want, dtype.CastSameKind) {
			panic(k.fn.Errorf(args, "cannot cast input %s from %s to %s with casting rule same_kind", k.in[i].Name, x.DType(), want))
		}
		k.fn.CheckFits(want, x)
	}
	return program
}
