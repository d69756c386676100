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

// Sums returns, for each file of kernels in a folder, the sum of its text, of all headers and of the options: what its PTX is made of.
func Sums(folder fs.FS) (map[string]string, error) {
	headers, err := fs.Glob(folder, "*.cuh")
	if err != nil {
		return nil, err
	}
	files, err := fs.Glob(folder, "*.cu")
	if err != nil {
		return nil, err
	}
	sums := map[string]string{}
	for _, file := range files {
		hash := sha256.New()
		fmt.Fprintln(hash, Options())
		for _, name := range append(slices.Clone(headers), file) {
			text, err := fs.ReadFile(folder, name)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(hash, "%s %d\n%s", name, len(text), text)
		}
		name := strings.TrimSuffix(file, ".cu")
		sums[name] = fmt.Sprintf("%x  %s", hash.Sum(nil), name)
	}
	return sums, nil
}

// FormatSums returns the lines of the file ptx/sums.
func FormatSums(sums map[string]string) string {
	lines := slices.SortedFunc(maps.Values(sums), func(a, b string) int { return strings.Compare(a[64:], b[64:]) })
	return strings.Join(lines, "\n") + "\n"
}
