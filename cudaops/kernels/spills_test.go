package kernels_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

var update = flag.Bool("update", false, "rewrite spills.txt")

// internal matches the prefix that NVRTC gives to the names of a file's own functions.
var internal = regexp.MustCompile(`_ZN\d+_INTERNAL_[0-9a-f]+_\d+_\w+?_cu_[0-9a-z_]{8}`)

// TestSpills compiles all kernels for sm_90 with NVIDIA's assembler. spills.txt lists what the assembler cannot keep in
// registers; this must not grow. The test needs the assembler, but no GPU: eval "$(cudaops/setup -ptxas)".
func TestSpills(t *testing.T) {
	ptxas, err := exec.LookPath("ptxas")
	if err != nil {
		t.Skip(err)
	}
	files, err := filepath.Glob("ptx/*.ptx.gz")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	var mu sync.Mutex
	t.Run("files", func(t *testing.T) {
		for _, file := range files {
			t.Run(filepath.Base(file), func(t *testing.T) {
				t.Parallel()
				for function, bytes := range spills(t, ptxas, file) {
					mu.Lock()
					found[strings.TrimSuffix(filepath.Base(file), ".ptx.gz")+" "+function] = bytes
					mu.Unlock()
				}
			})
		}
	})
	if *update {
		var lines strings.Builder
		for _, name := range slices.Sorted(maps.Keys(found)) {
			fmt.Fprintf(&lines, "%s %d\n", name, found[name])
		}
		if err := os.WriteFile("spills.txt", []byte(lines.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile("spills.txt")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]int{}
	for line := range strings.Lines(string(text)) {
		var file, function string
		var bytes int
		if _, err := fmt.Sscan(line, &file, &function, &bytes); err != nil {
			t.Fatal(err)
		}
		known[file+" "+function] = bytes
	}
	for name, bytes := range found {
		if bytes > known[name] {
			t.Errorf("%s spills %d bytes, want at most %d: if that is necessary, run go test ./cudaops/kernels -run TestSpills -update", name, bytes, known[name])
		}
	}
}

// spills returns how many bytes the functions of a file store because registers are missing.
func spills(t *testing.T, ptxas, file string) map[string]int {
	packed, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	text, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	ptx, err := io.ReadAll(text)
	if err != nil {
		t.Fatal(err)
	}
	source := filepath.Join(t.TempDir(), "kernel.ptx")
	if err := os.WriteFile(source, ptx, 0o644); err != nil {
		t.Fatal(err)
	}
	report, err := exec.Command(ptxas, "-v", "-arch=sm_90", "-o", source+".cubin", source).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%.1000s", err, report)
	}
	all := map[string]int{}
	function := ""
	for lines := bufio.NewScanner(bytes.NewReader(report)); lines.Scan(); {
		line := lines.Text()
		if _, name, ok := strings.Cut(line, "Function properties for "); ok {
			function = internal.ReplaceAllString(name, "")
			continue
		}
		var stack, stores int
		if _, err := fmt.Sscanf(strings.TrimSpace(line), "%d bytes stack frame, %d bytes spill stores", &stack, &stores); err == nil && stores > 0 {
			all[function] = max(all[function], stores)
		}
	}
	return all
}
