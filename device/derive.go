package device

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Derivative says how the gradient of one input of a program follows from the gradients of the outputs.
type Derivative struct {
	// Programs compute the gradient of the input at each point of the loop, and From says what the inputs of each
	// program are. There is no program if the gradient is 0, and one program for an input that is not raw. A raw input
	// has one program for each of its loads, with a second output: the index (int64) in the input's gradient at which
	// the first output is to be added.
	Programs []*Program
	From     [][]Origin
}

// Origin names what an input of a derivative is: an input or output of the original program, or an output's gradient.
type Origin struct {
	Kind  SourceKind
	Index int
}

// SourceKind is the kind of a derivative's input.
type SourceKind uint8

// The kinds: an input, an output, the gradient of an output.
const (
	FromInput SourceKind = iota
	FromOutput
	FromGradient
)

// Derive returns the derivative with respect to one input. For complex values g = ∂L/∂Re + i·∂L/∂Im. Results are
// cached. Derive fails for an opcode that has no derivative in closed form.
func (p *Program) Derive(input int) (*Derivative, error) {
	if d, ok := p.derived.Load(input); ok {
		return d.(*Derivative), nil
	}
	d, err := p.derive(input)
	if err != nil {
		return nil, err
	}
	cached, _ := p.derived.LoadOrStore(input, d)
	return cached.(*Derivative), nil
}

func (p *Program) derive(input int) (*Derivative, error) {
	if !p.Inputs[input].Type.IsInexact() {
		return &Derivative{}, nil
	}
	d := &deriver{p: p, wrt: input}
	d.declare()
	if p.gradient != nil {
		return d.parseGradient()
	}
	return d.byRules()
}

// deriver builds a derivative: a program that computes the original's values again, and then, from the last to the
// first, the gradient of each value (its adjoint).
//
// An adjoint that passes a choice is 0 if the other side was chosen, and must then stay 0, although later factors may be
// infinite or NaN: the derivative of x > 0 ? log(x) : 0 at 0 is 0, not 0·(1/0). So the choice is made last. An adjoint
// keeps the conditions under which it counts (guards.go), and the rules, all of which are linear in g, are applied to the
// value that it has if it counts.
type deriver struct {
	p    *Program
	wrt  int
	b    *builder
	prog *Program
	from []Origin
	val  []Reg     // the new program's registers with the original's values
	adj  []adjoint // the adjoints of the original's values
	when guard     // the guard of the adjoint to which a rule is being applied
	live []bool    // which of the original's values depend on the input
}

// declare declares all inputs that the new program may read: the original's inputs, its outputs, and the gradients of
// its outputs.
func (d *deriver) declare() {
	p := d.p
	d.prog = &Program{Name: p.Name + ".grad", Scalars: p.Scalars}
	d.from = nil
	add := func(q Param, kind SourceKind, i int) {
		d.prog.Inputs = append(d.prog.Inputs, q)
		d.from = append(d.from, Origin{kind, i})
	}
	for i, q := range p.Inputs {
		add(q, FromInput, i)
	}
	for i, q := range p.Outputs {
		add(q, FromOutput, i)
	}
	for i, q := range p.Outputs {
		add(Param{Name: "g" + q.Name, Type: q.Type, Stored: q.Type}, FromGradient, i)
	}
	d.b = newBuilder(d.prog)
}

// parseGradient parses the gradient from the source.
func (d *deriver) parseGradient() (dv *Derivative, err error) {
	defer func() {
		if e, ok := recover().(*SyntaxError); ok {
			dv, err = nil, fmt.Errorf("gradient of %s: %w", d.p.Name, e)
		} else if e != nil {
			panic(e)
		}
	}()
	want := "g" + d.p.Inputs[d.wrt].Name
	for _, q := range d.p.Inputs {
		d.prog.Outputs = append(d.prog.Outputs, Param{Name: "g" + q.Name, Type: q.Type, Stored: q.Type})
	}
	ps := &parser{src: d.p.gradient.Body, b: d.b, vars: map[string]value{}, raw: map[string]int{}, output: map[string]int{},
		bind: func(byte) dtype.DType { return d.p.Inputs[d.wrt].Type }}
	for i, q := range d.prog.Inputs {
		if q.Raw {
			ps.raw[q.Name] = i
		} else {
			ps.vars[q.Name] = value{reg: d.b.input(i)}
		}
	}
	for i, q := range d.prog.Scalars {
		ps.vars[q.Name] = value{reg: d.b.scalar(i)}
	}
	for i, q := range d.prog.Outputs {
		ps.output[q.Name] = i
	}
	if ps.toks, err = tokens(ps.src); err != nil {
		return nil, err
	}
	for ps.peek().kind != tokenEnd {
		ps.statement()
	}
	v, ok := ps.vars[want]
	if !ok {
		return &Derivative{}, nil
	}
	dv = &Derivative{}
	d.finish(dv, v.reg)
	return dv, nil
}

