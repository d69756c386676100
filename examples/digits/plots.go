package main

import (
	"errors"
	"image/color"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette/brewer"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

const (
	imageSize = 18 * vg.Centimeter
	margin    = 4 * vg.Millimeter
)

// curves are the mean losses after every epoch.
type curves struct{ train, test []float64 }

// plotLosses draws the losses over the epochs, on a logarithmic scale.
func plotLosses(c curves) (*plot.Plot, error) {
	p := newPlot("Loss of the digit classifier", "Epoch", "Cross entropy")
	p.Y.Scale = plot.LogScale{}
	p.Y.Tick.Marker = roundTicks{}
	p.Add(plotter.NewGrid())
	p.X.Tick.Marker = wholeTicks{}
	p.Legend.Top = true
	p.Legend.XOffs, p.Legend.YOffs = -3*vg.Millimeter, -2*vg.Millimeter
	p.Legend.Padding = vg.Millimeter
	p.Legend.ThumbnailWidth = vg.Centimeter
	for _, curve := range []struct {
		name   string
		losses []float64
		color  color.Color
	}{
		{"training images, disturbed", c.train, color.RGBA{R: 31, G: 119, B: 180, A: 255}},
		{"test images", c.test, color.RGBA{R: 214, G: 96, B: 14, A: 255}},
	} {
		points := make(plotter.XYs, len(curve.losses))
		for i, loss := range curve.losses {
			points[i] = plotter.XY{X: float64(i + 1), Y: max(loss, 1e-9)} // 0 has no logarithm
		}
		line, marks, err := plotter.NewLinePoints(points)
		if err != nil {
			return nil, err
		}
		line.Color, line.Width = curve.color, vg.Points(2)
		marks.Color, marks.Radius, marks.Shape = curve.color, vg.Points(2.5), draw.CircleGlyph{}
		p.Add(line, marks)
		p.Legend.Add(curve.name, line, marks)
	}
	p.Y.Min, p.Y.Max = p.Y.Min/1.1, p.Y.Max*1.1
	return p, nil
}

// wholeTicks are at whole numbers, some ten of them.
type wholeTicks struct{}

func (wholeTicks) Ticks(low, high float64) []plot.Tick {
	step := 1.0
	for factors := []float64{2, 2.5, 2}; (high-low)/step > 10; { // 1, 2, 5, 10, 20, …
		step *= factors[0]
		factors = append(factors[1:], factors[0])
	}
	var ticks []plot.Tick
	for v := math.Ceil(low/step) * step; v <= high; v += step {
		ticks = append(ticks, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'f', -1, 64)})
	}
	return ticks
}

// roundTicks are for logarithmic scales: those at 1, 2 and 5 times a power of ten have labels.
type roundTicks struct{}

func (roundTicks) Ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for decade := math.Floor(math.Log10(low)); decade <= math.Log10(high); decade++ {
		for m := 1.0; m < 10; m++ {
			v := m * math.Pow(10, decade)
			if v < low || v > high {
				continue
			}
			tick := plot.Tick{Value: v}
			if m == 1 || m == 2 || m == 5 {
				tick.Label = strconv.FormatFloat(v, 'g', 3, 64)
			}
			ticks = append(ticks, tick)
		}
	}
	return ticks
}

// plotConfusion draws the table of digits and what they were taken for.
func plotConfusion(c confusion) (*plot.Plot, error) {
	p := newPlot("Test images by digit and answer", "Answer of the network", "Digit")
	blues, err := brewer.GetPalette(brewer.TypeSequential, "Blues", 9)
	if err != nil {
		return nil, err
	}
	cells := cells{counts: c}
	heat := plotter.NewHeatMap(cells, blues)
	heat.Min, heat.Max = 0, 1
	p.Add(heat)

	var at plotter.XYLabels
	var styles []text.Style
	for i := range classes {
		for j := range classes {
			if n := c[i][j]; n > 0 {
				at.XYs = append(at.XYs, plotter.XY{X: float64(j), Y: rowHeight(i)})
				at.Labels = append(at.Labels, strconv.Itoa(n))
				styles = append(styles, numberStyle(p, cells.Z(j, classes-1-i)))
			}
		}
	}
	numbers, err := plotter.NewLabels(at)
	if err != nil {
		return nil, err
	}
	numbers.TextStyle = styles
	p.Add(numbers)

	var columns, rows plot.ConstantTicks
	for d := range classes {
		columns = append(columns, plot.Tick{Value: float64(d), Label: strconv.Itoa(d)})
		rows = append(rows, plot.Tick{Value: rowHeight(d), Label: strconv.Itoa(d)})
	}
	p.X.Tick.Marker, p.Y.Tick.Marker = columns, rows
	p.X.Tick.Length, p.Y.Tick.Length = 0, 0
	return p, nil
}

// rowHeight places the row of a digit: 0 at the top.
func rowHeight(digit int) float64 { return float64(classes - 1 - digit) }

// numberStyle is a readable style for the number in a cell.
func numberStyle(p *plot.Plot, z float64) text.Style {
	s := p.X.Tick.Label
	s.XAlign, s.YAlign, s.Rotation = text.XCenter, text.YCenter, 0
	s.Color = color.Black
	if z > 0.6 {
		s.Color = color.White
	}
	return s
}

// cells are a confusion table as a heat map wants it: columns, and rows from below.
type cells struct{ counts confusion }

func (c cells) Dims() (columns, rows int) { return classes, classes }
func (c cells) X(column int) float64      { return float64(column) }
func (c cells) Y(row int) float64         { return float64(row) }

// Z is the root of the part of a digit's images that got an answer: the root lets single mistakes show.
func (c cells) Z(column, row int) float64 {
	digit := classes - 1 - row
	total := 0
	for _, n := range c.counts[digit] {
		total += n
	}
	return math.Sqrt(float64(c.counts[digit][column]) / float64(max(total, 1)))
}

func newPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.BackgroundColor = color.White
	p.Title.TextStyle.Font.Size = vg.Points(16)
	p.Title.TextStyle.Font.Variant = "Sans"
	p.Title.Padding = 3 * vg.Millimeter
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Font.Size = vg.Points(14)
		axis.Label.TextStyle.Font.Variant = "Sans"
		axis.Tick.Label.Font.Variant = "Sans"
		axis.Label.Padding = vg.Millimeter
		axis.Tick.Label.Font.Size = vg.Points(13)
	}
	p.Legend.TextStyle.Font.Size = vg.Points(13)
	p.Legend.TextStyle.Font.Variant = "Sans"
	return p
}

// writePlot writes a PNG through a temporary file beside it.
func writePlot(path string, p *plot.Plot) error {
	canvas := vgimg.New(imageSize, imageSize)
	p.Draw(draw.Crop(draw.New(canvas), margin, -margin, margin, -margin))
	return writeFile(path, vgimg.PngCanvas{Canvas: canvas})
}

func writeFile(path string, content io.WriterTo) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close() // a second time where closing was what failed
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	if _, err := content.WriteTo(f); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
