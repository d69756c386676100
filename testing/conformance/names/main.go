// Command names writes the list of documented names, names.go of package conformance, from the folder of specification
// tables:
//
//	go run ./testing/conformance/names -spec DIR > testing/conformance/names.go
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/ndgrad/ndgrad/testing/conformance"
)

func main() {
	spec := flag.String("spec", "", "folder of the tables, *.tsv with a column id")
	flag.Parse()
	if *spec == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	source, err := conformance.NamesSource(*spec)
	if err == nil {
		_, err = os.Stdout.Write(source)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "names:", err)
		os.Exit(1)
	}
}