// byRules differentiates each instruction by its opcode's rule.
func (d *deriver) byRules() (*Derivative, error) {
	code := d.p.Code
	d.live = make([]bool, len(code))
	for i := range code {
		in := &code[i]
		d.live[i] = (in.Op == OpInput || in.Op == OpLoad) && in.Index == d.wrt
		if ruleOf(in.Op) == nil && in.Op != OpInput && in.Op != OpLoad {
			if flatOps[in.Op] || in.Op.Arity() == 0 {
				continue
			}
		}
		for _, a := range in.Args() {
			d.live[i] = d.live[i] || d.live[a] && in.Type.IsInexact()
		}
		if d.live[i] && secondSlope(in.Op) != nil && d.live[in.A] {
			return nil, fmt.Errorf("%s: the derivative of %s with respect to its first argument has no closed form here", d.p.Name, in.Op)
		}
	}
	d.replay()
	d.adj = make([]adjoint, len(code))
	n := len(d.p.Inputs) + len(d.p.Outputs)
	for k, r := range d.p.Results {
		if d.live[r] {
			d.accumulate(r, d.b.input(n+k))
		}
	}
	dv := &Derivative{}
	for i := len(code) - 1; i >= 0; i-- {
		in := &code[i]
		a := d.adj[i]
		if !a.arrived || !d.live[i] {
			continue
		}
		switch {
		case in.Op == OpInput:
			d.finish(dv, d.chosen(a.value, a.when))
		case in.Op == OpLoad:
			d.finish(dv, d.chosen(a.value, a.when), d.val[in.A])
		default:
			d.when = a.when
			ruleOf(in.Op)(d, in, Reg(i), a.value)
		}
	}
	return dv, nil
}

// replay computes the original values again, except the outputs, which it reads. It computes 1-sigmoid(x) as
// sigmoid(-x): the difference loses digits if sigmoid(x) is almost 1, and the next derivative may depend on these
// digits alone.
func (d *deriver) replay() {
	code := d.p.Code
	d.val = make([]Reg, len(code))
	output := map[Reg]int{}
	for k, r := range d.p.Results {
		if op := code[r].Op; op != OpInput && op != OpConst && op != OpScalar {
			output[r] = k
		}
	}
	for i, in := range code {
		if k, ok := output[Reg(i)]; ok {
			d.val[i] = d.b.input(len(d.p.Inputs) + k)
			continue
		}
		if from := code[in.B]; in.Op == OpSub && from.Op == OpSigmoid && d.b.isConst(d.val[in.A], 1) {
			d.val[i] = d.b.unary(OpSigmoid, d.b.unary(OpNeg, d.val[from.A]))
			continue
		}
		if in.Op.Arity() > 0 {
			in.A, in.B, in.C = d.val[in.A], d.val[in.B], d.val[in.C]
		}
		d.val[i] = d.b.emit(in)
	}
}

// finish adds a program with these results to the derivative. The program has only the inputs that it reads.
func (d *deriver) finish(dv *Derivative, results ...Reg) {
	prog := &Program{Name: d.prog.Name, Scalars: d.prog.Scalars, Code: append([]Inst(nil), d.prog.Code...), Results: results}
	for _, r := range results {
		t := d.prog.Code[r].Type
		prog.Outputs = append(prog.Outputs, Param{Name: "g", Type: t, Stored: t})
	}
	(&builder{prog: prog}).finish()
	newIndex := make([]int, len(d.prog.Inputs))
	for i := range newIndex {
		newIndex[i] = -1
	}
	var from []Origin
	for i := range prog.Code {
		in := &prog.Code[i]
		if in.Op != OpInput && in.Op != OpLoad {
			continue
		}
		if newIndex[in.Index] < 0 {
			newIndex[in.Index] = len(prog.Inputs)
			prog.Inputs = append(prog.Inputs, d.prog.Inputs[in.Index])
			from = append(from, d.from[in.Index])
		}
		in.Index = newIndex[in.Index]
	}
	dv.Programs = append(dv.Programs, prog)
	dv.From = append(dv.From, from)
}
