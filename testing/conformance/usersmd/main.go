// Command usersmd writes docs/numpy.md and docs/torch.md, which tell users of NumPy, CuPy and PyTorch what things are
// called here:
//
//	go generate ./testing/conformance/usersmd
//
// What a name is here is said by the function itself, whose doc comment names it ("numpy.take."), by the catalogue, or by
// the remarks that stand here, beside what is written by syntax and what there is nothing for. The names come from
// names/list.py, so that none is missing; the arguments and options from the library's source.
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
	texts, err := documents(*root)
	for name, text := range texts {
		if err == nil {
			err = os.WriteFile(filepath.Join(*root, "docs", name), text, 0o644)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "usersmd:", err)
		os.Exit(1)
	}
}

// documents writes the documents for the module in a folder, by their names.
func documents(root string) (map[string][]byte, error) {
	l, err := readLibrary(root)
	if err != nil {
		return nil, err
	}
	numpy, err := l.numpyGuide()
	if err != nil {
		return nil, err
	}
	arrays, err := readNames("arrayapi")
	if err != nil {
		return nil, err
	}
	forNumPy, err := numpy.numpyDocument(arrays)
	if err != nil {
		return nil, err
	}
	torch, err := l.torchGuide(numpy)
	if err != nil {
		return nil, err
	}
	forTorch, err := torch.torchDocument()
	if err != nil {
		return nil, err
	}
	return map[string][]byte{"numpy.md": forNumPy, "torch.md": forTorch}, nil
}
