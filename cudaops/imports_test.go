package cudaops

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestOnlyDrvKnowsCUDA checks that no other package uses cgo or imports the driver's bindings.
func TestOnlyDrvKnowsCUDA(t *testing.T) {
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && path != ".." {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".go" || strings.HasPrefix(filepath.ToSlash(path), "../cudaops/internal/drv/") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			if spec.Path.Value == `"C"` || strings.HasPrefix(spec.Path.Value, `"gorgonia.org/cu`) {
				t.Errorf("%s imports %s", path, spec.Path.Value)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
