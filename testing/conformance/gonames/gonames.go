// Package gonames reads from the source of the catalogue which library functions its rows call, and with which options.
// The lists of functions are generated from it.
package gonames

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

// Functions reads the source of the catalogue, the folder of its package. For each row's signature it returns the
// library functions and methods that its Func calls, such as "ops.Sum" or "Array.Reshape": the function that Func
// names, or for an adapter, the functions in what the adapter returns, the outermost call first.
func Functions(source string) (map[string][]string, error) {
	paths, err := filepath.Glob(filepath.Join(source, "*.go"))
	if err != nil {
		return nil, err
	}
	r := &nameReader{functions: map[string]*ast.FuncDecl{}}
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
		for _, d := range f.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
				r.functions[f.Name.Name] = f
			}
		}
	}
	names := map[string][]string{}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if row, ok := n.(*ast.CompositeLit); ok {
				if signature, function := rowFields(row); function != nil {
					names[signature] = r.of(function)
				}
			}
			return true
		})
	}
	for _, row := range catalogue.Rows() {
		if names[row.Signature] == nil {
			return nil, fmt.Errorf("%s: the catalogue in %s names no function for it", row.Signature, source)
		}
	}
	return names, nil
}

// rowFields returns the signature and the function of a Row literal; nil for other literals.
func rowFields(literal *ast.CompositeLit) (signature string, function ast.Expr) {
	for _, e := range literal.Elts {
		field, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return "", nil
		}
		switch name, _ := field.Key.(*ast.Ident); {
		case name == nil:
		case name.Name == "Signature":
			signature, ok = constantText(field.Value)
			if !ok {
				return "", nil
			}
		case name.Name == "Func":
			function = field.Value
		}
	}
	if signature == "" {
		return "", nil
	}
	return signature, function
}

// constantText returns the value of a string literal or of a concatenation of them.
func constantText(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		left, ok1 := constantText(e.X)
		right, ok2 := constantText(e.Y)
		return left + right, ok1 && ok2 && e.Op == token.ADD
	}
	return "", false
}

// nameReader finds the library functions in adapters, which may call other functions of the package.
type nameReader struct{ functions map[string]*ast.FuncDecl }

// library lists the packages whose functions are reported.
var library = []string{"nd", "ops", "loss", "conv", "normalize", "image", "linalg", "fft", "poly", "window", "random", "sparse", "sequence", "quantize", "dtype", "broadcast", "grad", "nn", "initializer", "quant", "optim", "assert", "device"}

// auxiliary lists functions that adapters use internally; they are reported only if nothing else is found.
var auxiliary = map[string]bool{
	"nd.Func": true, "nd.Scalar": true, "nd.Catch": true, "nd.At": true, "nd.Value": true, "dtype.Of": true, "Array.Float": true,
	"Array.Dim": true, "Array.Rank": true, "Array.Shape": true, "Array.Size": true, "Array.DType": true, "Array.Device": true,
	"Array.IsScalar": true, "Array.IsReleased": true, "Array.To": true, "nd.NewRand": true, "nd.FromSliceOn": true, "dtype.Info": true, "broadcast.Equal": true, "broadcast.FormatShape": true,
	"Array.Detach": true, "Array.Release": true, "ops.Equal": true,
}

func (r *nameReader) of(function ast.Expr) []string {
	names := r.in(function, map[string]bool{})
	if f, ok := function.(*ast.FuncLit); ok && names == nil {
		names = r.in(f.Type, map[string]bool{}) // the parameter or result types name library types
	}
	if chosen := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return auxiliary[name] }); len(chosen) > 0 {
		return chosen
	}
	if names == nil {
		return []string{} // no library function is used
	}
	return names
}

