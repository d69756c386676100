package ndgrad_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPackageCommentsBegin checks what newcomers read first: the comments of nd and nd/ops begin with at most forty
// lines that show the essentials, and the package's Example runs the program in them.
func TestPackageCommentsBegin(t *testing.T) {
	const most = 40
	for _, folder := range []string{"nd", "nd/ops"} {
		comment, err := os.ReadFile(filepath.Join(filepath.FromSlash(folder), "doc.go"))
		if err != nil {
			t.Fatal(err)
		}
		example, err := os.ReadFile(filepath.Join(filepath.FromSlash(folder), "example_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		_, program, _ := strings.Cut(string(example), "\nfunc Example() {\n")
		program, _, _ = strings.Cut(program, "\n}\n")
		_, beginning, _ := strings.Cut(string(comment), "// Package ")
		beginning, _, _ = strings.Cut(beginning, "\n//\n// # ")
		beginning, _, _ = strings.Cut(beginning, "\n//\n// Families ")
		lines := strings.Split(beginning, "\n")
		if len(lines) > most {
			t.Errorf("the comment of %s begins with %d lines, want at most %d", folder, len(lines), most)
		}
		statements := 0
		for _, line := range lines {
			code, ok := strings.CutPrefix(line, "//\t")
			if !ok {
				continue
			}
			statements++
			code, _, _ = strings.Cut(code, " // ")
			if !strings.Contains(program, "\t"+strings.TrimSpace(code)+"\n") {
				t.Errorf("the Example of %s does not have %q", folder, code)
			}
		}
		if statements < 5 {
			t.Errorf("the comment of %s begins with %d statements", folder, statements)
		}
	}
}
