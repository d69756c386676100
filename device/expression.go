package device

import "github.com/ndgrad/ndgrad/nd/dtype"

// maxDepth limits the nesting of expressions, so that hostile text cannot exhaust the stack.
const maxDepth = 200

// levels is the number of precedence levels of C's binary operators.
const levels = 10

// operator returns the opcode of one of C's binary operators and its level, from 0 for the lowest precedence; -1 if
// symbol is no operator.
func operator(symbol string) (op Op, level int) {
	switch symbol {
	case "||":
		return OpOr, 0
	case "&&":
		return OpAnd, 1
	case "|":
		return OpOr, 2
	case "^":
		return OpXor, 3
	case "&":
		return OpAnd, 4
	case "==":
		return OpEq, 5
	case "!=":
		return OpNe, 5
	case "<":
		return OpLt, 6
	case "<=":
		return OpLe, 6
	case ">":
		return OpGt, 6
	case ">=":
		return OpGe, 6
	case "<<":
		return OpShl, 7
	case ">>":
		return OpShr, 7
	case "+":
		return OpAdd, 8
	case "-":
		return OpSub, 8
	case "*":
		return OpMul, 9
	case "/":
		return OpDiv, 9
	case "%":
		return OpFmod, 9
	}
	return 0, -1
}

// ternary parses an expression.
func (ps *parser) ternary() value {
	ps.depth++
	defer func() { ps.depth-- }()
	if ps.depth > maxDepth {
		ps.fail("the expression is nested too deeply")
	}
	cond := ps.level(0)
	if !ps.accept("?") {
		return cond
	}
	x := ps.ternary()
	ps.expect(":")
	y := ps.ternary()
	t := ps.meet(x, y)
	return value{reg: ps.b.choose(ps.truth(cond), ps.coerce(x, t), ps.coerce(y, t))}
}

func (ps *parser) level(k int) value {
	if k == levels {
		return ps.unary()
	}
	v := ps.level(k + 1)
	for {
		t := ps.peek()
		if _, level := operator(t.text); t.kind != tokenSymbol || level != k {
			return v
		}
		ps.next()
		v = ps.apply(t, t.text, v, ps.level(k+1))
	}
}

// apply emits a binary operator, or computes it if both sides are literals.
func (ps *parser) apply(at token, symbol string, x, y value) value {
	if x.literal && y.literal {
		if v, ok := foldLiterals(symbol, x, y); ok {
			return v
		}
	}
	op, _ := operator(symbol)
	if symbol == "&&" || symbol == "||" {
		return value{reg: ps.b.binary(op, ps.truth(x), ps.truth(y))}
	}
	return ps.call(at, op, []value{x, y})
}

// foldLiterals computes with literals as Go's untyped constants do: integers stay exact if they can.
func foldLiterals(symbol string, x, y value) (value, bool) {
	v := value{literal: true, integer: x.integer && y.integer}
	a, b := x.num, y.num
	switch symbol {
	case "+":
		v.num = Scalar{Int: a.Int + b.Int, Re: a.Re + b.Re}
	case "-":
		v.num = Scalar{Int: a.Int - b.Int, Re: a.Re - b.Re}
	case "*":
		v.num = Scalar{Int: a.Int * b.Int, Re: a.Re * b.Re}
	case "/":
		if v.integer {
			return v, false
		}
		v.num = Scalar{Re: a.Re / b.Re}
	default:
		return v, false
	}
	return v, true
}

func (ps *parser) unary() value {
	t := ps.peek()
	if t.kind != tokenSymbol {
		return ps.primary()
	}
	ps.depth++
	defer func() { ps.depth-- }()
	if ps.depth > maxDepth {
		ps.fail("the expression is nested too deeply")
	}
	switch {
	case ps.accept("-"):
		v := ps.unary()
		if v.literal {
			v.num = Scalar{Int: -v.num.Int, Re: -v.num.Re}
			return v
		}
		return ps.call(t, OpNeg, []value{v})
	case ps.accept("+"):
		return ps.unary()
	case ps.accept("!"):
		return value{reg: ps.b.unary(OpNot, ps.truth(ps.unary()))}
	case ps.accept("~"):
		return ps.call(t, OpNot, []value{ps.unary()})
	}
	return ps.primary()
}

func (ps *parser) primary() value {
	t := ps.next()
	switch t.kind {
	case tokenNumber:
		num, integer, err := literal(t.text)
		if err != nil {
			ps.failAt(t, "%q is not a number", t.text)
		}
		return value{literal: true, integer: integer, num: num}
	case tokenName:
		return ps.parseNamed(t)
	}
	if before := ps.toks[max(ps.at-2, 0)]; t.text == "*" && before.text == "*" {
		ps.failAt(t, "there is no operator **: write a power as x*x, or pow(x, 2)")
	}
	if t.text != "(" {
		ps.failAt(t, "expected a value, found %q", t.text)
	}
	v := ps.ternary()
	ps.expect(")")
	return v
}

