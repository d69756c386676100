package ndplot_test

import (
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ndplot"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/random"
)

// Two classes of points, and the line that separates them as a plotter of gonum.
func ExampleScatter() {
	points := random.Normal(nd.NewRand(1), 0, 1, []int{200, 2})
	labels := ops.Greater(ops.Sum(points, ops.Over(1)), 0).AsType(dtype.Int64)
	picture := ndplot.Scatter(points, ndplot.ScatterOptions{Title: "two classes", X: "x", Y: "y",
		Classes: labels, Names: []string{"below", "above"}})
	line, err := plotter.NewLine(ndplot.Points(nd.FromSlice([]float64{-3, 3, 3, -3}, 2, 2)))
	if err != nil {
		panic(err)
	}
	picture.AddNamed("x + y = 0", line)
	dir, err := os.MkdirTemp("", "scatter")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	fmt.Println(picture.Save(filepath.Join(dir, "points.png")))
	// Output: <nil>
}

var blue, orange = color.NRGBA{31, 119, 180, 255}, color.NRGBA{214, 96, 14, 255}

func TestScatterOfClasses(t *testing.T) {
	points := nd.FromRows([][]float64{{0, 0}, {1, 1}, {2, 0}, {math.NaN(), 1}, {1, math.Inf(1)}})
	classes := nd.FromSlice([]uint8{0, 1, 0, 1, 1})
	img := saved(t, ndplot.Scatter(points, ndplot.ScatterOptions{Classes: classes, Radius: 8, Names: []string{"", ""}}))
	b, o := count(img, blue), count(img, orange)
	if o < 100 || math.Abs(float64(b)/float64(o)-1.5) > 0.3 { // with the legend's entries, three blue marks and two orange ones
		t.Errorf("%d blue pixels and %d orange ones", b, o)
	}
	if b := count(saved(t, ndplot.Scatter(points)), orange); b != 0 {
		t.Errorf("without classes %d pixels have the second colour", b)
	}
	for what, x := range map[string]*nd.Array{
		"none": nd.Zeros([]int{0, 2}), "one": nd.Ones([]int{1, 2}, dtype.Float16), "NaN": nd.Full([]int{3, 2}, math.NaN()),
		"integers": nd.FromSlice([]int{1, 2, 3, 4}, 2, 2), "a view": nd.Zeros([]int{2, 5}).T(),
	} {
		t.Run(what, func(t *testing.T) {
			saved(t, ndplot.Scatter(x, ndplot.ScatterOptions{Title: "t", Classes: nd.Zeros([]int{x.Dim(0)}, dtype.Int32)}))
		})
	}
}

// svgText returns the text of a picture as SVG.
func svgText(t *testing.T, p *ndplot.Picture) string {
	path := filepath.Join(t.TempDir(), "p.svg")
	if err := p.Save(path); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestScatterLegend(t *testing.T) {
	points := nd.FromRows([][]float64{{0, 0}, {1, 1}})
	classes := nd.FromSlice([]int{0, 2})
	numbered := ndplot.Scatter(points.Index(nd.All()), ndplot.ScatterOptions{Classes: classes, X: "across"})
	named := ndplot.Scatter(points, ndplot.ScatterOptions{Classes: classes, Names: []string{"ants", "bees", "cats", "dogs"}})
	if text := svgText(t, named); !strings.Contains(text, ">ants<") || !strings.Contains(text, ">dogs<") {
		t.Error("names are missing")
	}
	bare := ndplot.Scatter(points)
	if numbered.Height <= bare.Height || named.Height <= numbered.Height {
		t.Errorf("heights %v, %v and %v: want room for each entry", bare.Height, numbered.Height, named.Height)
	}
	before := named.Height
	line, err := plotter.NewLine(ndplot.Points(points))
	if err != nil {
		t.Fatal(err)
	}
	named.AddNamed("fit", line, plotter.NewGrid())
	if !strings.Contains(svgText(t, named), ">fit<") || named.Height-before > 0.9*(before-bare.Height) || named.Height <= before {
		t.Errorf("another entry makes the height %v, before %v", named.Height, before)
	}
	curves := ndplot.Curve(nd.Arange(0, 5, 1))
	curves.AddNamed("points", line)
	if !strings.Contains(svgText(t, curves), ">points<") {
		t.Error("a picture of curves has no entry")
	}
}

func TestScatterRefuses(t *testing.T) {
	points := nd.Zeros([]int{3, 2})
	for want, f := range map[string]func(){
		"want points of real numbers, (N, 2)":            func() { ndplot.Scatter(nd.Zeros([]int{2, 3})) },
		"ndplot.Points":                                  func() { ndplot.Points(nd.Zeros([]int{2, 2}, dtype.Complex64)) },
		"want an integer class for each of 3 points":     func() { ndplot.Scatter(points, ndplot.ScatterOptions{Classes: nd.Zeros([]int{3})}) },
		"class -1 of point 1: want numbers from 0 to 99": func() { ndplot.Scatter(points, ndplot.ScatterOptions{Classes: nd.FromSlice([]int{0, -1, 2})}) },
		"1 names for 3 classes": func() {
			ndplot.Scatter(points, ndplot.ScatterOptions{Classes: nd.FromSlice([]int{0, 1, 2}), Names: []string{"a"}})
		},
		"Radius -1": func() { ndplot.Scatter(points, ndplot.ScatterOptions{Radius: -1}) },
	} {
		if err := nd.Catch(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("refused with %v, want %q", err, want)
		}
	}
}
