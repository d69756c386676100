// Convert converts a parameter file to another format, which the file extensions select.
//
//	go run ./testing/interop/convert model.npz model.safetensors
package main

import (
	"fmt"
	"os"

	"github.com/ndgrad/ndgrad/nn"
)

func main() {
	if err := convert(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "convert:", err)
		os.Exit(1)
	}
}

func convert(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("want two files, got %q", args)
	}
	params := nn.NewScope()
	if err := nn.Load(args[0], params); err != nil {
		return err
	}
	return nn.Save(args[1], params)
}