// parseNamed parses an expression that begins with a name: a variable, constant, raw element, call or cast.
func (ps *parser) parseNamed(t token) value {
	if ps.peek().text == "(" && ps.callable(t.text) { // even if a value has the same name
		return ps.parseCall(t)
	}
	if k, ok := ps.raw[t.text]; ok {
		ps.expect("[")
		at := ps.coerce(ps.ternary(), dtype.Int64)
		ps.expect("]")
		return value{reg: ps.b.emit(Inst{Op: OpLoad, Type: ps.b.prog.Inputs[k].Type, A: at, Index: k})}
	}
	if v, ok := ps.vars[t.text]; ok {
		return v
	}
	switch t.text {
	case "i":
		return value{reg: ps.b.emit(Inst{Op: OpIndex, Type: dtype.Int64})}
	case "n":
		return value{reg: ps.b.emit(Inst{Op: OpSize, Type: dtype.Int64})}
	case "_ind":
		for _, s := range []string{".", "size", "(", ")"} {
			if word := ps.next(); word.text != s {
				ps.failAt(word, "_ind has only size()")
			}
		}
		return value{reg: ps.b.emit(Inst{Op: OpSize, Type: dtype.Int64})}
	case "true":
		return value{reg: ps.b.constant(Scalar{Int: 1}, dtype.Bool)}
	case "false":
		return value{reg: ps.b.constant(Scalar{}, dtype.Bool)}
	}
	if c, ok := constantNamed(t.text); ok {
		return value{literal: true, num: Scalar{Re: c}}
	}
	if ps.peek().text == "(" {
		ps.failAt(t, "there is no function %q", t.text)
	}
	if _, ok := ps.output[t.text]; ok {
		ps.failAt(t, "output %q has no value yet", t.text)
	}
	ps.failAt(t, "%q is not declared", t.text)
	return value{}
}

// callable reports whether a name is that of a function or a type.
func (ps *parser) callable(name string) bool {
	_, function := functionNamed(name)
	_, cast := ps.typeName(name)
	return function || cast || name == "select"
}

// parseCall parses the arguments of a function or of a cast.
func (ps *parser) parseCall(t token) value {
	args := ps.arguments()
	if t.text == "select" {
		if len(args) != 3 {
			ps.failAt(t, "select takes a condition and two values")
		}
		common := ps.meet(args[1], args[2])
		return value{reg: ps.b.choose(ps.truth(args[0]), ps.coerce(args[1], common), ps.coerce(args[2], common))}
	}
	if op, ok := functionNamed(t.text); ok {
		return ps.call(t, op, args)
	}
	to, _ := ps.typeName(t.text)
	if len(args) != 1 {
		ps.failAt(t, "a cast takes one value")
	}
	return value{reg: ps.coerce(args[0], to)}
}

func (ps *parser) arguments() []value {
	ps.expect("(")
	var args []value
	if ps.accept(")") {
		return nil
	}
	for {
		args = append(args, ps.ternary())
		if ps.accept(")") {
			return args
		}
		ps.expect(",")
	}
}

// call emits an opcode whose arguments are first converted to one type.
func (ps *parser) call(at token, op Op, args []value) value {
	if len(args) != op.Arity() {
		ps.failAt(at, "%q takes %d values, not %d", op, op.Arity(), len(args))
	}
	t := ps.meet(args...)
	switch {
	case op == OpLdexp:
		return value{reg: ps.b.emit(Inst{Op: op, Type: ps.accepted(at, op, ps.meet(args[0])),
			A: ps.coerce(args[0], ps.meet(args[0])), B: ps.coerce(args[1], dtype.Int64)})}
	case !op.Accepts(t) && t.IsInteger() && op.info().domain&floats != 0: // sqrt(2), exp(n): convert as C does
		t = dtype.Float64
	case t.IsBool() && (op == OpAdd || op == OpMul || !op.Accepts(t) && op.info().domain&integers != 0): // promote as C does
		t = dtype.Int32
	}
	ps.accepted(at, op, t)
	if op.Arity() == 1 {
		return value{reg: ps.b.unary(op, ps.coerce(args[0], t))}
	}
	return value{reg: ps.b.binary(op, ps.coerce(args[0], t), ps.coerce(args[1], t))}
}

func (ps *parser) accepted(at token, op Op, t dtype.DType) dtype.DType {
	if (at.text == "^" || at.text == "^=") && !op.Accepts(t) {
		ps.failAt(at, "^ is the exclusive or of integers, and has no meaning for %s: write a power as x*x, or pow(x, 2)", t)
	}
	if !op.Accepts(t) {
		ps.failAt(at, "%q has no meaning for %s", op, t)
	}
	return t
}

// meet returns the type in which values are computed together: literals adapt to the other values.
func (ps *parser) meet(vs ...value) dtype.DType {
	t, anyFloat := dtype.Unspecified, false
	for _, v := range vs {
		switch {
		case v.literal:
			anyFloat = anyFloat || !v.integer
		case !t.Valid():
			t = ps.b.typeOf(v.reg)
		default:
			t = dtype.Promote(t, ps.b.typeOf(v.reg))
		}
	}
	switch {
	case !t.Valid() && anyFloat, t.IsInteger() && anyFloat, t.IsBool() && anyFloat:
		return dtype.Float64
	case !t.Valid():
		return dtype.Int64
	case t.IsBool() && len(vs) > 1 && literalAmong(vs):
		return dtype.Int32
	}
	return t
}

func literalAmong(vs []value) bool {
	for _, v := range vs {
		if v.literal {
			return true
		}
	}
	return false
}

// coerce returns v as a register of type t.
func (ps *parser) coerce(v value, t dtype.DType) Reg {
	if !v.literal {
		return ps.b.cast(v.reg, t)
	}
	num := v.num
	if t.IsBool() {
		num.Int = 0
		if v.num.Re != 0 {
			num.Int = 1
		}
	} else if !v.integer && !t.IsInexact() {
		return ps.b.cast(ps.b.constant(num, dtype.Float64), t)
	}
	return ps.b.constant(num, t)
}

// truth returns v != 0.
func (ps *parser) truth(v value) Reg { return ps.coerce(v, dtype.Bool) }
