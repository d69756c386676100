package nn_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
)

// A file of another program has other names, matrices that are transposed, and more than the model needs.
func ExampleLoad_renamed() {
	dir, err := os.MkdirTemp("", "model")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "theirs.safetensors")
	theirs := nd.NamedArrays{
		{Name: "fc.weight", Array: nd.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 2, 3)},
		{Name: "fc.bias", Array: nd.FromSlice([]float32{7, 8})},
		{Name: "fc.version", Array: nd.FromSlice([]int64{2})},
	}
	if err := nd.SaveSafetensors(path, theirs, nil); err != nil {
		panic(err)
	}

	params, report := nn.NewScope(), nn.LoadReport{}
	nn.Affine(params.Sub("fc"), nd.Zeros([]int{1, 3}), 2)
	err = nn.Load(path, params, nn.LoadOptions{Rename: strings.NewReplacer(".weight", "/affine/W", ".bias", "/affine/b").Replace,
		Convert: func(name string, x *nd.Array) *nd.Array { return x.T() }, Report: &report})
	fmt.Println(err, report.Missing, report.Unused)
	fmt.Println(params.Get("fc/affine/W"), params.Get("fc/affine/b"))
	// Output:
	// <nil> [] [fc.version]
	// [[1. 4.]
	//  [2. 5.]
	//  [3. 6.]] [7. 8.]
}
