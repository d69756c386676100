package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestAssemblyIsCurrent fails if a generator or its output was changed without the other: go generate records the
// checksums of both in generated.sum, beside the assembly.
func TestAssemblyIsCurrent(t *testing.T) {
	generators, err := filepath.Glob("../gen/*/main.go")
	if err != nil || len(generators) == 0 {
		t.Fatalf("no generators: %v", err)
	}
	for _, main := range generators {
		family := filepath.Base(filepath.Dir(main))
		output := "../" + family
		switch family {
		case "neon": // which translates the output of the others
			continue
		case "limit": // not a kernel: the benchmarks measure the machine with it
			output = "../../../../../bench/limit"
		case "texts":
			output = "../../../../../cudaops/kernels"
		}
		want, err := sumsOf("../gen", family, output)
		if err != nil {
			t.Fatal(err)
		}
		if noted, err := os.ReadFile(output + "/generated.sum"); err != nil || string(noted) != want {
			t.Errorf("%s is stale: run go generate ./device/cpu/internal/simd/... ./bench/limit ./cudaops/kernels", family)
		}
	}
}
