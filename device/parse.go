package device

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Source is an elementwise function in text: declarations such as "T x, raw T y, int32 n", and a body of assignments
// such as "d = x - y; z = d*d". A single capital letter is a type that is passed to [Source.Compile]; all other types
// are names of dtypes.
//
// The language is a subset of C's expressions: + - * / % (integers as C, so 7/2 is 3), comparisons, && || !, & | ^ ~ <<
// >>, ?:, casts such as float(x) or T(x), the functions of the opcodes, literals (which take the type of the operand
// that they are combined with), pi, inf, nan, true, false, y[k] for raw inputs, i for the index in the loop and n or
// _ind.size() for its length. Names of values hide these names, except that a function can still be called. Two
// operands of different types are converted to the promoted type. There are no loops, branches, pointers, comments or
// preambles.
//
// Gradient, if not empty, is the gradient, instead of the one that follows from the opcodes' rules. It consists of
// assignments to gx for each input x. The values are computed from the inputs, the outputs, and gy for each output y.
type Source struct {
	Name     string
	Inputs   string
	Scalars  string
	Outputs  string
	Body     string
	Gradient string
}

// Declaration is one declared parameter. Its type is a dtype's name or one capital letter.
type Declaration struct {
	Name string
	Type string
	Raw  bool
}

// Generic reports whether the type is a letter that stands for any type.
func (d Declaration) Generic() bool {
	return len(d.Type) == 1 && 'A' <= d.Type[0] && d.Type[0] <= 'Z'
}

// DType returns the declared dtype; bind returns the dtype of a letter.
func (d Declaration) DType(bind func(letter byte) dtype.DType) dtype.DType {
	if d.Generic() {
		return bind(d.Type[0])
	}
	t, _ := typeNamed(d.Type)
	return t
}

// typeNamed knows C's names for element types, if they differ from NumPy's, and the names that dtype.Parse knows.
func typeNamed(name string) (dtype.DType, bool) {
	switch name {
	case "float":
		return dtype.Float32, true
	case "double":
		return dtype.Float64, true
	case "char":
		return dtype.Int8, true
	case "short":
		return dtype.Int16, true
	case "int":
		return dtype.Int32, true
	case "long", "ptrdiff_t":
		return dtype.Int64, true
	case "unsigned":
		return dtype.Uint32, true
	case "size_t":
		return dtype.Uint64, true
	case "bool":
		return dtype.Bool, true
	}
	if len(name) < 3 { // dtype codes such as "f" or "u1" are not valid names here
		return dtype.Unspecified, false
	}
	t, err := dtype.Parse(name)
	return t, err == nil
}

// ParseParams reads a list of declarations.
func ParseParams(text string) ([]Declaration, error) {
	var all []Declaration
	seen := map[string]bool{}
	for _, part := range strings.Split(text, ",") {
		words := strings.Fields(part)
		if len(words) == 0 {
			if strings.TrimSpace(text) == "" {
				return nil, nil
			}
			return nil, fmt.Errorf("empty declaration in %q", text)
		}
		d := Declaration{}
		if words[0] == "raw" {
			d.Raw, words = true, words[1:]
		}
		if len(words) != 2 {
			return nil, fmt.Errorf("declaration %q: expected a type and a name, such as \"T x\" or \"raw float32 y\"", strings.TrimSpace(part))
		}
		d.Type, d.Name = words[0], words[1]
		if _, ok := typeNamed(d.Type); !ok && !d.Generic() {
			return nil, fmt.Errorf("declaration %q: %q is neither a dtype nor one capital letter", strings.TrimSpace(part), d.Type)
		}
		for k := range len(d.Name) {
			if !letter(d.Name[k]) && (k == 0 || !digit(d.Name[k])) {
				return nil, fmt.Errorf("declaration %q: %q is not a name", strings.TrimSpace(part), d.Name)
			}
		}
		if err := reserved(d.Name); err != nil {
			return nil, err
		}
		if seen[d.Name] {
			return nil, fmt.Errorf("%q is declared twice in %q", d.Name, text)
		}
		seen[d.Name] = true
		all = append(all, d)
	}
	return all, nil
}

