package nnabla_test

import (
	"flag"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/nnabla"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/compare"
	"github.com/ndgrad/ndgrad/testing/golden"
)

var goldenDir = flag.String("golden", "../../testing/conformance/testdata", "folder of the suite nnabla")

const documented = "nnabla.functions."

// TestEveryDocumentedFunctionHasAType compares the table with the rows of the catalogue.
func TestEveryDocumentedFunctionHasAType(t *testing.T) {
	types := nnabla.Documented()
	for _, row := range catalogue.Rows() {
		name, ok := strings.CutPrefix(row.Signature, documented)
		if !ok {
			continue
		}
		name, _, _ = strings.Cut(name, "(")
		name, _, _ = strings.Cut(name, "#")
		if e, ok := types[name]; !ok || (e[0] == "") == (e[1] == "") {
			t.Errorf("%s has no type, or both a type and a reason", name)
		}
	}
}

// TestFunctions makes a network of each recorded case, and compares its results.
func TestFunctions(t *testing.T) {
	suites, err := golden.Suites(filepath.Join(*goldenDir, "nnabla"))
	if err != nil {
		t.Fatal(err)
	}
	ran, tried := map[string]bool{}, 0
	for file, err := range suites[0].Open() {
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(file.Function, documented)
		for _, c := range file.Cases {
			n, reason := networkOf(t, file, c)
			if reason != "" {
				t.Logf("%s: %s", c.ID, reason)
				continue
			}
			tried++
			ran[name] = true
			if err := n.run(t, file, c); err != nil {
				t.Errorf("%s: %v\n%s", c.ID, err, n.text)
			}
		}
	}
	for name, e := range nnabla.Documented() {
		if e[0] != "" && !ran[name] && !slices.Contains(unrecorded, name) {
			t.Errorf("%s: no case ran", name)
		}
	}
	t.Logf("%d cases of %d functions", tried, len(ran))
}

// unrecorded are the functions whose committed cases cannot run. Other tests have those that draw and those that no
// document has; the cases of two functions leave out inputs that they have in a network.
var unrecorded = []string{"rand", "randint", "randn", "rand_binomial", "rand_beta", "rand_gamma", "random_choice", "random_crop",
	"random_flip", "random_shift", "random_erase", "image_augmentation", "dropout",
	"bc_add2", "binary_error", "erf", "linspace", "meshgrid", "tensor_normalization", "top_n_error", "unlink",
	"sync_batch_normalization", "fused_batch_normalization"}

// recorded is a case as a network.
type recorded struct {
	text   string
	inputs map[string]*nd.Array
}

// networkOf writes a case as a network of one function, as NNabla saves it, or says why that cannot be.
func networkOf(t *testing.T, file *golden.File, c *golden.Case) (*recorded, string) {
	name, _, _ := strings.Cut(strings.TrimPrefix(c.Function, documented), "#")
	typ := nnabla.Documented()[name][0]
	switch {
	case typ == "":
		return nil, "no type"
	case c.Error:
		return nil, "an error"
	}
	fn, err := catalogue.Lookup(c.Function)
	if err != nil {
		t.Fatal(err)
	}
	if fn.Row.Random {
		return nil, "random"
	}
	n := &recorded{inputs: map[string]*nd.Array{}}
	var inputs, fields strings.Builder
	add := func(key string) {
		x, err := file.Array(key)
		if err != nil {
			t.Fatal(err)
		}
		in := fmt.Sprintf("x%d", len(n.inputs))
		n.inputs[in] = x
		fmt.Fprintf(&inputs, "input: %q\n", in)
	}
	for _, p := range fn.Params {
		v, given := c.Args.Get(p.Name)
		switch v := v.(type) {
		case golden.Array:
			add(string(v))
			continue
		case golden.Arrays:
			for _, key := range v {
				add(key)
			}
			continue
		}
		if !given {
			v = p.Default
		}
		lines, reason := field(c, name, p.Name, v, n.inputs["x0"])
		if reason != "" {
			return nil, reason
		}
		fields.WriteString(lines)
	}
	var outputs strings.Builder
	for k := range c.Outputs {
		fmt.Fprintf(&outputs, "output: \"y%d\"\n", k)
	}
	n.text = fmt.Sprintf("network {\nname: \"n\"\nfunction {\nname: \"f\"\ntype: %q\n%s%s%s_param {\n%s}\n}\n}\n", typ, inputs.String(), outputs.String(), name, fields.String())
	return n, ""
}

// lengths returns the lengths that an interpolation scales.
func lengths(shape []int, scale golden.List, channelLast bool) (size []any) {
	if channelLast {
		shape = shape[:len(shape)-1]
	}
	for k, v := range scale {
		by, _ := golden.Float(v)
		size = append(size, int(by*float64(shape[len(shape)-len(scale)+k])))
	}
	return size
}

