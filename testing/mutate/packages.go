package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

const module = "github.com/ndgrad/ndgrad/"

// parts are the folders that get faults, with their subfolders, except subfolders that are parts themselves. Each part
// gets the same number of faults.
var parts = []string{"nd", "nd/ops", "nd/grad", "device", "device/cpu"}

// partOf returns the part that a package belongs to, or "".
func partOf(path string) string {
	longest := ""
	for _, part := range parts {
		if (path == module+part || strings.HasPrefix(path, module+part+"/")) && len(part) > len(longest) {
			longest = part
		}
	}
	return longest
}

// target is a package that gets faults: its files as they are built on this machine.
type target struct {
	path, dir, part string
	files           []string // within dir
	sources         map[string][]byte
	parsed          map[string]*ast.File
	fset            *token.FileSet
	importer        types.Importer
	info            *types.Info
}

// listed is the output of go list for a package.
type listed struct {
	ImportPath, Dir, Name, Export string
	GoFiles, Imports              []string
	TestGoFiles, XTestGoFiles     []string
}

// list runs go list with some arguments.
func list(args ...string) ([]listed, error) {
	command := exec.Command("go", append([]string{"list", "-json=ImportPath,Dir,Name,Export,GoFiles,Imports,TestGoFiles,XTestGoFiles"}, args...)...)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var all []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
}

// load reads and type-checks the packages of some parts, sorted by name.
func load(parts []string) ([]*target, error) {
	patterns := []string{"-export", "-deps"}
	for _, part := range parts {
		patterns = append(patterns, "./"+part+"/...")
	}
	all, err := list(patterns...)
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	for _, p := range all {
		exports[p.ImportPath] = p.Export
	}
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("%s was not built", path)
		}
		return os.Open(exports[path])
	})
	var targets []*target
	for _, p := range all {
		part := partOf(p.ImportPath)
		if part == "" || p.Name == "main" || slices.Contains(p.Imports, "testing") {
			continue
		}
		t := &target{path: p.ImportPath, dir: p.Dir, part: part, fset: fset, importer: imports,
			sources: map[string][]byte{}, parsed: map[string]*ast.File{}}
		for _, name := range p.GoFiles {
			source, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				return nil, err
			}
			t.files = append(t.files, name)
			t.sources[name] = source
			if t.parsed[name], err = parser.ParseFile(fset, filepath.Join(p.Dir, name), source, parser.ParseComments); err != nil {
				return nil, err
			}
		}
		t.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		if err := t.check(nil, t.info); err != nil {
			return nil, err
		}
		targets = append(targets, t)
	}
	slices.SortFunc(targets, func(a, b *target) int { return strings.Compare(a.path, b.path) })
	return targets, nil
}

// check reports whether a package compiles with the given faults. It fills info for the package without faults.
func (t *target) check(broken []fault, info *types.Info) error {
	files := make([]*ast.File, 0, len(t.files)+1)
	edited := t.edited(broken)
	for _, name := range t.files {
		source, ok := edited[name]
		if !ok {
			files = append(files, t.parsed[name])
			continue
		}
		f, err := parser.ParseFile(t.fset, filepath.Join(t.dir, name), source, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	if len(broken) > 0 {
		f, err := parser.ParseFile(t.fset, switchFile, t.switchSource(), parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	config := types.Config{Importer: t.importer, Sizes: types.SizesFor("gc", "amd64")}
	_, err := config.Check(t.path, t.fset, files, info)
	return err
}

// edited returns the files of a package that have faults, with the faults behind their switches.
func (t *target) edited(broken []fault) map[string][]byte {
	byFile := map[string][]fault{}
	for _, p := range broken {
		if p.Package == t.path {
			byFile[p.File] = append(byFile[p.File], p)
		}
	}
	edited := map[string][]byte{}
	for file, faults := range byFile {
		slices.SortFunc(faults, func(a, b fault) int { return a.From - b.From })
		var out []byte
		at := 0
		for _, p := range faults {
			out = append(append(out, t.sources[file][at:p.From]...), p.Switched...)
			at = p.To
		}
		edited[file] = append(out, t.sources[file][at:]...)
	}
	return edited
}
