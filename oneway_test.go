package ndgrad_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"
)

// TestOneWayToMemory checks that package nd reads the memory of a block by storage.memory alone: the field itself is selected only
// in the files of the storage, which say when a block has memory.
func TestOneWayToMemory(t *testing.T) {
	owners := map[string]bool{"storage.go": true, "deferred.go": true, "group.go": true}
	files, err := filepath.Glob("nd/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	fset := token.NewFileSet()
	for _, path := range files {
		if owners[filepath.Base(path)] {
			continue
		}
		file, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == "block" {
				t.Errorf("%s selects the field block: use storage.memory", fset.Position(n.Pos()))
			}
			return true
		})
	}
}
