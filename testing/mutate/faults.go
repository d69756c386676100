package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"math/rand/v2"
	"strings"
)

// fault is one fault: its location in the source and the change.
type fault struct {
	Number         int
	Part, Package  string
	File, Function string
	Line           int
	From, To       int    // offsets of the replaced text in the file
	Switched       string // the replacement: the text with the fault behind its switch
	Before, After  string // the original and the faulty text, for reports
}

// key identifies a fault as long as the text of its function does not change.
func (p fault) key() string {
	return fmt.Sprintf("%s/%s\t%s\t%s\t%s", strings.TrimPrefix(p.Package, module), p.File, p.Function, p.Before, p.After)
}

// finder finds possible faults in a file.
type finder struct {
	*target
	file     string
	source   []byte
	function string
	stack    []ast.Node
	found    []func(number int, r *rand.Rand) fault
}

// faults returns the possible faults of a package, as functions that create the fault with a number and choose its
// kind.
func (t *target) faults() []func(number int, r *rand.Rand) fault {
	var all []func(int, *rand.Rand) fault
	for _, name := range t.files {
		if ast.IsGenerated(t.parsed[name]) {
			continue
		}
		f := &finder{target: t, file: name, source: t.sources[name]}
		for _, d := range t.parsed[name].Decls {
			if function, ok := d.(*ast.FuncDecl); ok {
				f.function = nameOf(function)
			} else {
				f.function = "-"
			}
			ast.Inspect(d, func(n ast.Node) bool {
				if n == nil {
					f.stack = f.stack[:len(f.stack)-1]
					return true
				}
				f.look(n)
				f.stack = append(f.stack, n)
				return true
			})
		}
		all = append(all, f.found...)
	}
	return all
}

// nameOf returns a function's name, with its receiver's type.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	receiver := f.Recv.List[0].Type
	if star, ok := receiver.(*ast.StarExpr); ok {
		receiver = star.X
	}
	if index, ok := receiver.(*ast.IndexExpr); ok {
		receiver = index.X
	}
	if name, ok := receiver.(*ast.Ident); ok {
		return name.Name + "." + f.Name.Name
	}
	return f.Name.Name
}

// flips are the operators that can replace a comparison.
var flips = map[token.Token][]token.Token{
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR},
	token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
}

// operations gives, for an operator, the function of the switch and the replacement.
var operations = map[token.Token]struct{ function, becomes string }{
	token.ADD: {"mutantAdd", "-"}, token.SUB: {"mutantSubtract", "+"}, token.MUL: {"mutantMultiply", "+"},
	token.QUO: {"mutantDivide", "*"}, token.AND: {"mutantAnd", "|"}, token.OR: {"mutantOr", "&"},
}

// assignments is the same for assignment statements.
var assignments = map[token.Token]string{
	token.ADD_ASSIGN: "-=", token.SUB_ASSIGN: "+=", token.MUL_ASSIGN: "+=", token.QUO_ASSIGN: "*=",
	token.AND_ASSIGN: "|=", token.OR_ASSIGN: "&=", token.INC: "--", token.DEC: "++",
}

// look records the possible faults of a node.
func (f *finder) look(n ast.Node) {
	if e, ok := n.(ast.Expr); ok && f.info.Types[e].Value != nil {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.INT {
			f.bound(literal)
		}
		return
	}
	switch n := n.(type) {
	case *ast.BinaryExpr:
		f.binary(n)
	case *ast.UnaryExpr:
		x := f.text(n.X)
		switch n.Op {
		case token.NOT:
			f.add(n, func(number int, _ *rand.Rand) (string, string) {
				return fmt.Sprintf("(!(%s) != mutantOn(%d))", x, number), x
			})
		case token.SUB:
			f.add(n, func(number int, _ *rand.Rand) (string, string) {
				return fmt.Sprintf("mutantNegate(%d, %s)", number, x), x
			})
		}
	case *ast.IfStmt:
		condition := f.text(n.Cond)
		f.add(n.Cond, func(number int, _ *rand.Rand) (string, string) {
			return fmt.Sprintf("((%s) != mutantOn(%d))", condition, number), "!(" + condition + ")"
		})
	case *ast.AssignStmt:
		if to, ok := assignments[n.Tok]; ok {
			f.statement(n, f.text(n.Lhs[0])+" "+to+" "+f.text(n.Rhs[0]))
		}
	case *ast.IncDecStmt:
		f.statement(n, f.text(n.X)+assignments[n.Tok])
	}
}

