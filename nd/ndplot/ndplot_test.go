package ndplot_test

import (
	"image"
	"image/color"
	_ "image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ndplot"
)

// saved draws a picture, and reads it.
func saved(t *testing.T, p *ndplot.Picture) image.Image {
	t.Helper()
	p.Width, p.Height = p.Width/2, p.Height/2 // large pictures take long
	path := filepath.Join(t.TempDir(), "p.png")
	if err := p.Save(path); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, _, err := image.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// count returns the number of pixels of a colour.
func count(img image.Image, want color.NRGBA) (n int) {
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if color.NRGBAModel.Convert(img.At(x, y)) == want {
				n++
			}
		}
	}
	return n
}

var (
	darkBlue = color.NRGBA{12, 64, 130, 255}
	darkRed  = color.NRGBA{150, 20, 40, 255}
	grey     = color.NRGBA{150, 150, 150, 255}
)

func TestHeatMap(t *testing.T) {
	img := saved(t, ndplot.HeatMap(nd.FromRows([][]float64{{-2, 0, 0}, {0, 2, math.NaN()}}), ndplot.HeatMapOptions{Title: "t", X: "x", Y: "y"}))
	red, blue, none := count(img, darkRed), count(img, darkBlue), count(img, grey)
	if red < 1000 || blue < 1000 || math.Abs(float64(red-blue)) > 200 || none < 1000 {
		t.Errorf("%d red pixels, %d blue ones, %d grey ones: want a cell of each", red, blue, none)
	}
	b := img.Bounds()
	if upper := color.NRGBAModel.Convert(img.At(b.Dx()/5, b.Dy()/4)); upper != darkRed {
		t.Errorf("the first cell is %v, want it red, and above", upper)
	}
	for what, x := range map[string]*nd.Array{
		"one number": nd.Scalar(3.0).Copy().Reshape(1), "NaN": nd.Full([]int{1, 2}, math.NaN()), "infinities": nd.FromSlice([]float64{math.Inf(1), math.Inf(-1), 0}),
		"huge": nd.FromSlice([]float64{-math.MaxFloat64, math.MaxFloat64}), "tiny": nd.FromSlice([]float64{0, 5e-324}),
		"half": nd.Ones([]int{2, 6}, dtype.Float16), "wide": nd.FromSlice(make([]bool, 1000)),
	} {
		t.Run(what, func(t *testing.T) { saved(t, ndplot.HeatMap(x)) })
	}
	asked := map[[2]int]bool{}
	saved(t, ndplot.HeatMap(nd.Eye(2, 3, 0), ndplot.HeatMapOptions{Label: func(i, j int) string {
		asked[[2]int{i, j}] = true
		return "1"
	}}))
	if len(asked) != 6 || !asked[[2]int{1, 2}] {
		t.Errorf("labels of %v", asked)
	}
}

func TestCurve(t *testing.T) {
	line := nd.Arange(0, 100, 1)
	if n := count(saved(t, ndplot.Curve(line)), color.NRGBA{31, 119, 180, 255}); n < 100 {
		t.Errorf("the curve has %d pixels", n)
	}
	two := ndplot.CurveOptions{Title: "t", X: "x", Y: "y", Names: []string{"a", "b"}, LogY: true, At: nd.Arange(1, 51, 1)}
	img := saved(t, ndplot.Curve(line.Reshape(2, 50), two))
	if n := count(img, color.NRGBA{214, 96, 14, 255}); n < 100 {
		t.Errorf("the second curve has %d pixels", n)
	}
	for what, x := range map[string]*nd.Array{
		"one number": nd.Ones([]int{1}), "constant": nd.Ones([]int{5}), "NaN": nd.Full([]int{4}, math.NaN()),
		"infinities": nd.FromSlice([]float64{1, math.Inf(1), 2, math.Inf(-1)}), "negative": nd.FromSlice([]int{-1, -2, -3}),
	} {
		for _, log := range []bool{false, true} {
			t.Run(what, func(t *testing.T) { saved(t, ndplot.Curve(x, ndplot.CurveOptions{LogY: log})) })
		}
	}
}

