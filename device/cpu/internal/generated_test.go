// Package internal_test holds the tests of what several kernel packages have in common.
package internal_test

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "note the present state of generators and assembly as matching")

// TestAssemblyIsCurrent fails where a generator or its output was changed without the other: each kernel package notes
// the sums of both in generated.sum. After a change of gen, run
//
//	go generate ./device/cpu/internal/... ./bench/limit && go test ./device/cpu/internal -update
func TestAssemblyIsCurrent(t *testing.T) {
	generators, err := filepath.Glob("gen/*/main.go")
	if err != nil || len(generators) == 0 {
		t.Fatalf("no generators: %v", err)
	}
	for _, main := range generators {
		family := filepath.Base(filepath.Dir(main))
		output := family
		if family == "limit" { // it is no kernel: the benchmarks measure the machine with it
			output = "../../../bench/limit"
		}
		sum := fmt.Sprintf("generator %s\nassembly %s\n",
			sumOf(t, append(sourcesOf(t, family), "gen/go.mod", "gen/vec/*.go")...), sumOf(t, output+"/*_amd64.s"))
		note := filepath.Join(output, "generated.sum")
		if *update {
			if err := os.WriteFile(note, []byte(sum), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if noted, err := os.ReadFile(note); err != nil || string(noted) != sum {
			t.Errorf("%s is stale: run go generate ./device/cpu/internal/... ./bench/limit && go test ./device/cpu/internal -update", family)
		}
	}
}

// sourcesOf returns the patterns of a generator's own files, and of the functions where it uses them.
func sourcesOf(t *testing.T, family string) []string {
	patterns := []string{"gen/" + family + "/*.go"}
	files, err := filepath.Glob(patterns[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(content), "internal/gen/functions\"") {
			return append(patterns, "gen/functions/*.go", "gen/trace/*.go")
		}
	}
	return patterns
}

// sumOf returns a sum over the names and the content of files; line ends do not count.
func sumOf(t *testing.T, patterns ...string) string {
	h := sha256.New()
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no files %s: %v", pattern, err)
		}
		slices.Sort(files)
		for _, name := range files {
			content, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(h, "%s\n%s\n", filepath.Base(name), strings.ReplaceAll(string(content), "\r\n", "\n"))
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}
