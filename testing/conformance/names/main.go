// Command names writes what is known of the documented names from the folder of specification tables: their list,
// names.go of package conformance, and the signatures that the documents print, signatures.tsv.
//
//	go run ./testing/conformance/names -spec DIR
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ndgrad/ndgrad/testing/conformance"
)

func main() {
	spec := flag.String("spec", "", "folder of the tables, *.tsv with a column id")
	to := flag.String("to", "testing/conformance", "folder of package conformance")
	flag.Parse()
	if *spec == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	err := write(filepath.Join(*to, "names.go"), conformance.NamesSource, *spec)
	if err == nil {
		err = write(filepath.Join(*to, "signatures.tsv"), conformance.SignaturesTable, *spec)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "names:", err)
		os.Exit(1)
	}
}

func write(file string, source func(spec string) ([]byte, error), spec string) error {
	content, err := source(spec)
	if err != nil {
		return err
	}
	return os.WriteFile(file, content, 0o644)
}
