package nnabla_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/nnabla"
)

// The network of a file is called by the names of its variables, and saved with other parameters.
func Example() {
	folder, err := os.MkdirTemp("", "nnabla")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "net.nntxt")
	const text = `
network {
  name: "net"
  variable { name: "x" type: "Buffer" shape { dim: -1 dim: 2 } }
  function { name: "f" type: "Affine" input: "x" input: "w" output: "h" affine_param { base_axis: 1 } }
  function { name: "g" type: "ReLU" input: "h" output: "y" }
}
parameter { variable_name: "w" shape { dim: 2 dim: 2 } data: 1 data: -1 data: 2 data: -2 need_grad: true }`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		panic(err)
	}
	file, err := nnabla.Open(path)
	if err != nil {
		panic(err)
	}
	m, err := file.Model("net")
	if err != nil {
		panic(err)
	}
	x := nd.FromSlice([]float32{3, 4}, 1, 2)
	fmt.Println(m.Call(map[string]*nd.Array{"x": x}, "h", "y"))
	file.Params().Set("w", nd.FromSlice([]float32{0, 1, 1, 0}, 2, 2))
	if err := file.Save(filepath.Join(folder, "net.nnp")); err != nil {
		panic(err)
	}
	m, err = nnabla.Load(filepath.Join(folder, "net.nnp"))
	if err != nil {
		panic(err)
	}
	fmt.Println(m.Call(map[string]*nd.Array{"x": x})[0])
	// Output:
	// [[[ 11. -11.]] [[11.  0.]]]
	// [[4. 3.]]
}
