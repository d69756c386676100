//go:build linux

// Command count prints how many instructions the kernels for arm64 execute for an element, beside the plain Go code that the tag
// purego leaves. It counts by emulation, on any Linux: qemu-aarch64 runs this command in both builds, with a plugin. It needs
// qemu-user (as testing/arm64/run installs it) and gcc. Instructions are not time: nothing is measured.
//
//	go run ./bench/arm64/count
package main

import (
	"bufio"
	_ "embed"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/ndgrad/ndgrad/bench"
)

//go:embed plugin/count.c
var plugin string

// counted matches the cases: all elementwise functions, and kernels of each kind.
var counted = regexp.MustCompile(`^(ew/[^/]*/1e6|matmul/square/256|matmul/int8_to_int32/512|matmul/(matvec|dot)/|red/(sum_all/1e6|max_all|argmax_axis1|sum_axis[01])/|` +
	`nn/(softmax|layer_norm)/4096|bcast/add_(row|col|transposed)/1000x1000|bcast/add_strided2/)`)

func main() {
	log.SetFlags(0)
	log.SetPrefix("count: ")
	inside := flag.Bool("inside", false, "run the cases; the emulator's plugin counts")
	only := flag.String("only", "", "the cases whose names match this regular expression")
	flag.Parse()
	if *only != "" {
		counted = regexp.MustCompile(*only)
	}
	cases := slices.DeleteFunc(bench.Cases(), func(c bench.Case) bool { return !counted.MatchString(c.Name) })
	if *inside {
		run(cases)
		return
	}
	folder, err := os.MkdirTemp("", "count")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	library := filepath.Join(folder, "count.so")
	compiler := exec.Command("gcc", "-O2", "-shared", "-fPIC", "-x", "c", "-o", library, "-")
	compiler.Stdin = strings.NewReader(plugin)
	output(compiler)
	var counts [2][]float64
	for i, tags := range []string{"", "purego"} {
		program := filepath.Join(folder, "cases"+tags)
		build := exec.Command("go", "build", "-tags", tags, "-o", program, "./bench/arm64/count")
		build.Env = append(os.Environ(), "GOARCH=arm64", "GOOS=linux", "CGO_ENABLED=0")
		output(build)
		guest := exec.Command("qemu-aarch64", "-plugin", library, program, "-inside", "-only", counted.String())
		guest.Env = append(os.Environ(), "GOMAXPROCS=1")
		counts[i] = differences(output(guest))
		if len(counts[i]) != len(cases) {
			log.Fatalf("%d counts for %d cases", len(counts[i]), len(cases))
		}
	}
	fmt.Print("By counting, not measured: instructions of one call.\n\n| case | NEON | plain Go | ratio |\n| --- | ---: | ---: | ---: |\n")
	for i, c := range cases {
		neon, plain := counts[0][i], counts[1][i]
		fmt.Printf("| %s | %.4g | %.4g | %.1f |\n", c.Name, neon, plain, plain/neon)
	}
}

// run calls each case twice. The plugin prints the instructions of this thread before and after the second call.
func run(cases []bench.Case) {
	runtime.LockOSThread()
	for _, c := range cases {
		call := c.Setup()
		for i := range 2 {
			if i == 1 {
				mark()
			}
			result := call()
			if i == 1 {
				mark()
			}
			if result != nil {
				result.Release()
			}
		}
	}
}

// mark makes the plugin print.
func mark() { syscall.RawSyscall(syscall.SYS_GETPID, 0x636f756e74, 0, 0) }

// differences returns the differences of successive pairs of numbers.
func differences(text string) (d []float64) {
	before := 0.0
	for i, scanner := 0, bufio.NewScanner(strings.NewReader(text)); scanner.Scan(); i++ {
		v, err := strconv.ParseFloat(scanner.Text(), 64)
		if err != nil {
			log.Fatal(err)
		}
		if i%2 == 1 {
			d = append(d, v-before)
		}
		before = v
	}
	return d
}

// output returns what a command prints, on both streams.
func output(c *exec.Cmd) string {
	out, err := c.CombinedOutput()
	if err != nil {
		log.Fatalf("%s: %v\n%s", c, err, out)
	}
	return string(out)
}
