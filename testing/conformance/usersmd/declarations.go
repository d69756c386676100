package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/testing/conformance/gonames"
)

// declarations holds the library's exported functions by qualified name, and the fields of the options structs.
type declarations struct {
	functions map[string]*ast.FuncDecl // "ops.Sum", "Array.Reshape"
	options   map[string][]string      // "ops.ReduceOptions"
	exported  map[string]bool          // exported types, constants and variables: "dtype.Float32"
	catalog   string                   // the folder of the catalogue
}

// readDeclarations reads the packages in folders and below them.
func readDeclarations(folders ...string) (*declarations, error) {
	d := &declarations{functions: map[string]*ast.FuncDecl{}, options: map[string][]string{}, exported: map[string]bool{}}
	for _, folder := range folders {
		if err := d.read(folder); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func (d *declarations) read(folder string) error {
	return filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "internal" || entry.Name() == "testdata") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range f.Decls {
			d.add(f.Name.Name, decl)
		}
		return nil
	})
}

func (d *declarations) add(pkg string, decl ast.Decl) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		switch {
		case decl.Recv == nil:
			d.functions[pkg+"."+decl.Name.Name] = decl
		case typeName(decl.Recv.List[0].Type) == "Array":
			d.functions["Array."+decl.Name.Name] = decl
		}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			if v, ok := spec.(*ast.ValueSpec); ok {
				for _, name := range v.Names {
					d.exported[pkg+"."+name.Name] = true
				}
			}
			t, ok := spec.(*ast.TypeSpec)
			if !ok {
				continue
			}
			d.exported[pkg+"."+t.Name.Name] = true
			if !strings.HasSuffix(t.Name.Name, "Options") {
				continue
			}
			if s, ok := t.Type.(*ast.StructType); ok {
				for _, field := range s.Fields.List {
					for _, name := range field.Names {
						d.options[pkg+"."+t.Name.Name] = append(d.options[pkg+"."+t.Name.Name], name.Name)
					}
				}
			}
		}
	}
}

// call returns the call of a function as text, without its options.
func (d *declarations) call(name string) string {
	f := d.functions[name]
	if f == nil {
		if c, err := gonames.Write(d.catalog, name); err == nil {
			return c.Text
		}
		return name
	}
	pkg, base, _ := strings.Cut(name, ".")
	var params []string
	for _, field := range f.Type.Params.List {
		variadic, dots := field.Type.(*ast.Ellipsis)
		if dots && optionsType(pkg, variadic.Elt) != "" {
			continue
		}
		for _, p := range field.Names {
			text := p.Name
			if dots {
				text += "..."
			}
			params = append(params, text)
		}
	}
	if pkg == "Array" {
		pkg = "x"
	}
	return pkg + "." + base + "(" + strings.Join(params, ", ") + ")"
}

// expandCalls completes a handwritten call: names without parentheses become calls. It refuses functions that the library
// does not have.
func (d *declarations) expandCalls(text string) (string, error) {
	if !strings.Contains(text, "(") {
		var calls []string
		for _, name := range strings.Split(text, ", ") {
			if d.functions[name] == nil {
				return "", fmt.Errorf("no function %s", name)
			}
			calls = append(calls, d.call(name))
		}
		return strings.Join(calls, ", "), nil
	}
	name, _, _ := strings.Cut(strings.Replace(text, "[T]", "", 1), "(")
	if pkg, method, _ := strings.Cut(name, "."); pkg == "x" || pkg == "dst" {
		name = "Array." + method
	}
	if d.functions[name] == nil {
		return "", fmt.Errorf("no function %s", name)
	}
	return text, nil
}

// optionsText lists the option fields of the first function in text, which comes from call or is handwritten. Kink is a
// field of elementwise functions and reductions that only those accept whose comment names it.
func (d *declarations) optionsText(text string) string { return strings.Join(d.optionsOf(text), ", ") }

func (d *declarations) optionsOf(text string) []string {
	name, _, _ := strings.Cut(text, "(")
	if method, ok := strings.CutPrefix(name, "x."); ok {
		name = "Array." + method
	}
	f := d.functions[name]
	if f == nil {
		return nil
	}
	pkg, _, _ := strings.Cut(name, ".")
	params := f.Type.Params.List
	if len(params) == 0 {
		return nil
	}
	variadic, ok := params[len(params)-1].Type.(*ast.Ellipsis)
	if !ok {
		return nil
	}
	if typeName(variadic.Elt) == "Axes" {
		return []string{"Over"}
	}
	fields := d.options[optionsType(pkg, variadic.Elt)]
	if !strings.Contains(f.Doc.Text(), "Kink") {
		fields = slices.DeleteFunc(slices.Clone(fields), func(name string) bool { return name == "Kink" })
	}
	return fields
}

// optionsType returns the qualified name of an options struct, as seen from package pkg, or "" for any other type.
func optionsType(pkg string, t ast.Expr) string {
	if pkg == "Array" {
		pkg = "nd"
	}
	name := typeName(t)
	switch {
	case strings.HasSuffix(name, "Option"): // the struct itself, or axes
		name += "s"
	case !strings.HasSuffix(name, "Options") && name != "Axes":
		return ""
	}
	if s, ok := t.(*ast.SelectorExpr); ok {
		return s.X.(*ast.Ident).Name + "." + name
	}
	return pkg + "." + name
}

func typeName(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return typeName(t.X)
	case *ast.SelectorExpr:
		return t.Sel.Name
	case *ast.Ident:
		return t.Name
	}
	return ""
}
