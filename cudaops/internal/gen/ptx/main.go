//go:build cuda && linux

// Command ptx compiles the kernels with NVRTC 12.4 for compute capability 7.5. Every GPU since then, with a driver from
// 550 on, can run the result. The command writes cudaops/kernels/ptx, with checksums of its sources. Run it in the
// module's root, in the environment that cudaops/setup prints:
//
//	eval "$(cudaops/setup)"
//	go run -tags cuda ./cudaops/internal/gen/ptx
package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/ndgrad/ndgrad/cudaops/internal/drv"
	"github.com/ndgrad/ndgrad/cudaops/kernels"
	"github.com/ndgrad/ndgrad/internal/wholefile"
)

const folder = "cudaops/kernels"

func main() {
	log.SetFlags(0)
	if major, minor, err := drv.CompilerVersion(); err != nil {
		log.Fatal(err)
	} else if major != 12 || minor != 4 {
		log.Fatalf("NVRTC %d.%d is found, want 12.4, which old drivers understand", major, minor)
	}
	sums, err := kernels.Sums(os.DirFS(folder))
	if err != nil {
		log.Fatal(err)
	}
	known, _ := os.ReadFile(filepath.Join(folder, "ptx", "sums"))
	files, err := filepath.Glob(filepath.Join(folder, "*.cu"))
	if err != nil {
		log.Fatal(err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".cu")
		for _, rank := range kernels.Ranks {
			target := filepath.Join(folder, "ptx", kernels.PTXFile(name, rank))
			if _, err := os.Stat(target); err == nil && bytes.Contains(known, []byte(sums[name])) {
				continue
			}
			if err := build(file, target, rank); err != nil {
				log.Fatalf("%s: %v", file, err)
			}
		}
	}
	if err := write(filepath.Join(folder, "ptx", "sums"), []byte(kernels.FormatSums(sums))); err != nil {
		log.Fatal(err)
	}
}

// build compiles one file for loops of a rank.
func build(file, target string, rank int) error {
	source, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	options := append([]string{kernels.Architecture, "--include-path=" + folder, fmt.Sprint("-DNDGRAD_RANK=", rank)}, kernels.Options()...)
	ptx, _, err := drv.Compile(string(source), filepath.Base(file), options)
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(bytes.TrimRight(ptx, "\x00")); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	fmt.Printf("%s: %d bytes of PTX, %d packed\n", filepath.Base(target), len(ptx), packed.Len())
	return write(target, packed.Bytes())
}

func write(path string, content []byte) error {
	return wholefile.Write(path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}
