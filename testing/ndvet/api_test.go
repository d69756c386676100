package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// signatures returns the exported functions of a package: names such as ops.Add or Array.T, with parameters and
// results.
func signatures(t *testing.T, folder string) map[string]string {
	found := map[string]string{}
	files := token.NewFileSet()
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s: %d files, %v", folder, len(paths), err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !fn.Name.IsExported() {
				continue
			}
			of := file.Name.Name
			if fn.Recv != nil {
				recv := fn.Recv.List[0].Type
				if star, ok := recv.(*ast.StarExpr); ok {
					recv = star.X
				}
				if name, ok := recv.(*ast.Ident); ok {
					of = name.Name
				}
			}
			var b bytes.Buffer
			if err := printer.Fprint(&b, files, &ast.FuncType{Params: fn.Type.Params, Results: fn.Type.Results}); err != nil {
				t.Fatal(err)
			}
			found[of+"."+fn.Name.Name] = b.String()
		}
	}
	return found
}

// TestStubsAreTrue compares the stub packages in testdata with the library's packages.
func TestStubsAreTrue(t *testing.T) {
	stubs := filepath.Join("testdata", "src", filepath.FromSlash(module))
	err := filepath.WalkDir(stubs, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		folder := filepath.Dir(path)
		room, err := filepath.Rel(stubs, folder)
		if err != nil {
			return err
		}
		real := signatures(t, filepath.Join("..", "..", room))
		for name, signature := range signatures(t, folder) {
			if real[name] != signature {
				t.Errorf("%s is %s, want %q as in the library", name, signature, real[name])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestNamesAreTrue fails for names that the analyzers use and the library does not have.
func TestNamesAreTrue(t *testing.T) {
	there := map[string]string{}
	for _, room := range []string{"nd", "nd/ops", "nd/ops/linalg", "nd/ops/normalize", "nd/grad", "nn", "nn/optim"} {
		for name, signature := range signatures(t, filepath.Join("..", "..", filepath.FromSlash(room))) {
			there[name] = signature
		}
	}
	for _, names := range []map[string]bool{views, copies, keeps, sums, safeAfterRelease, effects} {
		for name := range names {
			if there[name] == "" {
				t.Errorf("%s does not exist", name)
			}
		}
	}
}
