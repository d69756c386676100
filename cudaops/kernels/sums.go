package kernels

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

// Options are NVRTC's options for all kernels, the architecture apart: no product is fused with a sum unless the source says so,
// and division, roots and subnormal numbers are as IEEE 754 has them.
func Options() []string {
	return []string{"--std=c++17", "--fmad=false", "--ftz=false", "--prec-div=true", "--prec-sqrt=true"}
}

// Sums returns, for each file of kernels in a folder, the sum of its text, of the headers that it includes and of the options: what its
// PTX is made of.
func Sums(folder fs.FS) (map[string]string, error) {
	files, err := fs.Glob(folder, "*.cu")
	if err != nil {
		return nil, err
	}
	sums := map[string]string{}
	for _, file := range files {
		text, err := Text(folder, file)
		if err != nil {
			return nil, err
		}
		name := strings.TrimSuffix(file, ".cu")
		sums[name] = fmt.Sprintf("%x  %s", sha256.Sum256(fmt.Appendln(nil, Options(), text)), name)
	}
	return sums, nil
}

// Text returns a file of a folder with the headers that it includes in their places, each once.
func Text(folder fs.FS, file string) (string, error) {
	var b strings.Builder
	seen := map[string]bool{}
	var include func(name string) error
	include = func(name string) error {
		if seen[name] {
			return nil
		}
		seen[name] = true
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return fmt.Errorf("kernels: %w", err)
		}
		for line := range strings.Lines(string(text)) {
			if header, ok := strings.CutPrefix(line, "#include \""); ok {
				if err := include(strings.TrimRight(header, "\"\n")); err != nil {
					return err
				}
			} else if !strings.HasPrefix(line, "#pragma once") {
				b.WriteString(line)
			}
		}
		return nil
	}
	err := include(file)
	return b.String(), err
}

// FormatSums returns the lines of the file ptx/sums.
func FormatSums(sums map[string]string) string {
	lines := slices.SortedFunc(maps.Values(sums), func(a, b string) int { return strings.Compare(a[64:], b[64:]) })
	return strings.Join(lines, "\n") + "\n"
}