// reserved rejects the names that belong to the language alone. A value can have any other name that has a meaning in
// the language; it then hides that meaning.
func reserved(name string) error {
	if name == "true" || name == "false" || strings.HasPrefix(name, "_") {
		return fmt.Errorf("the name %q is reserved: true, false and names that begin with _ belong to the language", name)
	}
	return nil
}

func constantNamed(name string) (value float64, ok bool) {
	switch name {
	case "pi":
		return math.Pi, true
	case "inf":
		return math.Inf(1), true
	case "nan":
		return math.NaN(), true
	}
	return 0, false
}

// functionNamed returns the opcode that a name calls in source text; select, cast and comparison have their own syntax.
func functionNamed(name string) (op Op, ok bool) {
	switch name {
	case "fabs":
		return OpAbs, true
	case "power":
		return OpPow, true
	}
	for op := OpAdd; op < OpCount; op++ {
		if op.String() == name {
			return op, true
		}
	}
	return 0, false
}

// value is the value of an expression: a register, or a literal, which has no type until it is combined with an operand
// that has one.
type value struct {
	reg     Reg
	literal bool
	integer bool
	num     Scalar
}

type parser struct {
	src    string
	toks   []token
	at     int
	b      *builder
	bind   func(letter byte) dtype.DType
	vars   map[string]value
	raw    map[string]int
	output map[string]int
	depth  int
}

