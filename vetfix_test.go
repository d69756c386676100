package ndgrad_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestVetFix applies the fix of ndvet to the programs of bench/natural.go, written as loops without scopes, and to the
// loop in docs/memory.md. The results must be as stated, and compute the same.
func TestVetFix(t *testing.T) {
	if *vettool == "" {
		t.Skip("needs ndvet: -vettool")
	}
	fixes := filepath.Join("testing", "ndvet", "testdata", "fix")
	testVetFix(t, readText(t, filepath.Join(fixes, "natural.go")), readText(t, filepath.Join(fixes, "natural.go.golden")))

	_, diff, found := strings.Cut(readText(t, filepath.Join("docs", "memory.md")), "```diff\n")
	diff, _, ends := strings.Cut(diff, "```\n")
	if !found || !ends {
		t.Fatal("docs/memory.md shows no diff")
	}
	lines := map[byte]string{}
	for line := range strings.Lines(diff) {
		for _, side := range []byte("-+") {
			if line[0] == ' ' || line[0] == side {
				lines[side] += line[1:]
			}
		}
	}
	const program = `package main

import (
	"fmt"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

func main() {
	x, v, dt := nd.Full([]int{1000}, 1.0), nd.Zeros([]int{1000}), nd.Scalar(0.01)
%s	fmt.Println(x.Float(0), v.Float(999))
}
`
	testVetFix(t, fmt.Sprintf(program, lines['-']), fmt.Sprintf(program, lines['+']))
}

// testVetFix fixes a program, which must then be want and print the same as before.
func testVetFix(t *testing.T, program, want string) {
	t.Helper()
	dir, err := os.MkdirTemp(".", "vetfix") // in the module, so that the library can be imported
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "main.go")
	if err := os.WriteFile(file, []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	before := goOutput(t, "run", "./"+dir)
	goOutput(t, "vet", "-fix", "-vettool", *vettool, "./"+dir)
	if fixed := readText(t, file); fixed != want {
		t.Errorf("fixed:\n%s\nwant:\n%s", fixed, want)
	}
	goOutput(t, "vet", "-vettool", *vettool, "./"+dir)
	if after := goOutput(t, "run", "./"+dir); after != before {
		t.Errorf("the program printed\n%s\nand prints after the fix\n%s", before, after)
	}
}

func goOutput(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("go", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func readText(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