// A legend is above the curves: it makes the picture higher, and does not change the content of the frame.
func TestLegendHidesNothing(t *testing.T) {
	flat := nd.FromRows([][]float64{{2, 2, 2}, {1, 1, 1}}) // the first is at the top, where a legend would cover it
	for _, title := range []string{"", "t"} {
		bare, named := ndplot.Curve(flat, ndplot.CurveOptions{Title: title}), ndplot.Curve(flat, ndplot.CurveOptions{Title: title, Names: []string{"a", "b"}})
		higher := named.Height - bare.Height
		if higher < 5*vg.Millimeter || higher > 3*vg.Centimeter {
			t.Errorf("the legend takes %v", higher)
		}
		blue := color.NRGBA{31, 119, 180, 255}
		if got, want := count(saved(t, named), blue), count(saved(t, bare), blue); got < want {
			t.Errorf("%d pixels of the first curve, without a legend %d", got, want)
		}
	}
}

func TestMarksAndGrid(t *testing.T) {
	line := nd.Arange(0, 20, 1)
	blue := color.NRGBA{31, 119, 180, 255}
	marked, plain := count(saved(t, ndplot.Curve(line)), blue), count(saved(t, ndplot.Curve(line, ndplot.CurveOptions{Marks: new(false)})), blue)
	if marked <= plain {
		t.Errorf("%d pixels of the curve with marks, %d without", marked, plain)
	}
	white := color.NRGBA{255, 255, 255, 255}
	grid, none := count(saved(t, ndplot.Curve(line)), white), count(saved(t, ndplot.Curve(line, ndplot.CurveOptions{Grid: new(false)})), white)
	if grid >= none {
		t.Errorf("%d white pixels with a grid, %d without", grid, none)
	}
}

func TestSaveTable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.png")
	p := ndplot.Curve(nd.Arange(0, 20, 1))
	if err := ndplot.SaveTable(path, []*ndplot.Picture{p, nil}, []*ndplot.Picture{p, p}); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, _, err := image.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	blue := color.NRGBA{31, 119, 180, 255}
	w, h := img.Bounds().Dx()/2, img.Bounds().Dy()/2
	for k, want := range []bool{true, false, true, true} {
		found := false
		for y := range h {
			for x := range w {
				found = found || color.NRGBAModel.Convert(img.At(k%2*w+x, k/2*h+y)) == blue
			}
		}
		if found != want {
			t.Errorf("cell %d has a curve: %v", k, found)
		}
	}
}

func TestSave(t *testing.T) {
	dir := t.TempDir()
	p := ndplot.Curve(nd.Arange(0, 3, 1), ndplot.CurveOptions{Title: "three"})
	for _, bad := range []string{"p", "p.xyz", filepath.Join("nowhere", "p.png")} {
		if err := p.Save(filepath.Join(dir, bad)); err == nil {
			t.Errorf("%s was written", bad)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left over: %v", left)
	}
	if err := p.Save(filepath.Join(dir, "p.SVG")); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "p.SVG")); !strings.Contains(string(text), "three</text>") || !strings.Contains(string(text), "Arial") {
		t.Errorf("%s", text)
	}
}

func TestRefusals(t *testing.T) {
	x := nd.Zeros([]int{2, 3})
	for want, f := range map[string]func(){
		"ndplot.HeatMap: want real numbers along one axis or two": func() { ndplot.HeatMap(nd.Zeros([]int{2, 2, 2})) },
		"ndplot.HeatMap: want real numbers":                       func() { ndplot.HeatMap(nd.Zeros([]int{2}, dtype.Complex64)) },
		"ndplot.Curve: want real numbers along one axis or two":   func() { ndplot.Curve(nd.Scalar(1)) },
		"at least one":                           func() { ndplot.Curve(nd.Zeros([]int{0})) },
		"ndplot.Curve: 1 names for 2 curves":     func() { ndplot.Curve(x, ndplot.CurveOptions{Names: []string{"a"}}) },
		"ndplot.Curve: want as many coordinates": func() { ndplot.Curve(x, ndplot.CurveOptions{At: nd.Zeros([]int{2})}) },
		"ndplot.Curve: the array is nil":         func() { ndplot.Curve(nil) },
	} {
		if err := nd.Catch(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
