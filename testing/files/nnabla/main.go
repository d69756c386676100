// Command nnabla saves the networks of a folder in every form, and compares what NNabla's program nbla computes with them
// with the results of this library.
//
//	go run ./testing/files/nnabla -nbla PROGRAM FOLDER
package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn/nnabla"
)

func main() {
	nbla := flag.String("nbla", "nbla", "NNabla's program")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	paths, err := filepath.Glob(filepath.Join(flag.Arg(0), "*.nnp"))
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("%s has no .nnp", flag.Arg(0))
	}
	for _, path := range paths {
		err = errors.Join(err, check(*nbla, path))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// check saves a network in each form, and has nbla run it.
func check(nbla, path string) error {
	folder, err := os.MkdirTemp("", "nnabla")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	f, err := nnabla.Open(path)
	if err != nil {
		return err
	}
	m, err := f.Model("")
	if err != nil {
		return err
	}
	arrays, err := nd.LoadNpz(strings.TrimSuffix(path, ".nnp") + ".npz")
	if err != nil {
		return err
	}
	in := func(name string) string { return filepath.Join(folder, name) }
	inputs, files, batch := map[string]*nd.Array{}, []string{}, 0
	for k, input := range m.Inputs() {
		x := arrays.Get("in/" + input.Name)
		if inputs[input.Name] = x; input.Shape[0] < 0 {
			batch = x.Dim(0)
		}
		files = append(files, in(fmt.Sprintf("%d.bin", k)))
		if err := os.WriteFile(files[k], elements(x), 0o600); err != nil {
			return err
		}
	}
	outputs := m.Call(inputs)
	for _, name := range []string{"net.nnp", "net.nntxt"} {
		if err := f.Save(in(name)); err != nil {
			return err
		}
	}
	forms := [][]string{{in("net.nnp")}, {in("net.nntxt")}}
	if len(f.Params().Names()) > 0 { // nbla refuses files without parameters
		for _, name := range []string{"p.h5", "p.protobuf"} {
			if err := nnabla.SaveParameters(in(name), f.Params()); err != nil {
				return err
			}
			forms = append(forms, []string{in("net.nntxt"), in(name)})
		}
	}
	for _, form := range forms {
		args := []string{"infer", "-e", f.Executors()[0], "-o", in("out")}
		if batch > 0 {
			args = append(args, "-b", fmt.Sprint(batch))
		}
		out, err := exec.Command(nbla, append(append(args, form...), files...)...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("%s as %s: %w\n%s", path, form, err, out)
		}
		for k, y := range outputs {
			if err := same(in(fmt.Sprintf("out_%d.bin", k)), y); err != nil {
				return fmt.Errorf("%s as %s: %w", path, form, err)
			}
		}
	}
	fmt.Printf("ok %s: %d outputs, %d forms\n", filepath.Base(path), len(outputs), len(forms))
	return nil
}

// elements returns the elements of an array as float32, little-endian.
func elements(x *nd.Array) []byte {
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, nd.ToSlice[float32](x.AsType(dtype.Float32).Ravel())); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// same compares an array with one that nbla wrote.
func same(path string, want *nd.Array) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	values := make([]float32, len(data)/4)
	if err := binary.Read(bytes.NewReader(data), binary.LittleEndian, values); err != nil {
		return err
	}
	if len(values) != want.Size() {
		return fmt.Errorf("%s: %d elements, want %d", filepath.Base(path), len(values), want.Size())
	}
	if !ops.AllClose(nd.FromSlice(values), want.Ravel(), ops.IsCloseOptions{RTol: nd.Scalar(1e-4), ATol: nd.Scalar(1e-3), EqualNaN: true}) {
		return fmt.Errorf("%s differs", filepath.Base(path))
	}
	return nil
}
