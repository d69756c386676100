package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// parse returns a package of one file that needs no import.
func parse(t *testing.T, source string) *target {
	t.Helper()
	p := &target{path: module + "nd", part: "nd", files: []string{"file.go"}, fset: token.NewFileSet(),
		sources: map[string][]byte{"file.go": []byte(source)}, parsed: map[string]*ast.File{},
		importer: none{}, info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}}
	var err error
	if p.parsed["file.go"], err = parser.ParseFile(p.fset, "file.go", source, parser.ParseComments); err != nil {
		t.Fatal(err)
	}
	if err := p.check(nil, p.info); err != nil {
		t.Fatal(err)
	}
	return p
}

// none replaces the packages that the switch imports by the declarations that it uses.
type none struct{}

func (none) Import(path string) (*types.Package, error) {
	source := map[string]string{
		"os": `package os
			type File struct{}
			func (*File) WriteString(string) (int, error)
			func (*File) Close() error
			func Getenv(string) string
			func OpenFile(string, int, uint32) (*File, error)
			const O_APPEND, O_CREATE, O_WRONLY = 1, 2, 4`,
		"strconv":     "package strconv\nfunc Atoi(string) (int, error)\nfunc Itoa(int) string",
		"sync/atomic": "package atomic\ntype Bool struct{}\nfunc (*Bool) Swap(bool) bool",
	}[path]
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, source, 0)
	if err != nil {
		return nil, err
	}
	config := types.Config{IgnoreFuncBodies: true}
	return config.Check(path, fset, []*ast.File{f}, nil)
}

func TestFaults(t *testing.T) {
	for _, c := range []struct {
		body string
		want []string // possible results; a comparison shows one of two
	}{
		{"return a + b", []string{"a - b"}},
		{"return -a", []string{"a"}},
		{"return a & (b | 1)", []string{"a | (b | 1)", "b & 1"}},
		{"if a == b { return a }; return b", []string{"!(a == b)", "a != b"}},
		{"for a != 0 { a-- }; return 0", []string{"a == 0", "a != (0+1)", "a++"}},
		{"a += b; return a", []string{"a -= b"}},
		{"x := make([]int, 3, 4); return x[1]", []string{"make([]int, (3+1), 4)", "x[(1+1)]"}},
		{"const c = 2 + 3; return c", nil},
		{"s := \"x\" + string(rune(a)); return len(s)", nil},
		{"ok := !(a == b && b == a); _ = ok; return 0", []string{"(a == b && b == a)", "a == b || b == a", "a != b", "b != a"}},
	} {
		p := parse(t, "package nd\n\nfunc f(a, b int) int { "+c.body+" }\n")
		var got []string
		for _, make := range p.faults() {
			broken := make(1, rand.New(rand.NewPCG(1, 1)))
			if err := p.check([]fault{broken}, nil); err != nil {
				t.Errorf("%s: %s does not compile: %v", c.body, broken.Switched, err)
			}
			after := broken.After
			if broken.Function != "f" || broken.Line != 3 {
				t.Errorf("%s: %s is in %s, line %d", c.body, after, broken.Function, broken.Line)
			}
			got = append(got, after)
		}
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got faults %q, want %q", c.body, got, c.want)
		}
	}
}

func TestFaultsAreDisjoint(t *testing.T) {
	p := parse(t, "package nd\n\nfunc f(a, b int) bool { return a < b && b < a + 1 }\n")
	all := p.faults()
	whole, left := all[0](1, rand.New(rand.NewPCG(1, 1))), all[1](2, rand.New(rand.NewPCG(1, 1)))
	if !overlaps(left, []fault{whole}) || overlaps(left, []fault{all[2](3, rand.New(rand.NewPCG(1, 1)))}) {
		t.Error("overlapping faults are not distinguished from others")
	}
	edited := string(p.edited([]fault{whole})["file.go"])
	if want := "(!mutantOn(1) && (a < b && b < a + 1) || mutantOn(1) && (a < b || b < a + 1))"; !strings.Contains(edited, want) {
		t.Errorf("edited: %s", edited)
	}
}

// TestEquivalentsAreExplained checks the list of faults that are not counted.
func TestEquivalentsAreExplained(t *testing.T) {
	if _, err := reasons(); err != nil {
		t.Error(err)
	}
}