func (f *finder) binary(n *ast.BinaryExpr) {
	x, y, op := f.text(n.X), f.text(n.Y), n.Op.String()
	// either returns an expression with one of two operators; each operand is evaluated once.
	either := func(to string) func(int, *rand.Rand) (string, string) {
		return func(number int, _ *rand.Rand) (string, string) {
			return fmt.Sprintf("(!mutantOn(%d) && (%s %s %s) || mutantOn(%d) && (%s %s %s))", number, x, op, y, number, x, to, y),
				x + " " + to + " " + y
		}
	}
	switch n.Op {
	case token.LAND:
		f.add(n, either("||"))
	case token.LOR:
		f.add(n, either("&&"))
	case token.EQL:
		f.add(n, either("!="))
	case token.NEQ:
		f.add(n, either("=="))
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		f.add(n, func(number int, r *rand.Rand) (string, string) {
			to := flips[n.Op][r.IntN(2)]
			return either(to.String())(number, r)
		})
	default:
		if o, ok := operations[n.Op]; ok && isNumber(f.info.Types[n].Type) {
			f.add(n, func(number int, _ *rand.Rand) (string, string) {
				return fmt.Sprintf("%s(%d, %s, %s)", o.function, number, x, y), x + " " + o.becomes + " " + y
			})
		}
	}
}

// isNumber reports whether t is a number and not a string. For type parameters the compiler decides.
func isNumber(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return !ok || basic.Info()&types.IsNumeric != 0
}

// bound adds a literal that is a bound: an operand of a comparison, a sum or a difference, an index, a length, an
// argument of min or max, or the start of a loop.
func (f *finder) bound(literal *ast.BasicLit) {
	if len(f.stack) < 2 {
		return
	}
	parent := f.stack[len(f.stack)-1]
	switch p := parent.(type) {
	case *ast.BinaryExpr:
		if f.info.Types[p].Value != nil || flips[p.Op] == nil && p.Op != token.EQL && p.Op != token.NEQ && p.Op != token.ADD && p.Op != token.SUB {
			return
		}
	case *ast.SliceExpr, *ast.RangeStmt:
	case *ast.IndexExpr:
		if f.info.Types[p.X].IsType() {
			return
		}
	case *ast.CallExpr:
		name, ok := p.Fun.(*ast.Ident)
		capacity := len(p.Args) == 3 && p.Args[2] == literal // a changed capacity affects only memory
		if !ok || name.Name != "min" && name.Name != "max" && (name.Name != "make" || capacity) {
			return
		}
	case *ast.AssignStmt:
		if loop, ok := f.stack[len(f.stack)-2].(*ast.ForStmt); !ok || loop.Init != p {
			return
		}
	default:
		return
	}
	basic, ok := f.info.Types[literal].Type.(*types.Basic)
	if !ok || basic.Info()&types.IsInteger == 0 || basic.Info()&types.IsUntyped != 0 {
		return
	}
	whole := f.text(parent)
	if loop, ok := parent.(*ast.RangeStmt); ok {
		whole, parent = "range "+f.text(loop.X), nil
	}
	f.add(literal, func(number int, _ *rand.Rand) (string, string) {
		return fmt.Sprintf("mutantBound[%s](%d, %s)", basic.Name(), number, literal.Value), "(" + literal.Value + "+1)"
	}, whole, parent)
}

// statement adds an assignment that becomes another one.
func (f *finder) statement(n ast.Stmt, to string) {
	whole := f.text(n)
	f.add(n, func(number int, _ *rand.Rand) (string, string) {
		return fmt.Sprintf("if mutantOn(%d) { %s } else { %s }", number, to, whole), to
	})
}

func (f *finder) text(n ast.Node) string {
	return string(f.source[f.offset(n.Pos()):f.offset(n.End())])
}

func (f *finder) offset(p token.Pos) int { return f.fset.Position(p).Offset }

// add records a possible fault: a node, and the function that returns, for a number, the text behind a switch and the
// text of the fault.
func (f *finder) add(n ast.Node, make func(number int, r *rand.Rand) (switched, after string), around ...any) {
	from, to := f.offset(n.Pos()), f.offset(n.End())
	p := fault{Part: f.part, Package: f.path, File: f.file, Function: f.function, Line: f.fset.Position(n.Pos()).Line, From: from, To: to}
	before := string(f.source[from:to])
	f.found = append(f.found, func(number int, r *rand.Rand) fault {
		p := p
		p.Number = number
		switched, after := make(number, r)
		p.Switched, p.Before, p.After = switched, before, after
		if len(around) > 0 {
			whole := around[0].(string)
			p.Before, p.After = whole, strings.Replace(whole, before, after, 1)
			if parent, ok := around[1].(ast.Node); ok {
				at := from - f.offset(parent.Pos())
				p.After = whole[:at] + after + whole[at+len(before):]
			}
		}
		p.Before, p.After = oneLine(p.Before), oneLine(p.After)
		return p
	})
}

func oneLine(s string) string { return string(bytes.Join(bytes.Fields([]byte(s)), []byte(" "))) }
