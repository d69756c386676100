package ndgrad_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	// What the programs import: go test then builds these packages before it runs the test. Otherwise the go command that the test starts
	// would build them once more at the same time.
	_ "github.com/ndgrad/ndgrad/cudaops"
	_ "github.com/ndgrad/ndgrad/nd/ndimage"
	_ "github.com/ndgrad/ndgrad/nd/ndmat"
	_ "github.com/ndgrad/ndgrad/nd/ndplot"
	_ "github.com/ndgrad/ndgrad/nn/caffe"
	_ "github.com/ndgrad/ndgrad/nn/comm/mpi"
	_ "github.com/ndgrad/ndgrad/nn/link"
	_ "github.com/ndgrad/ndgrad/nn/nnabla"
	_ "github.com/ndgrad/ndgrad/nn/onnx"
	_ "github.com/ndgrad/ndgrad/nn/torch"
)

var vettool = flag.String("vettool", "", "run go vet with this `tool` on the programs of the documents, instead of running them")

// TestProgramsInDocs builds and runs the Go blocks of README and of all documents in docs, and compares their output
// with the comments that state it: the comments right below a statement with fmt.Print in it, or otherwise on its last
// line. A block that begins with a package clause is a program of its own. The import declarations of the other blocks
// hold for the whole document, and the statements of one section (up to the next heading ##) run as one function.
func TestProgramsInDocs(t *testing.T) {
	goCommand, err := exec.LookPath("go")
	if err != nil {
		t.Skip("the go command is missing: the programs cannot be built")
	}
	root, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	overlay := map[string]string{}
	var packages []string
	var programs []document
	files, err := filepath.Glob(filepath.Join("docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, "README.md") {
		file = filepath.ToSlash(file)
		text, err := os.ReadFile(filepath.FromSlash(file))
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range documents(t, file, string(text)) {
			// The programs lie outside the tree. An overlay puts them into the tree, so that they are part of the
			// module.
			name := fmt.Sprintf("program%03d", len(programs))
			source := filepath.Join(dir, name+".go")
			if err := os.WriteFile(source, []byte(d.program()), 0o644); err != nil {
				t.Fatal(err)
			}
			overlay[filepath.Join(root, "docs", name, "main.go")] = source
			packages = append(packages, "./docs/"+name)
			programs = append(programs, d)
		}
	}
	replaced, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	overlayFile := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlayFile, replaced, 0o644); err != nil {
		t.Fatal(err)
	}
	if *vettool != "" {
		for _, name := range packages { // go vet changes into these folders
			if err := os.Mkdir(filepath.FromSlash(name), 0o755); err != nil {
				t.Fatal(err)
			}
			defer os.Remove(filepath.FromSlash(name))
		}
		vet := exec.Command(goCommand, append([]string{"vet", "-overlay", overlayFile, "-vettool", *vettool}, packages...)...)
		if out, err := vet.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	bin := filepath.Join(dir, "bin") + string(filepath.Separator)
	build := exec.Command(goCommand, append([]string{"build", "-overlay", overlayFile, "-o", bin}, packages...)...)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for i, d := range programs {
		binaries, err := filepath.Glob(fmt.Sprintf("%sprogram%03d*", bin, i))
		if err != nil || len(binaries) != 1 {
			t.Fatalf("program %d: %v %v", i, binaries, err)
		}
		run := exec.Command(binaries[0])
		run.Dir = t.TempDir() // the tour writes files
		out, err := run.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", d.blocks[0].location, err, out)
			continue
		}
		d.compare(t, string(out))
	}
}

// document is one program: a block that is a program, or all other blocks of a file.
type document struct {
	whole  bool
	blocks []block
}

// block is a fenced block of Go.
type block struct {
	location string // file:line of its first line
	section  int    // number of headings before it
	code     string
	prints   []string // output lines that the comments state
	imports  bool
}

