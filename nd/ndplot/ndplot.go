// Package ndplot draws arrays by gonum/plot, in one line each:
//
//	err := ndplot.HeatMap(weights).Save("weights.png")
//	err = ndplot.Curve(losses, ndplot.CurveOptions{Title: "loss", LogY: true}).Save("loss.svg")
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

// Picture is a plot of gonum's, which more can be added to, and the size of its file.
type Picture struct {
	*plot.Plot
	Width, Height vg.Length
}

// Save draws the picture into a file, which appears whole or not at all. The name's extension says in which format: .png, .svg,
// .pdf, .jpg, .tif, .eps or .tex.
func (p *Picture) Save(path string) error {
	file, err := draw.NewFormattedCanvas(p.Width, p.Height, strings.ToLower(strings.TrimPrefix(filepath.Ext(path), ".")))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	canvas := draw.New(file)
	canvas.SetColor(p.BackgroundColor)
	canvas.Fill(canvas.Rectangle.Path())
	p.Draw(draw.Crop(canvas, margin, -margin, margin, -margin))
	var drawn bytes.Buffer
	if _, err := file.WriteTo(&drawn); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return wholefile.Write(path, func(w io.Writer) error {
		// Of an SVG: Arial has the widths of Liberation Sans, which not every machine has.
		_, err := w.Write(bytes.ReplaceAll(drawn.Bytes(), []byte("font-family:Liberation Sans;"), []byte("font-family:Liberation Sans,Arial,sans-serif;")))
		return err
	})
}

// margin is left free around a plot.
const margin = 3 * vg.Millimeter

// newPlot returns an empty plot with its texts.
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
