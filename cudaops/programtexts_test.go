package cudaops

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/cudaops/internal/drv"
	"github.com/ndgrad/ndgrad/cudaops/kernels"
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/testing/compliance"
)

// texts is the folder of all programs that the compliance suite runs, as CUDA C++; cudaops/emulator/programs names it.
var texts = os.Getenv("NDGRAD_CUDA_PROGRAM_TEXTS")

// noting is a device that notes how the programs of elementwise launches are printed.
type noting struct {
	*Device
	kernels map[string]bool
}

// Elementwise prints the program and runs it.
func (d *noting) Elementwise(l *device.Launch) {
	if !l.Program.HasRaw() {
		l.Coalesce()
	}
	d.kernels[printProgram(l.Program, layoutOf(l))] = true
	d.Device.Elementwise(l)
}

// TestWritePrograms runs the suite and writes the texts of its programs, some to a file.
func TestWritePrograms(t *testing.T) {
	if texts == "" {
		t.Skip("cudaops/emulator/programs runs this")
	}
	d := &noting{gpu(t, "cuda:0"), map[string]bool{}}
	d.printing = printNever
	compliance.Run(t, d, 1, "Concurrency")
	var all []string
	for text := range d.kernels {
		all = append(all, text)
	}
	slices.Sort(all)
	t.Logf("%d programs", len(all))
	for part := range slices.Chunk(all, 100) {
		var source strings.Builder
		for i, text := range part {
			source.WriteString(strings.Replace(text, "KERNEL(program,", fmt.Sprintf("KERNEL(program%d,", i), 1))
		}
		files, _ := filepath.Glob(filepath.Join(texts, "*.cu"))
		if err := os.WriteFile(filepath.Join(texts, fmt.Sprintf("programs%03d.cu", len(files))), []byte(source.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestWrittenProgramsCompile has NVRTC and the assembler compile them.
func TestWrittenProgramsCompile(t *testing.T) {
	if texts == "" {
		t.Skip("cudaops/emulator/programs runs this")
	}
	files, err := filepath.Glob(filepath.Join(texts, "*.cu"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs in %s: %v", texts, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, architecture := range []string{"compute_75", "compute_90"} {
				image, log, err := drv.Compile(programSource(string(text)), file, append([]string{"--gpu-architecture=" + architecture}, kernels.Options()...))
				if err != nil {
					t.Fatalf("%s: %v\n%.2000s", architecture, err, log)
				}
				if architecture == "compute_90" {
					assemble(t, image)
				}
			}
		})
	}
}

// assemble has NVIDIA's assembler make code of PTX for sm_90, as drivers do: cudaops/setup -ptxas fetches it.
func assemble(t *testing.T, image []byte) {
	file := filepath.Join(t.TempDir(), "program.ptx")
	if err := os.WriteFile(file, bytes.TrimRight(image, "\x00"), 0o644); err != nil {
		t.Fatal(err)
	}
	if report, err := exec.Command("ptxas", "-arch=sm_90", "-o", file+".cubin", file).CombinedOutput(); err != nil {
		t.Errorf("%v\n%.2000s", err, report)
	}
}
