// Copyarrays reads all arrays of a file, and writes them to another, whose extensions select the formats: .npz, .safetensors,
// .json for an index of several .safetensors files, and .params of MXNet.
//
//	copyarrays IN OUT
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/ndgrad/ndgrad/nd"
)

func main() {
	log.SetFlags(0)
	arrays, err := read(os.Args[1])
	if err == nil {
		err = write(os.Args[2], arrays)
	}
	if err != nil {
		log.Fatal(err)
	}
}

func read(path string) (arrays nd.NamedArrays, err error) {
	switch extension := filepath.Ext(path); extension {
	case ".npz":
		return nd.LoadNpz(path)
	case ".safetensors", ".json":
		arrays, _, err = nd.LoadSafetensors(path)
		return arrays, err
	case ".params":
		return nd.LoadMXNet(path)
	default:
		return nil, fmt.Errorf("%s: no known extension", path)
	}
}

func write(path string, arrays nd.NamedArrays) error {
	switch extension := filepath.Ext(path); extension {
	case ".npz":
		return nd.SaveNpz(path, arrays, false)
	case ".safetensors":
		return nd.SaveSafetensors(path, arrays, map[string]string{"format": "np"})
	case ".params":
		return nd.SaveMXNet(path, arrays)
	default:
		return fmt.Errorf("%s: no known extension", path)
	}
}
