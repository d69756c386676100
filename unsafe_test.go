package ndgrad_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestUnsafeIsAccountedFor finds packages that import unsafe outside their tests, and compares them with the table of
// docs/unsafe.md.
func TestUnsafeIsAccountedFor(t *testing.T) {
	text, err := os.ReadFile("docs/unsafe.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Where\n")
	section, _, _ = strings.Cut(section, "\n## ")
	named := map[string]bool{} // whether the package was found
	for _, folder := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(section, -1) {
		named[folder[1]] = false
	}
	err = filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && path != "." {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			if folder := filepath.ToSlash(filepath.Dir(path)); spec.Path.Value == `"unsafe"` {
				if _, ok := named[folder]; !ok {
					t.Errorf("%s imports unsafe: say in docs/unsafe.md what for, and why it is correct", path)
				}
				named[folder] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for folder, found := range named {
		if !found {
			t.Errorf("docs/unsafe.md names %s, which does not import unsafe", folder)
		}
	}
}
