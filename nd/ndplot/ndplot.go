// Package ndplot draws arrays with gonum/plot, in one line each:
//
//	err := ndplot.HeatMap(weights).Save("weights.png")
//	err = ndplot.Curve(losses, ndplot.CurveOptions{Title: "loss", LogY: true}).Save("loss.svg")
//	err = ndplot.Scatter(points, ndplot.ScatterOptions{Classes: labels}).Save("points.png")
package ndplot

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/ndgrad/ndgrad/internal/wholefile"
)

// Picture is a gonum plot and the size of its file. Add adds any plotter of gonum.org/v1/plot/plotter, and AddNamed does
// so with an entry in the legend.
type Picture struct {
	*plot.Plot
	Width, Height vg.Length

	head vg.Length // the height of a legend above the curves
}

// Save draws the picture into a file, which appears complete or not at all. The extension of the name chooses the
// format: .png, .svg, .pdf, .jpg, .tif, .eps or .tex.
func (p *Picture) Save(path string) error { return SaveTable(path, []*Picture{p}) }

// SaveTable is [Picture.Save] for several pictures in a table, the first row at the top. All cells have the size of the
// largest picture; nil leaves a cell empty.
func SaveTable(path string, rows ...[]*Picture) error {
	var width, height vg.Length
	columns := 0
	for _, row := range rows {
		columns = max(columns, len(row))
		for _, p := range row {
			if p != nil {
				width, height = max(width, p.Width), max(height, p.Height)
			}
		}
	}
	format := strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
	file, err := draw.NewFormattedCanvas(width*vg.Length(columns), height*vg.Length(len(rows)), format)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	canvas := draw.New(file)
	canvas.SetColor(color.White)
	canvas.Fill(canvas.Rectangle.Path())
	tiles := draw.Tiles{Rows: len(rows), Cols: columns}
	for i, row := range rows {
		for j, p := range row {
			if p != nil {
				p.drawOn(tiles.At(canvas, j, i))
			}
		}
	}
	var drawn bytes.Buffer
	if _, err := file.WriteTo(&drawn); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return wholefile.Write(path, func(w io.Writer) error {
		// For SVG: Arial has the widths of Liberation Sans, which not every machine has.
		_, err := w.Write(bytes.ReplaceAll(drawn.Bytes(), []byte("font-family:Liberation Sans;"), []byte("font-family:Liberation Sans,Arial,sans-serif;")))
		return err
	})
}

// drawOn draws the picture with its margin.
func (p *Picture) drawOn(c draw.Canvas) {
	c.SetColor(p.BackgroundColor)
	c.Fill(c.Rectangle.Path())
	top := margin
	if p.Title.Text == "" { // its padding would reserve room for the legend
		top += p.head
	}
	p.Draw(draw.Crop(c, margin, -margin, margin, -top))
}

// margin is the free space around a plot.
const margin = 3 * vg.Millimeter

// newPlot returns an empty plot with its title and axis labels.
func newPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = color.White
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.TextStyle.Font.Size = vg.Points(13)
	p.Title.TextStyle.Font.Variant = "Sans"
	p.Title.Padding = margin
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Font.Size = vg.Points(11)
		axis.Label.TextStyle.Font.Variant = "Sans"
		axis.Label.Padding = vg.Millimeter
		axis.Tick.Label.Font.Size = vg.Points(10)
		axis.Tick.Label.Font.Variant = "Sans"
	}
	p.Legend.TextStyle.Font.Size = vg.Points(10)
	p.Legend.TextStyle.Font.Variant = "Sans"
	return p
}
