// Package kernels holds the kernels of CUDA devices: their source, *.cu and *.cuh, and the PTX that NVRTC compiles from
// it for every GPU from compute capability 7.5 on, ptx/*.ptx.gz. Both are embedded only in programs that are built with
// the tag cuda.
package kernels

import (
	"compress/gzip"
	"fmt"
	"io"
	"path"
)

//go:generate go run -C ../../device/internal/scalar/cuda .
//go:generate go run -C ../.. ./cudaops/internal/gen/opcodes
//go:generate go run -C ../../device/cpu/internal/simd/gen ./texts ../../../../../cudaops/kernels/texts.cuh
//go:generate go run ../../device/cpu/internal/simd/sum -gen ../../device/cpu/internal/simd/gen texts

// Architecture is NVRTC's option for the oldest supported GPU. Drivers compile the code for the GPU that they find.
const Architecture = "--gpu-architecture=compute_75"

// Ranks are the largest ranks of the loops of kernels. There is one PTX file for each.
var Ranks = []int{8, 32}

// PTXFile returns the name of the PTX of a file of kernels, such as copy_8.ptx.gz for copy.cu.
func PTXFile(file string, rank int) string { return fmt.Sprintf("%s_%d.ptx.gz", file, rank) }

// PTX returns the PTX of a file of kernels, such as "copy" for copy.cu, for a rank. It is text that ends with a zero
// byte.
func PTX(file string, rank int) ([]byte, error) {
	f, err := built.Open(path.Join("ptx", PTXFile(file, rank)))
	if err != nil {
		return nil, fmt.Errorf("kernels: %w", err)
	}
	defer f.Close()
	text, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("kernels: %s: %w", file, err)
	}
	ptx, err := io.ReadAll(text)
	if err != nil {
		return nil, fmt.Errorf("kernels: %s: %w", file, err)
	}
	return append(ptx, 0), nil
}

// Source returns the text of a file, such as "machine.cuh", with all files that it includes.
func Source(file string) (string, error) { return Text(built, file) }
