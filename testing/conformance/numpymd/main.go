// Command numpymd writes docs/numpy.md, which tells users of NumPy and CuPy what things are called here:
//
//	go generate ./testing/conformance/numpymd
//
// The functions come from the catalogue, their arguments and options from the library's source; the syntax and the remarks
// stand here, in syntax.go and remarks.go.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

//go:generate go run . -root ../../..

func main() {
	root := flag.String("root", ".", "folder of the module")
	flag.Parse()
	if flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	text, err := document(*root)
	if err == nil {
		err = os.WriteFile(filepath.Join(*root, "docs", "numpy.md"), text, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "numpymd:", err)
		os.Exit(1)
	}
}
