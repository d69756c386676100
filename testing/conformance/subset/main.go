// Command subset writes the committed part of the golden cases, which the tests of package conformance run:
//
//	go run ./testing/conformance/subset -golden DIR
//
// Run it again after adding rows: a test fails if a row has cases in DIR but none in the committed part.
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
	flag.Parse()
	if *golden == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := runner.WriteSubset(*golden, *out); err != nil {
		fmt.Fprintln(os.Stderr, "subset:", err)
		os.Exit(1)
	}
}
