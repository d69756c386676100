package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"math"
	"strings"
)

// library maps the functions of Go's packages math and math/bits to C++. Functions that CUDA does not have are in
// math.cuh.
var library = map[string]string{
	"math.Abs": "fabs", "math.Sqrt": "sqrt", "math.Floor": "floor", "math.Ceil": "ceil", "math.Trunc": "trunc", "math.RoundToEven": "rint",
	"math.FMA": "fma", "math.Copysign": "copysign", "math.Float64bits": "bits_of", "math.Float64frombits": "double_of",
	"math.Signbit": "math_signbit", "math.IsNaN": "math_isnan", "math.IsInf": "math_isinf", "math.NaN": "math_nan", "math.Inf": "math_inf",
	"math.Round": "math_round", "math.Frexp": "math_frexp", "math.Ldexp": "math_ldexp", "math.Max": "math_max", "math.Mod": "math_mod",
	"math.Nextafter": "math_nextafter", "math.Nextafter32": "math_nextafter32",
	"bits.Mul64": "bits_mul64", "bits.Mul32": "bits_mul32", "bits.Add64": "bits_add64", "bits.Sub64": "bits_sub64", "bits.LeadingZeros64": "bits_zeros",
}

func (t *translator) call(e *ast.CallExpr) string {
	if t.info.Types[e.Fun].IsType() {
		return t.conversion(e)
	}
	args := t.args(e)
	switch f := e.Fun.(type) {
	case *ast.Ident:
		if b, ok := t.info.Uses[f].(*types.Builtin); ok {
			return t.builtin(e, b.Name(), args)
		}
		if v, ok := t.info.Uses[f].(*types.Var); ok { // a parameter that is a function
			return fmt.Sprintf("%s(%s)", local(v.Name()), strings.Join(args, ", "))
		}
		return t.expr(f) + t.instance(f) + "(" + strings.Join(args, ", ") + ")"
	case *ast.IndexExpr:
		return fmt.Sprintf("%s<%s>(%s)", t.expr(f.X), t.typeName(t.typeOf(f.Index)), strings.Join(args, ", "))
	case *ast.SelectorExpr:
		if pkg, ok := f.X.(*ast.Ident); ok {
			if name, ok := t.info.Uses[pkg].(*types.PkgName); ok {
				return t.libraryCall(e, name.Imported().Name()+"."+f.Sel.Name, args)
			}
		}
		return t.method(f, args)
	}
	return t.fail(e, "call")
}

// args writes the arguments of a call.
func (t *translator) args(e *ast.CallExpr) []string {
	var args []string
	for _, a := range e.Args {
		args = append(args, t.expr(a))
	}
	return args
}

// instance writes the type arguments of a call of a generic function.
func (t *translator) instance(f *ast.Ident) string {
	inst, ok := t.info.Instances[f]
	if !ok {
		return ""
	}
	var parts []string
	for i := range inst.TypeArgs.Len() {
		parts = append(parts, t.typeName(inst.TypeArgs.At(i)))
	}
	return "<" + strings.Join(parts, ", ") + ">"
}

func (t *translator) conversion(e *ast.CallExpr) string {
	return fmt.Sprintf("((%s)%s)", t.typeName(t.typeOf(e)), t.expr(e.Args[0]))
}

func (t *translator) builtin(e *ast.CallExpr, name string, args []string) string {
	switch name {
	case "min", "max":
		text := args[0]
		for _, a := range args[1:] {
			text = fmt.Sprintf("go_%s<%s>(%s, %s)", name, t.typeName(t.typeOf(e)), text, a)
		}
		return text
	case "real":
		return args[0] + ".re"
	case "imag":
		return args[0] + ".im"
	case "complex":
		return fmt.Sprintf("%s{%s}", t.typeName(t.typeOf(e)), strings.Join(args, ", "))
	case "len":
		return args[0] + ".len"
	}
	return t.fail(e, "%s", name)
}

func (t *translator) libraryCall(e *ast.CallExpr, name string, args []string) string {
	switch name {
	case "math.Log": // of a constant
		v, ok := constant.Float64Val(constant.ToFloat(t.info.Types[e.Args[0]].Value))
		if !ok && v == 0 {
			return t.fail(e, "math.Log of what is no constant")
		}
		return double(math.Log(v))
	case "unsafe.Sizeof":
		return "(u64)sizeof(" + args[0] + ")"
	}
	f, ok := library[name]
	if !ok {
		return t.fail(e, "%s", name)
	}
	return f + "(" + strings.Join(args, ", ") + ")"
}

// method writes a method call as a function call with the receiver as first argument.
func (t *translator) method(f *ast.SelectorExpr, args []string) string {
	s := t.info.Selections[f]
	if s == nil || s.Kind() != types.MethodVal {
		return t.fail(f, "call of %s", f.Sel.Name)
	}
	method := s.Obj().(*types.Func)
	t.need(method)
	index := s.Index()
	on := t.path(t.expr(f.X), t.typeOf(f.X), index[:len(index)-1])
	_, pointer := method.Signature().Recv().Type().(*types.Pointer)
	_, given := t.typeOf(f.X).(*types.Pointer)
	switch given = given && len(index) == 1; {
	case pointer && !given:
		on = "&" + on
	case !pointer && given:
		on = "*" + on
	}
	return cName(method) + "(" + strings.Join(append([]string{on}, args...), ", ") + ")"
}
