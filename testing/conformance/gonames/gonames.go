// Package gonames reads from the source of the catalogue which functions of the library its rows come to, and with which
// options. Lists of functions are made of it.
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

// Functions reads the source of the catalogue, the folder of its package, and returns for each row's signature the
// functions and methods of the library that its Func comes to, such as "ops.Sum" or "Array.Reshape": what the Func itself
// names, and where that is an adapter, what the adapter returns, the outermost call first.
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
			return nil, fmt.Errorf("%s: the catalogue in %s does not say what its function is", row.Signature, source)
		}
	}
	return names, nil
}

// rowFields returns the signature and the function of a literal of Row; nil for other literals.
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

// constantText is the value of a literal, or of several put together.
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

// nameReader finds the library's functions in the adapters, which may call others of the package.
type nameReader struct{ functions map[string]*ast.FuncDecl }

// library lists the packages whose functions are what a reader looks for.
var library = []string{"nd", "ops", "loss", "conv", "normalize", "image", "linalg", "fft", "poly", "window", "random", "sparse", "sequence", "quantize", "dtype", "broadcast", "grad", "nn", "initializer", "quant", "optim", "assert", "device"}

// auxiliary lists functions that adapters need for themselves; they count only where there is nothing else.
var auxiliary = map[string]bool{
	"nd.Func": true, "nd.Scalar": true, "nd.Catch": true, "nd.At": true, "nd.Value": true, "dtype.Of": true, "Array.Float": true,
	"Array.Dim": true, "Array.Rank": true, "Array.Shape": true, "Array.Size": true, "Array.DType": true, "Array.Device": true,
	"Array.IsScalar": true, "Array.IsReleased": true, "Array.To": true, "nd.NewRand": true, "nd.FromSliceOn": true, "dtype.Info": true, "broadcast.Equal": true, "broadcast.FormatShape": true,
	"Array.Detach": true, "Array.Release": true, "ops.Equal": true,
}

func (r *nameReader) of(function ast.Expr) []string {
	names := r.in(function, map[string]bool{})
	if f, ok := function.(*ast.FuncLit); ok && names == nil {
		names = r.in(f.Type, map[string]bool{}) // it takes or returns a part of what a type of the library is
	}
	if chosen := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return auxiliary[name] }); len(chosen) > 0 {
		return chosen
	}
	if names == nil {
		return []string{} // it is made of Go alone
	}
	return names
}

// in lists the names in an expression; of a function, those in what it returns, or all where these are none.
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

// types are not functions, but for options, whose names end so; what package dtype has beside dtypes are dtypeFunctions.
var (
	types = map[string]bool{"nd.Array": true, "nd.Index": true, "nd.Named": true, "nd.NamedArrays": true, "nd.Rand": true, "nd.FloatFormat": true,
		"ops.Axes": true, "quantize.Array": true, "grad.Tape": true, "device.Device": true}
	dtypeFunctions = map[string]bool{"Promote": true, "ResultType": true, "CanCast": true, "Info": true, "Parse": true}
)

// qualified is the name of a function of the library, or of a method of arrays, that a selector means; else empty.
func qualified(s *ast.SelectorExpr) string {
	switch x := s.X.(type) {
	case *ast.Ident:
		if slices.Contains(library, x.Name) {
			name := x.Name + "." + s.Sel.Name
			if strings.HasSuffix(name, "Options") || s.Sel.Name == "Over" || types[name] || x.Name == "dtype" && !dtypeFunctions[s.Sel.Name] {
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

// pointedTo is the name of the type of another package that a pointer's type points to; else empty.
func pointedTo(e ast.Expr) string {
	if star, ok := e.(*ast.StarExpr); ok {
		if t, ok := star.X.(*ast.SelectorExpr); ok {
			return t.Sel.Name
		}
	}
	return ""
}