// field writes an argument as the function of Python gives it to the function of the network. x is the first input.
func field(c *golden.Case, function, name string, v any, x *nd.Array) (lines, reason string) {
	rank := 0
	if x != nil {
		rank = x.Rank()
	}
	switch function + "." + name {
	case "fixed_point_quantize.quantize", "pow2_quantize.quantize", "min_max_quantize.quantize":
		if v != true {
			return "", "quantize is an argument of Python"
		}
		return "", ""
	case "interpolate.scale":
		return "", ""
	case "interpolate.output_size":
		scale, _ := c.Args.Get("scale")
		last, _ := c.Args.Get("channel_last")
		if v == nil {
			v = lengths(x.Shape(), scale.(golden.List), last == true)
		}
	case "patch_correlation.channel_last":
		if v != true {
			return "", "the transpositions around it are of Python"
		}
		return "", ""
	case "patch_correlation.padding", "patch_correlation.patch", "patch_correlation.shift", "patch_correlation.patch_step", "patch_correlation.shift_step":
		if n, isInt := v.(*big.Int); isInt {
			v = []any{n, n}
		}
	case "top_k_data.base_axis":
		lines = "largest: true\n"
	}
	switch name {
	case "output_stat", "outputs", "n_outputs", "comm", "group", "out", "output":
		if name != "group" || !strings.Contains(function, "conv") {
			return "", ""
		}
	case "keepdims":
		name = "keep_dims"
	}
	reduces := slices.Contains([]string{"sum", "mean", "max", "min", "norm", "prod"}, function)
	if name == "axis" && reduces || name == "axes" {
		if name = "axes"; v == nil {
			switch function {
			case "clip_grad_by_norm", "norm_normalization", "sum", "mean", "max", "min", "norm", "prod":
				for k := range rank {
					lines += fmt.Sprintf("axes: %d\n", k)
				}
				return lines, ""
			case "flip":
				v = -1
			}
		}
	}
	if v == nil {
		switch {
		case name == "p":
			v = 2
		case name == "axis" && strings.Contains(function, "soft") || function == "categorical_cross_entropy":
			v = rank - 1
		case name == "axis" && (function == "broadcast_to"):
			v = -1
		case name == "axis" || name == "right" || name == "dropout" || name == "start" && function == "shape" || name == "end" || name == "batch_dims" ||
			name == "channel_last" || name == "sampling_ratio" || name == "total_length" || name == "padding_value":
			return lines, ""
		case name == "clip_norm":
			v = 1
		case name == "shifts":
			for range rank {
				lines += "shifts: 0\n"
			}
			return lines, ""
		case name == "pad" || name == "stride" || name == "dilation" || name == "output_padding":
			return lines, "" // empty is the default
		case name == "ignore_border":
			v = true
		case strings.HasPrefix(name, "bias") || strings.HasPrefix(name, "weight") || name == "mask" || name == "z" || name == "beta" || name == "gamma":
			if function == "sync_batch_normalization" || function == "fused_batch_normalization" {
				if name != "z" {
					return "", name + " is None"
				}
			} else if name == "beta" || name == "gamma" {
				return map[string]string{"beta": "no_bias: true\n", "gamma": "no_scale: true\n"}[name], ""
			}
			return lines, ""
		case name == "shape" && function == "scatter_nd":
			return lines, ""
		case name == "window_type":
			return lines, ""
		default:
			return "", name + " is None"
		}
	}
	switch v := v.(type) {
	case golden.List:
		for _, item := range v {
			if item == nil {
				return "", name + " has None"
			}
			lines += fmt.Sprintf("%s: %s\n", name, word(item))
		}
		return lines, ""
	case []any:
		for _, item := range v {
			lines += fmt.Sprintf("%s: %s\n", name, word(item))
		}
		return lines, ""
	}
	return lines + fmt.Sprintf("%s: %s\n", name, word(v)), ""
}

func word(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("%q", v)
	case *big.Int:
		return v.String()
	}
	return fmt.Sprint(v)
}

// run runs the network and compares the results.
func (n *recorded) run(t *testing.T, file *golden.File, c *golden.Case) error {
	path := filepath.Join(t.TempDir(), "n.nntxt")
	if err := os.WriteFile(path, []byte(n.text), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := nnabla.Load(path)
	if err != nil {
		return err
	}
	var out []*nd.Array
	err = nd.Catch(func() {
		view := m.Params().Watch(grad.NewTape(), nn.WatchOptions{Rand: nd.NewRand(1), Test: true})
		var names []string
		for k := range c.Outputs {
			names = append(names, fmt.Sprintf("y%d", k))
		}
		out = m.In(view).Call(n.inputs, names...)
	})
	if err != nil {
		return err
	}
	for k, key := range c.Outputs {
		if key == "" {
			continue
		}
		want, err := file.Array(key)
		if err != nil {
			return err
		}
		if err := (compare.Tolerance{RTol: c.RTol, ATol: c.ATol}).Compare(out[k], want); err != nil {
			return fmt.Errorf("y%d: %w", k, err)
		}
	}
	return nil
}