func documents(t *testing.T, file, text string) []document {
	var whole []document
	var rest document
	lines := strings.Split(text, "\n")
	section := 0
	for i := 0; i < len(lines); i++ {
		if strings.HasPrefix(lines[i], "## ") {
			section++
		}
		if lines[i] != "```go" {
			continue
		}
		end := slices.Index(lines[i:], "```")
		if end < 0 {
			t.Fatalf("%s:%d: the block does not end", file, i+1)
		}
		b := block{location: fmt.Sprintf("%s:%d", file, i+2), section: section, code: strings.Join(lines[i+1:i+end], "\n")}
		if formatted, err := format.Source([]byte(b.code)); err != nil {
			t.Errorf("%s: %v", b.location, err)
		} else if !slices.Equal(codeLines(string(formatted)), codeLines(b.code)) {
			t.Errorf("%s: not as gofmt writes it:\n%s", b.location, formatted)
		}
		b.imports = strings.HasPrefix(b.code, "import ")
		switch {
		case strings.HasPrefix(b.code, "package "):
			b.prints = statedOutput(t, b, b.code)
			whole = append(whole, document{whole: true, blocks: []block{b}})
		default:
			if !b.imports {
				b.prints = statedOutput(t, b, "package p\nfunc _() {\n"+b.code+"\n}\n")
			}
			rest.blocks = append(rest.blocks, b)
		}
		i += end
	}
	if rest.blocks != nil {
		whole = append(whole, rest)
	}
	return whole
}

// codeLines leaves out comment lines, which gofmt may reformat as prose.
func codeLines(code string) []string {
	return slices.DeleteFunc(strings.Split(code, "\n"), func(line string) bool {
		line = strings.TrimSpace(line)
		return line == "" || strings.HasPrefix(line, "//")
	})
}

// statedOutput returns the output that the comments state.
func statedOutput(t *testing.T, b block, source string) []string {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, b.location, source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	line := func(at token.Pos) int { return files.Position(at).Line }
	ends := map[int]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(ast.Stmt); ok && prints(s) {
			ends[line(s.End())] = true
		}
		return true
	})
	begins := map[int]bool{}
	for _, group := range f.Comments {
		begins[line(group.Pos())] = true
	}
	var lines []string
	for _, group := range f.Comments {
		if first := line(group.Pos()); ends[first] && !begins[first+1] || ends[first-1] {
			for _, c := range group.List {
				lines = append(lines, strings.TrimPrefix(strings.TrimPrefix(c.Text, "//"), " "))
			}
		}
	}
	return lines
}

func prints(s ast.Stmt) (found bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok && strings.HasPrefix(sel.Sel.Name, "Print") {
				found = true
			}
		}
		return !found
	})
	return found
}

const marker = "-- the next block --"

// program writes the source of the program. Line directives make the compiler report the document's lines.
func (d document) program() string {
	if d.whole {
		return d.blocks[0].code
	}
	var imports, functions, calls strings.Builder
	section := -1
	for _, b := range d.blocks {
		if b.imports {
			fmt.Fprintf(&imports, "//line %s\n%s\n", b.location, b.code)
			continue
		}
		if b.section != section {
			if section >= 0 {
				functions.WriteString("}\n")
			}
			section = b.section
			fmt.Fprintf(&functions, "func section%d() {\n", section)
			fmt.Fprintf(&calls, "section%d()\n", section)
		}
		fmt.Fprintf(&functions, "fmt.Println(%q)\n//line %s\n%s\n", marker, b.location, b.code)
	}
	return "package main\n" + imports.String() + functions.String() + "}\nfunc main() {\n" + calls.String() + "}\n"
}

// compare compares the output with the comments of the blocks.
func (d document) compare(t *testing.T, out string) {
	parts := []string{out}
	var blocks []block
	for _, b := range d.blocks {
		if !b.imports {
			blocks = append(blocks, b)
		}
	}
	if !d.whole {
		parts = strings.Split(out, marker+"\n")[1:]
	}
	if len(parts) != len(blocks) {
		t.Fatalf("%d parts of output for %d blocks", len(parts), len(blocks))
	}
	for i, b := range blocks {
		got := strings.Split(strings.TrimRight(strings.ReplaceAll(parts[i], "\r\n", "\n"), "\n"), "\n")
		want := b.prints
		if len(want) == 0 {
			want = []string{""}
		}
		trim := func(lines []string) []string {
			trimmed := slices.Clone(lines)
			for k := range trimmed {
				trimmed[k] = strings.TrimRight(trimmed[k], " ")
			}
			return trimmed
		}
		if !slices.Equal(trim(got), trim(want)) {
			t.Errorf("%s: it prints\n%s\nbut says\n%s", b.location, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
