package cudaops

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ndgrad/ndgrad/cudaops/internal/drv"
	"github.com/ndgrad/ndgrad/cudaops/kernels"
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/testing/compliance"
)

// texts is the folder for the CUDA C++ of all programs that the compliance suite runs. cudaops/emulator/programs sets
// it.
var texts = os.Getenv("NDGRAD_CUDA_PROGRAM_TEXTS")

// recordingDevice is a device that interprets programs and records their printed forms. Once these are compiled it runs both
// forms and compares.
type recordingDevice struct {
	*Device
	t         *testing.T
	numbers   map[string]int // of texts
	functions []drv.Function // of texts, once they are compiled
	compared  int
}

// Elementwise runs a program.
func (d *recordingDevice) Elementwise(l *device.Launch) {
	mergeElementwise(l)
	if l.Size() == 0 {
		return
	}
	y := elementwiseLayout(l)
	d.both(l, printElementwise(l.Program, y), d.Device.Elementwise, func(f drv.Function) {
		d.launch(l.Func, f, y.elementwiseBlocks(l), threads, 0, elementwiseArguments(l, y))
	})
}

// Copy runs a conversion as a program.
func (d *recordingDevice) Copy(l *device.Launch) {
	forwards(l)
	l.Coalesce()
	if l.Size() == 0 || l.Operands[0].DType == l.Operands[1].DType {
		d.Device.Copy(l)
		return
	}
	l.Program = identityOf(l)
	y := elementwiseLayout(l)
	copied := func(l *device.Launch) {
		own := *l // Copy expects no program, and removes this one
		d.Device.Copy(&own)
	}
	d.both(l, printElementwise(l.Program, y), copied, func(f drv.Function) {
		d.launch(l.Func, f, y.elementwiseBlocks(l), threads, 0, elementwiseArguments(l, y))
	})
}

// Reduce runs a reduction.
func (d *recordingDevice) Reduce(l *device.Launch) {
	r := reductionOf(l)
	if r.outer == 0 {
		return
	}
	y := reductionLayout(l, r.axes, r.columns > 0)
	d.both(l, printReduction(l.Program, l.Post, l.Combine, y), d.Device.Reduce, func(f drv.Function) {
		d.withCounters(&r, func(partial, arrived uint64) { d.launchReduction(f, &r, y, partial, arrived) })
	})
}

// both interprets a launch. If its text is compiled, it runs the printed form as well and compares everything that both
// have written.
func (d *recordingDevice) both(l *device.Launch, text string, interpreted func(*device.Launch), printed func(drv.Function)) {
	number, ok := d.numbers[text]
	if d.functions == nil {
		if !ok {
			d.numbers[text] = len(d.numbers)
		}
		interpreted(l)
		return
	}
	if !ok || d.functions[number] == 0 {
		if !ok {
			d.t.Errorf("the suite did not run this launch before:\n%s", text)
		}
		interpreted(l)
		return
	}
	contents := func() [][]byte {
		var all [][]byte
		for k := range l.Outputs {
			b := make([]byte, l.Operands[k].Memory.Size)
			d.CopyOut(b, l.Operands[k].Memory, 0)
			all = append(all, b)
		}
		return all
	}
	before := contents()
	interpreted(l)
	want := contents()
	for k, b := range before {
		d.CopyIn(l.Operands[k].Memory, 0, b)
	}
	printed(d.functions[number])
	d.compared++
	for k, got := range contents() {
		quiet(got)
		quiet(want[k])
		if !bytes.Equal(got, want[k]) {
			at := 0
			for got[at] == want[k][at] {
				at++
			}
			d.t.Errorf("%s of %s, output %d: byte %d is %#x printed, %#x interpreted (loop %v)\n%s",
				l.Func, l.Program.Name, k, at, got[at], want[k][at], l.Shape[:l.Rank], text)
		}
	}
}

