// Command names generates two files from the folder of specification tables: names.go of package catalogue, the list of
// documented names, and signatures.tsv, the signatures that the documents print.
//
//	go run ./testing/conformance/names -spec DIR
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// outputs are the generated files by name.
var outputs = map[string]func(spec string) ([]byte, error){"names.go": namesSource, "signatures.tsv": signaturesTable}

func main() {
	spec := flag.String("spec", "", "folder of the tables, *.tsv with a column id")
	to := flag.String("to", "testing/conformance/catalogue", "folder of package catalogue")
	flag.Parse()
	if *spec == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	for file, source := range outputs {
		content, err := source(*spec)
		if err == nil {
			err = os.WriteFile(filepath.Join(*to, file), content, 0o644)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "names:", err)
			os.Exit(1)
		}
	}
}