// Compile compiles the program for given types; bind returns the dtype of a letter. 16-bit floats are computed in
// float32.
func (s Source) Compile(bind func(letter byte) dtype.DType) (p *Program, err error) {
	defer func() {
		if e, ok := recover().(*SyntaxError); ok {
			p, err = nil, fmt.Errorf("%s: %w", s.Name, e)
		} else if e != nil {
			panic(e)
		}
	}()
	prog := &Program{Name: s.Name}
	ps := &parser{src: s.Body, b: newBuilder(prog), bind: bind,
		vars: map[string]value{}, raw: map[string]int{}, output: map[string]int{}}
	for _, list := range []struct {
		params *[]Param
		text   string
	}{{&prog.Inputs, s.Inputs}, {&prog.Scalars, s.Scalars}, {&prog.Outputs, s.Outputs}} {
		decls, err := ParseParams(list.text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		for _, d := range decls {
			t := d.DType(bind)
			*list.params = append(*list.params, Param{d.Name, dtype.ComputeType(t), t, d.Raw})
		}
	}
	if err := ps.declareAll(prog); err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	toks, err := tokens(s.Body)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	ps.toks = toks
	ps.body(prog)
	if s.Gradient != "" {
		prog.gradient = &Source{Name: s.Name, Body: s.Gradient}
	}
	return ps.b.finish(), nil
}

func (ps *parser) declareAll(prog *Program) error {
	if len(prog.Outputs) == 0 || len(prog.Outputs)+len(prog.Inputs) > MaxOperands || len(prog.Scalars) > MaxScalars {
		return fmt.Errorf("%d inputs, %d scalars, %d outputs: want at least one output, at most %d arrays and %d scalars",
			len(prog.Inputs), len(prog.Scalars), len(prog.Outputs), MaxOperands, MaxScalars)
	}
	names := map[string]bool{}
	for _, list := range [][]Param{prog.Inputs, prog.Scalars, prog.Outputs} {
		for _, p := range list {
			if names[p.Name] {
				return fmt.Errorf("the name %q is declared twice", p.Name)
			}
			names[p.Name] = true
		}
	}
	for k, p := range prog.Inputs {
		if p.Raw {
			ps.raw[p.Name] = k
		} else {
			ps.vars[p.Name] = value{reg: ps.b.input(k)}
		}
	}
	for k, p := range prog.Scalars {
		ps.vars[p.Name] = value{reg: ps.b.scalar(k)}
	}
	for k, p := range prog.Outputs {
		if p.Raw {
			return fmt.Errorf("output %q is raw: outputs are written at their own index only", p.Name)
		}
		ps.output[p.Name] = k
	}
	return nil
}

// body parses the statements. A body that is a single expression is the value of the only output.
func (ps *parser) body(prog *Program) {
	if !ps.assigns() {
		if len(prog.Outputs) != 1 {
			ps.fail("an expression alone is the value of one output, and there are %d", len(prog.Outputs))
		}
		ps.assign(prog.Outputs[0].Name, ps.ternary())
		ps.accept(";")
	}
	for ps.peek().kind != tokenEnd {
		ps.statement()
	}
	prog.Results = make([]Reg, len(prog.Outputs))
	for k, p := range prog.Outputs {
		v, ok := ps.vars[p.Name]
		if !ok {
			ps.fail("output %q gets no value", p.Name)
		}
		prog.Results[k] = v.reg
	}
}

func (ps *parser) assigns() bool {
	for _, t := range ps.toks {
		if t.kind == tokenSymbol && strings.HasSuffix(t.text, "=") {
			switch t.text {
			case "==", "!=", "<=", ">=":
			default:
				return true
			}
		}
	}
	return false
}

// statement parses "name = expression;", with a type before the name, or an operator before the equals sign.
func (ps *parser) statement() {
	if ps.accept(";") {
		return
	}
	name := ps.next()
	if name.kind != tokenName {
		ps.failAt(name, "expected an assignment, found %q", name.text)
	}
	switch name.text {
	case "for", "while", "if", "do", "return", "switch", "goto":
		ps.failAt(name, "%q: programs have no loops, branches or returns; choose with c ? x : y", name.text)
	}
	declared := dtype.Unspecified
	if ps.peek().kind == tokenName {
		t, ok := ps.typeName(name.text)
		if !ok {
			ps.failAt(name, "%q is not a type", name.text)
		}
		declared, name = t, ps.next()
	}
	if ps.peek().text == "[" {
		ps.failAt(name, "%q: outputs are written at their own index only, as %s = …", name.text, name.text)
	}
	op := ps.next()
	v := value{}
	switch op.text {
	case "=":
		v = ps.ternary()
	case "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=":
		old, ok := ps.vars[name.text]
		if !ok {
			ps.failAt(name, "%q has no value yet", name.text)
		}
		v = ps.apply(op, strings.TrimSuffix(op.text, "="), old, ps.ternary())
	default:
		ps.failAt(op, "want =, found %q", op.text)
	}
	if declared.Valid() {
		v = value{reg: ps.coerce(v, declared)}
	}
	ps.assign(name.text, v)
	if ps.peek().kind != tokenEnd && !ps.accept(";") {
		ps.fail("want ; found %q", ps.peek().text)
	}
}

func (ps *parser) assign(name string, v value) {
	if k, ok := ps.output[name]; ok {
		ps.vars[name] = value{reg: ps.coerce(v, ps.b.prog.Outputs[k].Type)}
		return
	}
	for _, p := range slices.Concat(ps.b.prog.Inputs, ps.b.prog.Scalars) {
		if p.Name == name {
			ps.fail("%q is an input: assign to a name of your own", name)
		}
	}
	if err := reserved(name); err != nil {
		ps.fail("%v", err)
	}
	ps.vars[name] = v
}

func (ps *parser) typeName(name string) (dtype.DType, bool) {
	if len(name) == 1 && 'A' <= name[0] && name[0] <= 'Z' {
		t := ps.bind(name[0])
		return dtype.ComputeType(t), t.Valid()
	}
	t, ok := typeNamed(name)
	return dtype.ComputeType(t), ok
}

func (ps *parser) peek() token { return ps.toks[ps.at] }

func (ps *parser) next() token {
	t := ps.toks[ps.at]
	if t.kind != tokenEnd {
		ps.at++
	}
	return t
}

func (ps *parser) accept(symbol string) bool {
	if t := ps.peek(); t.kind == tokenSymbol && t.text == symbol {
		ps.at++
		return true
	}
	return false
}

func (ps *parser) expect(symbol string) {
	if !ps.accept(symbol) {
		ps.fail("want %q, found %q", symbol, ps.peek().text)
	}
}

func (ps *parser) fail(format string, args ...any) { ps.failAt(ps.peek(), format, args...) }

func (ps *parser) failAt(t token, format string, args ...any) {
	panic(&SyntaxError{ps.src, t.at, fmt.Sprintf(format, args...)})
}
