package kernels_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/cudaops/internal/drv"
	"github.com/ndgrad/ndgrad/cudaops/kernels"
)

// TestPTXIsCurrent checks that the embedded code was compiled from the present sources. If it fails, run:
//
//	eval "$(cudaops/setup)"
//	go run -tags cuda ./cudaops/internal/gen/ptx
func TestPTXIsCurrent(t *testing.T) {
	sums, err := kernels.Sums(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	made, err := os.ReadFile(filepath.Join("ptx", "sums"))
	if err != nil {
		t.Fatal(err)
	}
	if kernels.FormatSums(sums) != string(made) {
		t.Error("ptx/sums does not match the sources: run cudaops/internal/gen/ptx")
	}
	for name := range sums {
		for _, rank := range kernels.Ranks {
			if _, err := os.Stat(filepath.Join("ptx", kernels.PTXFile(name, rank))); err != nil {
				t.Error(err)
			}
		}
	}
	built, err := filepath.Glob("ptx/*.ptx.gz")
	if err != nil || len(built) != len(kernels.Ranks)*len(sums) {
		t.Errorf("%d PTX files for %d kernel files (%v)", len(built), len(sums), err)
	}
}

// TestKernelsCompile compiles every kernel for the oldest and for a new GPU, if NVRTC is found. It needs no GPU.
func TestKernelsCompile(t *testing.T) {
	if _, _, err := drv.CompilerVersion(); err != nil {
		t.Skip(err)
	}
	files, err := filepath.Glob("*.cu")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, architecture := range []string{"compute_75", "compute_90"} {
				image, log, err := drv.Compile(string(source), file, append([]string{"--gpu-architecture=" + architecture, "--include-path=."}, kernels.Options()...))
				if err != nil {
					t.Fatalf("%s: %v\n%s", architecture, err, log)
				}
				if strings.HasPrefix(string(image), "NDGRAD-EMULATOR") {
					t.Skip("the emulator's NVRTC makes no PTX")
				}
				if name := strings.TrimSuffix(file, ".cu"); len(image) == 0 || !strings.Contains(string(image), ".entry") {
					t.Errorf("%s: no kernel in %s", architecture, name)
				}
			}
		})
	}
}
