// Command functionsmd writes two lists of functions:
//
//	go run ./testing/conformance/functionsmd
//
// docs/functions.md gives the equivalent of every name that the four documents define; it is made from the catalogue.
// docs/ops.md lists the functions of nd/ops and of the packages below it by topic; it is made from their doc comments.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

//go:generate go run . -root ../../..

// outputs are the generated files, by their path in the module.
var outputs = map[string]func(root string) ([]byte, error){
	"docs/functions.md": document,
	"docs/ops.md":       index,
}

func main() {
	root := flag.String("root", ".", "folder of the module")
	flag.Parse()
	if flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	for path, write := range outputs {
		text, err := write(*root)
		if err == nil {
			err = os.WriteFile(filepath.Join(*root, filepath.FromSlash(path)), text, 0o644)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "functionsmd:", err)
			os.Exit(1)
		}
	}
}
