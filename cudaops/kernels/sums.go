package kernels

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

// Options are NVRTC's options for all kernels, except the architecture. No product is fused with a sum unless the
// source says so; division, roots and subnormal numbers follow IEEE 754.
func Options() []string {
	return []string{"--std=c++17", "--fmad=false", "--ftz=false", "--prec-div=true", "--prec-sqrt=true"}
}

// Sums returns, for each file of kernels in a folder, the checksum of the input of its PTX: its text, the headers that
// it includes, and the options.
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

// Text returns the text of a file in a folder. The headers that it includes replace their include lines, each once.
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
