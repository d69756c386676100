// Command subset writes the committed part of the golden cases, which the tests of package conformance run:
//
//	go run ./testing/conformance/subset -golden DIR
//
// With -cases it draws that many cases of every function instead of choosing small ones, for the archive of
// cudaops/gpu/pack:
//
//	go run ./testing/conformance/subset -golden DIR -out DIR -cases 8 -seed 1
//
// Run the first again after adding rows: a test fails if a row has cases in DIR but none in the committed part.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/ndgrad/ndgrad/testing/conformance/runner"
)

func main() {
	golden := flag.String("golden", "", "folder of suites")
	out := flag.String("out", "testing/conformance/testdata", "folder to write; it is replaced")
	cases := flag.Int("cases", 0, "draw this `number` of cases of every function; 0 chooses two small ones")
	seed := flag.Uint64("seed", 1, "seed of the draw")
	flag.Parse()
	if *golden == "" || *cases < 0 || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	write := runner.WriteSubset
	if *cases > 0 {
		write = func(golden, out string) error { return runner.WriteSample(golden, out, *cases, *seed) }
	}
	if err := write(*golden, *out); err != nil {
		fmt.Fprintln(os.Stderr, "subset:", err)
		os.Exit(1)
	}
}
