package vision_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/vision"
)

// chainerFiles are outside the repository. They were recorded from Chainer 1.24.
const chainerFiles = "../../../shared/golden/chainer_files"

// recording is a file of the folder vision.
type recording struct {
	Parameters, Persistent []path
	AvailableLayers        []string `json:"available_layers"`
	ParameterElements      int      `json:"parameter_elements"`
	Forward                map[string]sample
	Predict                struct{ Oversample, Center []float64 }
}

// path is the name and the shape of an array.
type path struct {
	name  string
	shape []int
}

// UnmarshalJSON reads a list of the two.
func (p *path) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&p.name, &p.shape})
}

// sample is some elements of a result.
type sample struct {
	Shape  []int
	MaxAbs float64 `json:"max_abs"`
	Mean   float64
	Index  []int
	Values []float64
}

// read reads a JSON file of chainerFiles; it skips the test if the file is missing.
func read(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(chainerFiles, name))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("%s is absent", chainerFiles)
	}
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// hashed returns the numbers from -scale to scale that filled the recorded nets.
func hashed(n int, seed uint32, scale float64) []float32 {
	values := make([]float32, n)
	hash(values, seed, scale)
	return values
}

func hash(values []float32, seed uint32, scale float64) {
	for i := range values {
		u := uint32(i) + 1 + seed*7919
		for range 2 {
			u *= 2654435761
			u ^= u >> 15
		}
		values[i] = float32(scale * (2*float64(u)/(1<<32) - 1))
	}
}

// filled returns a closed scope with the recorded paths, and the numbers that the README of the files defines.
func (r *recording) filled() *nn.Scope {
	s := nn.NewScope()
	most := 0
	for _, p := range slices.Concat(r.Parameters, r.Persistent) {
		most = max(most, size(p.shape))
	}
	room := make([]float32, most)
	set := func(p path, seed uint32, scale float64, add float32) {
		values := room[:size(p.shape)]
		hash(values, seed, scale)
		for i := range values {
			values[i] += add
		}
		s.Set(p.name, nd.Wrap(values, p.shape...))
	}
	for i, p := range r.Parameters {
		seed := uint32(i)
		switch name := p.name[strings.LastIndexByte(p.name, '/'):]; {
		case strings.HasSuffix(p.name, "bn3/gamma"):
			set(p, seed, 0.2, 0.3)
		case name == "/gamma":
			set(p, seed, 0.2, 0.6)
		case name == "/b" || name == "/beta":
			set(p, seed, 0.05, 0)
		default:
			set(p, seed, math.Sqrt(6/float64(size(p.shape[1:]))), 0)
		}
	}
	for i, p := range r.Persistent {
		switch seed := uint32(1000 + i); {
		case strings.HasSuffix(p.name, "avg_mean"):
			set(p, seed, 0.1, 0)
		case strings.HasSuffix(p.name, "avg_var"):
			set(p, seed, 0.3, 1)
		default:
			s.Set(p.name, nd.Zeros(p.shape, dtype.Int64))
		}
	}
	s.Close("the recording")
	return s
}

func size(shape []int) int {
	n := 1
	for _, length := range shape {
		n *= length
	}
	return n
}

// Names of layers, paths and shapes of parameters, and results of layers are Chainer's.
func TestChainerFilesVision(t *testing.T) {
	if testing.Short() {
		t.Skip("computes with VGG16, GoogLeNet and ResNet50")
	}
	for _, n := range nets {
		t.Run(n.file, func(t *testing.T) {
			var r recording
			read(t, "vision/"+n.file+".json", &r)
			if diff := cmp.Diff(r.AvailableLayers, n.net.Layers()); diff != "" {
				t.Error(diff)
			}
			all := shapes{}
			for _, p := range slices.Concat(r.Parameters, r.Persistent) {
				all[p.name] = p.shape
			}
			if len(all) != n.arrays || all.digest() != n.digest || r.ParameterElements != n.parameters {
				t.Errorf("%d arrays, %d parameters, digest %s: TestParameters knows others", len(all), r.ParameterElements, all.digest())
			}
			t.Logf("%d paths and shapes compared", len(all))
			if r.Forward != nil {
				r.checkResults(t, n.net)
			}
		})
	}
}

func (r *recording) checkResults(t *testing.T, net vision.Net) {
	s := r.filled()
	defer giveBack(s)
	compared := 0
	var names []string
	for name := range r.Forward {
		names = append(names, name)
	}
	x := nd.FromSlice(hashed(3*224*224, 5000, 2), 1, 3, 224, 224)
	for k, y := range net.Features(s, x, names...) {
		want := r.Forward[names[k]]
		if !slices.Equal(y.Shape(), want.Shape) {
			t.Errorf("%s: shape %v, want %v", names[k], y.Shape(), want.Shape)
			continue
		}
		got := nd.ToSlice[float64](y)
		for i, at := range want.Index {
			compared += near(t, names[k], got[at], want.Values[i], want.MaxAbs)
		}
		sum := 0.0
		for _, v := range got {
			sum += v
		}
		compared += near(t, names[k]+", mean", sum/float64(len(got)), want.Mean, want.MaxAbs)
	}
	if r.Predict.Center != nil {
		bytes := make([]uint8, 256*256*3)
		for i, v := range hashed(len(bytes), 6000, 127.5) {
			bytes[i] = uint8(math.Floor(float64(v) + 127.5))
		}
		image := []*nd.Array{nd.FromSlice(bytes, 256, 256, 3)}
		for _, prediction := range []struct {
			y    *nd.Array
			want []float64
		}{
			{net.Predict(s, image), r.Predict.Oversample},
			{net.Predict(s, image, vision.PredictOptions{NoOversample: true}), r.Predict.Center},
		} {
			got := nd.ToSlice[float64](prediction.y)
			for i, want := range prediction.want {
				compared += near(t, "predict", got[i], want, want)
			}
		}
	}
	t.Logf("%d values compared", compared)
}

// near compares one value, and returns 1. scale is the magnitude of the summed numbers.
func near(t *testing.T, what string, got, want, scale float64) int {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-3*math.Abs(want)+1e-5*math.Abs(scale)) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
	return 1
}

// Images are prepared like in Chainer's functions, in all layouts.
func TestChainerFilesPrepare(t *testing.T) {
	type values struct {
		DType  string
		Shape  []int
		Values []float64
	}
	var file struct {
		Prepare []struct {
			Module, Layout string
			Image, Result  values
			Size           []int
		}
	}
	read(t, "images/images.json", &file)
	nets := map[string]vision.Net{"vgg": vision.VGG16(), "googlenet": vision.GoogLeNet(), "resnet": vision.ResNet50()}
	compared := 0
	for _, c := range file.Prepare {
		image := nd.FromSlice(c.Image.Values, c.Image.Shape...)
		if c.Image.DType == "uint8" {
			image = image.AsType(dtype.Uint8)
		}
		y := nets[c.Module].Prepare(image, vision.PrepareOptions{Size: c.Size, KeepSize: c.Size == nil})
		got := nd.ToSlice[float64](y)
		if !slices.Equal(y.Shape(), c.Result.Shape) || y.DType() != dtype.Float32 || !slices.Equal(got, c.Result.Values) {
			t.Errorf("%s of %s: %v, want %v", c.Module, c.Layout, y, c.Result.Values)
		}
		compared += len(got)
	}
	t.Logf("%d values compared", compared)
}