// in lists the names in an expression. For a function it lists those in the returned expressions, or all if there are
// none.
func (r *nameReader) in(n ast.Node, seen map[string]bool) []string {
	var names []string
	add := func(more ...string) {
		for _, name := range more {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	switch n := n.(type) {
	case *ast.FuncLit:
		return r.body(n.Body, seen)
	case *ast.Ident:
		if f := r.functions[n.Name]; f != nil && !seen[n.Name] {
			seen[n.Name] = true
			return r.body(f.Body, seen)
		}
		return nil
	}
	ast.Inspect(n, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.SelectorExpr:
			if name := qualified(m); name != "" {
				add(name)
				_, method := m.X.(*ast.CallExpr)
				return method // a chain of methods
			}
		case *ast.FuncLit, *ast.Ident:
			if m != n {
				add(r.in(m, seen)...)
				return false
			}
		}
		return true
	})
	return names
}

func (r *nameReader) body(body *ast.BlockStmt, seen map[string]bool) []string {
	var returned []string
	ast.Inspect(body, func(n ast.Node) bool {
		if s, ok := n.(*ast.ReturnStmt); ok {
			for _, e := range s.Results {
				for _, name := range r.in(e, seen) {
					if !slices.Contains(returned, name) {
						returned = append(returned, name)
					}
				}
			}
		}
		_, inner := n.(*ast.FuncLit)
		return !inner
	})
	if slices.ContainsFunc(returned, func(name string) bool { return !auxiliary[name] }) {
		return returned
	}
	all := returned
	for _, s := range body.List {
		for _, name := range r.in(s, seen) {
			if !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all
}

// types are not functions, except options, whose names end in Options. dtypeFunctions are the functions of package
// dtype.
var (
	types = map[string]bool{"nd.Array": true, "nd.Index": true, "nd.Named": true, "nd.NamedArrays": true, "nd.Rand": true, "nd.FloatFormat": true,
		"ops.Axes": true, "quantize.Array": true, "grad.Tape": true, "device.Device": true}
	// words are the types of words that choose a mode, and such words.
	words = map[string]bool{"fft.Window": true, "fft.WindowRectangular": true, "graph.RankDir": true, "image.Interpolation": true, "image.Padding": true,
		"linalg.NormKind": true, "linalg.QRMode": true, "loss.HingeNorm": true, "loss.Reduction": true, "nd.FloatMode": true, "nd.SignMode": true,
		"ops.BagMode": true, "ops.BinRule": true, "ops.ElementOrder": true, "ops.IndexClip": true, "ops.IndexMode": true, "ops.PadMode": true,
		"ops.ReduceKind": true, "ops.ReflectType": true, "quantize.INQSelection": true, "sequence.Nonlinearity": true, "sequence.RecurrentMode": true}
	dtypeFunctions = map[string]bool{"Promote": true, "ResultType": true, "CanCast": true, "Info": true, "Parse": true}
)

// qualified returns the name of a library function or array method that a selector refers to, or "".
func qualified(s *ast.SelectorExpr) string {
	switch x := s.X.(type) {
	case *ast.Ident:
		if slices.Contains(library, x.Name) {
			name := x.Name + "." + s.Sel.Name
			if strings.HasSuffix(name, "Options") || s.Sel.Name == "Over" || types[name] || words[name] || x.Name == "dtype" && !dtypeFunctions[s.Sel.Name] {
				return ""
			}
			return name
		}
	case *ast.ParenExpr: // (*nd.Array).Reshape, (*grad.Function).Call
		if name := pointedTo(x.X); name != "" {
			return name + "." + s.Sel.Name
		}
	case *ast.SelectorExpr: // device.Device.Name
		if pkg, ok := x.X.(*ast.Ident); ok && types[pkg.Name+"."+x.Sel.Name] {
			return x.Sel.Name + "." + s.Sel.Name
		}
	case *ast.TypeAssertExpr: // n.Tape.(*grad.Tape).VJPRecorded
		if name := pointedTo(x.Type); name != "" {
			return name + "." + s.Sel.Name
		}
	}
	if _, ok := reflect.TypeFor[*nd.Array]().MethodByName(s.Sel.Name); ok {
		return "Array." + s.Sel.Name
	}
	return ""
}

// pointedTo returns the name of the type in another package that a pointer type points to, or "".
func pointedTo(e ast.Expr) string {
	if star, ok := e.(*ast.StarExpr); ok {
		if t, ok := star.X.(*ast.SelectorExpr); ok {
			return t.Sel.Name
		}
	}
	return ""
}