// quiet makes every NaN that signals as a float32 or float64 quiet: whether conversions that cancel out do so depends
// on the compiler.
func quiet(b []byte) {
	for i := 0; i+4 <= len(b); i += 4 {
		if b[i+3]&0x7f == 0x7f && b[i+2]&0x80 != 0 {
			b[i+2] |= 0x40
		}
	}
	for i := 0; i+8 <= len(b); i += 8 {
		if b[i+7]&0x7f == 0x7f && b[i+6]&0xf0 == 0xf0 {
			b[i+6] |= 0x08
		}
	}
}

// sources returns the texts, several per file: each in its own namespace, with its own kernel name.
func (d *recordingDevice) sources() []string {
	all := make([]string, len(d.numbers))
	for text, number := range d.numbers {
		name := fmt.Sprint(printedName, number)
		text = strings.Replace(text, "void "+printedName+"(", "void "+name+"(", 1)
		all[number] = "namespace of_" + name + " {\n" + strings.Replace(text, "REGISTER("+printedName+")", "REGISTER("+name+")", 1) + "}\n"
	}
	var files []string
	for part := range slices.Chunk(all, 50) {
		files = append(files, strings.Join(part, ""))
	}
	return files
}

// compile compiles the texts with the emulator's NVRTC.
func (d *recordingDevice) compile() {
	if _, _, err := drv.CompilerVersion(); err != nil {
		d.t.Skip(err)
	}
	files := d.sources()
	images := make([][]byte, len(files))
	var done sync.WaitGroup
	limit := make(chan bool, 2)
	for i, file := range files {
		done.Go(func() {
			limit <- true
			defer func() { <-limit }()
			image, log, err := drv.Compile(programSource(file), "programs.cu", append([]string{kernels.Architecture}, kernels.Options()...))
			if err != nil {
				d.t.Errorf("%v\n%.2000s", err, log)
			}
			images[i] = image
		})
	}
	done.Wait()
	d.functions = make([]drv.Function, len(d.numbers))
	for i, image := range images {
		m, err := d.context.LoadModule(image)
		for number := i * 50; err == nil && number < min(i*50+50, len(d.numbers)); number++ {
			d.functions[number], err = d.context.Function(m, fmt.Sprint(printedName, number))
		}
		if err != nil {
			d.t.Error(err)
		}
	}
}

// TestProgramsHaveTwoForms runs launches of the compliance suite, and compares the results of the interpreter and of
// the printed programs, bit by bit: for a sample of the suite, or with cudaops/emulator/programs for all of it.
func TestProgramsHaveTwoForms(t *testing.T) {
	d := &recordingDevice{Device: gpu(t, "cuda:0"), t: t, numbers: map[string]int{}}
	run := func() {
		compliance.Sample(t, d, 1)
		printedLoops(d)
		reductions(t, d)
	}
	if texts != "" {
		run = func() { compliance.Run(t, d, 1, "Concurrency") }
	} else if testing.Short() {
		t.Skip("compiling takes half a minute")
	}
	before := d.printing
	d.printing = printNever
	defer func() { d.printing = before }()
	run()
	t.Logf("%d programs", len(d.numbers))
	if texts != "" {
		for i, source := range d.sources() {
			if err := os.WriteFile(filepath.Join(texts, fmt.Sprintf("programs%03d.cu", i)), []byte(source), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	d.compile()
	run()
	t.Logf("%d launches compared", d.compared)
}

// TestWrittenProgramsCompile compiles the programs with NVRTC and the assembler.
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

// assemble compiles PTX for sm_90 with NVIDIA's assembler, as drivers do. cudaops/setup -ptxas fetches it.
func assemble(t *testing.T, image []byte) {
	file := filepath.Join(t.TempDir(), "program.ptx")
	if err := os.WriteFile(file, bytes.TrimRight(image, "\x00"), 0o644); err != nil {
		t.Fatal(err)
	}
	if report, err := exec.Command("ptxas", "-arch=sm_90", "-o", file+".cubin", file).CombinedOutput(); err != nil {
		t.Errorf("%v\n%.2000s", err, report)
	}
}
