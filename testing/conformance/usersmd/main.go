// Command usersmd writes docs/numpy.md and docs/torch.md, which give users of NumPy, CuPy and PyTorch the equivalent of
// each name:
//
//	go generate ./testing/conformance/usersmd
//
// The equivalent of a name comes from the doc comment of the function, which names it ("numpy.take."), from the
// catalogue, or from the remarks in this package. This package also holds the phrases for syntax and the names without
// an equivalent. The lists of names come from names/list.py, so that none is missing. The arguments and options come
// from the library's source.
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

// documents returns the documents by file name, for the module in folder root.
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
