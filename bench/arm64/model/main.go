// Command model prints how many cycles the inner loops of the kernels for arm64 take by llvm-mca's models of processors, beside
// the limits of their pipes. Nothing is measured. It needs aarch64-linux-gnu-objdump and llvm-mca 19.
//
//	go run ./bench/arm64/model
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

const families = "github.com/ndgrad/ndgrad/device/cpu/internal/simd/"

// kernel is a loop: the longest one without branches of a routine, or the bodies of handlers of package vm, one after the
// other. It processes a number of elements, or of multiplications.
type kernel struct {
	name, family string
	routines     []string
	elements     int
	unit         string
}

var kernels = []kernel{
	{"float32 product", "gemm", []string{"tile2PanelsAVX2F32"}, 4 * 6 * 16, "multiply-add"},
	{"float64 product", "gemm", []string{"tile2PanelsAVX2F64"}, 4 * 6 * 8, "multiply-add"},
	{"int8 product", "gemm", []string{"tile2PanelsSDOTQuads"}, 4 * 6 * 16 * 4, "multiply-add"},
	{"int8 product without SDOT", "gemm", []string{"tile2PanelsAVX2Pairs"}, 4 * 4 * 16 * 2, "multiply-add"},
	{"add", "vm", []string{"loadStreamAVX2F32", "addStreamAVX2F32", "storeStreamAVX2F32", "endAVX2F32"}, 32, "element"},
	{"multiply-add", "vm", []string{"loadStreamAVX2F32", "mulStreamAVX2F32", "addStreamAVX2F32", "storeStreamAVX2F32", "endAVX2F32"}, 32, "element"},
	{"exp", "vm", []string{"loadStreamAVX2F32", "expAVX2F32", "storeStreamAVX2F32", "endAVX2F32"}, 32, "element"},
	{"tanh", "vm", []string{"loadStreamAVX2F32", "tanhAVX2F32", "storeStreamAVX2F32", "endAVX2F32"}, 32, "element"},
	{"sum of rows", "reduce", []string{"sumRowsAVX2F32"}, 0, "element"},
	{"maximum of rows", "reduce", []string{"maxRowsAVX2F32"}, 0, "element"},
	{"exponentials of softmax", "softmax", []string{"exponentialsAVX2F32"}, 16, "element"},
}

// processor has the numbers of 128-bit operations of a kind that a cycle can start.
type processor struct {
	name                 string
	vector, load, stores float64
	shared               bool // stores take pipes of loads
}

var processors = []processor{{"neoverse-n1", 2, 2, 1, true}, {"neoverse-v2", 4, 3, 2, false}}

func main() {
	log.SetFlags(0)
	log.SetPrefix("model: ")
	folder, err := os.MkdirTemp("", "model")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	program := filepath.Join(folder, "digits") // any program that imports nd
	build := exec.Command("go", "build", "-o", program, "./examples/digits")
	build.Env = append(os.Environ(), "GOARCH=arm64", "GOOS=linux", "CGO_ENABLED=0")
	run(build)
	fmt.Print("By llvm-mca, not measured: cycles, and the limit of the pipes.\n\n| kernel | per |")
	for _, p := range processors {
		fmt.Printf(" %s | limit | share |", p.name)
	}
	fmt.Print("\n| --- | --- |" + strings.Repeat(" ---: | ---: | ---: |", len(processors)) + "\n")
	for _, k := range kernels {
		code := k.code(program)
		elements := float64(k.elements)
		if elements == 0 { // one pass over operands: what is loaded
			elements = 4 * count(code).loads
		}
		fmt.Printf("| %s | %s |", k.name, k.unit)
		for _, p := range processors {
			cycles, limit := p.cycles(code)/elements, p.limit(code)/elements
			fmt.Printf(" %.3f | %.3f | %.2f |", cycles, limit, limit/cycles)
		}
		fmt.Println()
	}
}

// code returns the instructions of one pass.
func (k kernel) code(program string) (code []string) {
	for _, routine := range k.routines {
		text := run(exec.Command("aarch64-linux-gnu-objdump", "-d", "--no-show-raw-insn", "--disassemble="+families+k.family+"."+routine+".abi0", program))
		code = append(code, part(text, len(k.routines) == 1)...)
	}
	if len(code) == 0 {
		log.Fatalf("%s: no code", k.name)
	}
	return code
}

var (
	line   = regexp.MustCompile(`(?m)^ +([0-9a-f]+):\t(\S+)[ \t]*([^\n]*?)( +//.*)?$`)
	branch = regexp.MustCompile(`^(b|b\..*|cb.*|tb.*|br|ret)$`)
)

// part returns the longest loop without branches in it, or all instructions before the first branch.
func part(disassembly string, loop bool) (best []string) {
	var code []string
	from := uint64(0)
	for _, m := range line.FindAllStringSubmatch(disassembly, -1) {
		at, _ := strconv.ParseUint(m[1], 16, 64)
		if len(code) == 0 {
			from = at
		}
		if !branch.MatchString(m[2]) {
			if m[2] != "adrp" {
				code = append(code, m[2]+" "+m[3])
			}
			continue
		}
		if !loop {
			return code
		}
		if target, err := strconv.ParseUint(strings.Fields(m[3] + " x")[0], 16, 64); err == nil && target >= from && target <= at {
			if body := code[len(code)-int(at-target)/4:]; len(body) > len(best) {
				best = append([]string(nil), body...)
			}
		}
		code = nil
	}
	return best
}

// operations are numbers of instructions by the pipes that they need.
type operations struct{ vectors, loads, stores float64 }

func count(code []string) (n operations) {
	for _, in := range code {
		name, operands, _ := strings.Cut(in, " ")
		switch {
		case strings.HasPrefix(name, "ldp"):
			n.loads += 2
		case strings.HasPrefix(name, "ld"):
			n.loads++
		case strings.HasPrefix(name, "stp"):
			n.stores += 2
		case strings.HasPrefix(name, "st"):
			n.stores++
		case strings.HasPrefix(operands, "v"):
			n.vectors++
		}
	}
	return n
}

// limit returns the cycles below which the pipes do not let a pass get.
func (p processor) limit(code []string) float64 {
	n := count(code)
	transfers := n.loads
	if p.shared {
		transfers += n.stores
	}
	return max(n.vectors/p.vector, transfers/p.load, n.stores/p.stores)
}

var total = regexp.MustCompile(`Total Cycles: +(\d+)`)

// cycles returns the cycles of a pass among many.
func (p processor) cycles(code []string) float64 {
	const passes = 400
	mca := "llvm-mca"
	if path, err := exec.LookPath("/usr/lib/llvm-19/bin/llvm-mca"); err == nil {
		mca = path
	}
	model := exec.Command(mca, "-mtriple=aarch64", "-mcpu="+p.name, fmt.Sprint("-iterations=", passes), "-instruction-info=false", "-resource-pressure=false")
	model.Stdin = strings.NewReader(strings.Join(code, "\n") + "\n")
	m := total.FindStringSubmatch(run(model))
	if m == nil {
		log.Fatal("llvm-mca printed no cycles")
	}
	cycles, _ := strconv.ParseFloat(m[1], 64)
	return cycles / passes
}

func run(c *exec.Cmd) string {
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		log.Fatalf("%s: %v\n%s", c, err, stderr.Bytes())
	}
	return string(out)
}
