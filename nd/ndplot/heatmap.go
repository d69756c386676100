package ndplot

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// HeatMapOptions are the options of [HeatMap].
type HeatMapOptions struct {
	Title, X, Y string

	// Label returns the text in a cell. If Label is set, the colour bar is left out.
	Label func(row, column int) string
}

// HeatMap draws the elements of an array with two axes as a table of colours, with the first row at the top. An array
// of one axis is one row. Numbers below zero are red, those above are blue; without numbers below zero, blue begins at
// the smallest. NaN is grey; infinities have the colours at the ends.
func HeatMap(x *nd.Array, opts ...HeatMapOptions) *Picture {
	const fn nd.Func = "ndplot.HeatMap"
	o := options.Read(fn, opts)
	fn.Check(x)
	if rank := x.Rank(); rank < 1 || rank > 2 || x.Size() == 0 || x.DType().IsComplex() {
		panic(fn.Errorf([]*nd.Array{x}, "want real numbers along one axis or two, and at least one"))
	}
	cells := &cells{columns: x.Dim(-1), values: nd.ToSlice[float64](x), label: o.Label}
	cells.rows = len(cells.values) / cells.columns
	cells.low, cells.high = ends(cells.values)

	p := newPlot(o.Title, o.X, o.Y)
	cells.style = p.X.Tick.Label
	cells.style.XAlign, cells.style.YAlign = text.XCenter, text.YCenter
	p.Add(cells)
	p.X.Tick.Marker, p.Y.Tick.Marker = wholeTicks, rowTicks{cells.rows}
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Padding, axis.LineStyle.Width, axis.Tick.Length = vg.Millimeter, 0, 0
	}
	const width = 15 * vg.Centimeter
	height := vg.Length(float64(cells.rows)/float64(cells.columns)) * width
	return &Picture{Plot: p, Width: width + 2*vg.Centimeter, Height: min(max(height, 3*vg.Centimeter), 25*vg.Centimeter) + 2*vg.Centimeter}
}

// ends returns the numbers of the first and the last colour. If there are numbers on both sides of 0, 0 is in the
// middle.
func ends(values []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			low, high = min(low, v), max(high, v)
		}
	}
	switch {
	case low > high:
		return 0, 1
	case low < 0:
		high = max(high, -low)
		return -high, high
	case low == high:
		return min(low, 0), max(high, 1)
	}
	return low, high
}

// cells are the elements of a heat map. It implements plot.Plotter.
type cells struct {
	rows, columns int
	values        []float64
	low, high     float64
	style         text.Style
	label         func(row, column int) string
}

// DataRange returns a range with one unit per cell; the middle of a cell is an integer.
func (h *cells) DataRange() (xmin, xmax, ymin, ymax float64) {
	return -0.5, float64(h.columns) - 0.5, -0.5, float64(h.rows) - 0.5
}

// Plot draws the cells as an image, which leaves no seams between them, and a frame, because many cells may be white.
func (h *cells) Plot(c draw.Canvas, p *plot.Plot) {
	c.DrawImage(c.Rectangle, h.image())
	c.SetColor(color.Gray{200})
	c.SetLineWidth(vg.Points(0.5))
	c.Stroke(c.Rectangle.Path())
	if h.label == nil {
		h.plotScale(c)
		return
	}
	x, y := p.Transforms(&c)
	for i := range h.rows {
		for j := range h.columns {
			style := h.style
			style.Color = readable(h.color(h.values[i*h.columns+j]))
			c.FillText(style, vg.Point{X: x(float64(j)), Y: y(float64(h.rows - 1 - i))}, h.label(i, j))
		}
	}
}

// image returns an image with one pixel per cell, or several if one pixel would be blurred in scaling.
func (h *cells) image() image.Image {
	const sharp = 700
	wide, high := max(1, sharp/h.columns), max(1, sharp/h.rows)
	img := image.NewNRGBA(image.Rect(0, 0, h.columns*wide, h.rows*high))
	for k, v := range h.values {
		c, left, top := h.color(v), k%h.columns*wide, k/h.columns*high
		for i := range wide * high {
			img.SetNRGBA(left+i%wide, top+i/wide, c)
		}
	}
	return img
}

// color returns the colour of a number.
func (h *cells) color(v float64) color.NRGBA {
	if math.IsNaN(v) {
		return color.NRGBA{150, 150, 150, 255}
	}
	v = min(max(v, h.low), h.high)
	if h.low < 0 {
		return shade(v / h.high)
	}
	return shade(v/(h.high-h.low) - h.low/(h.high-h.low))
}

// reds and blues are colours from white to dark, at equal steps of lightness.
var (
	reds  = [...]color.NRGBA{{255, 255, 255, 255}, {253, 219, 199, 255}, {244, 165, 130, 255}, {214, 96, 77, 255}, {150, 20, 40, 255}}
	blues = [...]color.NRGBA{{255, 255, 255, 255}, {209, 229, 240, 255}, {146, 197, 222, 255}, {67, 147, 195, 255}, {12, 64, 130, 255}}
)

// shade returns a colour from red at -1 through white at 0 to blue at 1.
func shade(v float64) color.NRGBA {
	steps := blues
	if v < 0 {
		steps, v = reds, -v
	}
	at := min(v, 1) * float64(len(steps)-1)
	k := min(int(at), len(steps)-2)
	part := at - float64(k)
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a)*(1-part) + float64(b)*part)) }
	a, b := steps[k], steps[k+1]
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

// readable returns black or white, whichever is readable on a colour.
func readable(c color.NRGBA) color.Color {
	if color.GrayModel.Convert(c).(color.Gray).Y < 140 {
		return color.White
	}
	return color.Black
}

// The colour bar is to the right of the cells.
const (
	barGap   = 5 * vg.Millimeter
	barWidth = 4 * vg.Millimeter
	textGap  = 1.5 * vg.Millimeter
)

// plotScale draws the colour bar and its numbers.
func (h *cells) plotScale(c draw.Canvas) {
	const steps = 128
	bar := image.NewNRGBA(image.Rect(0, 0, 1, steps))
	for k := range steps {
		part := float64(k) / (steps - 1)
		bar.SetNRGBA(0, steps-1-k, h.color(h.low*(1-part)+h.high*part))
	}
	left := c.Max.X + barGap
	c.DrawImage(vg.Rectangle{Min: vg.Point{X: left, Y: c.Min.Y}, Max: vg.Point{X: left + barWidth, Y: c.Max.Y}}, bar)
	style := h.style
	style.XAlign = text.XLeft
	for _, tick := range h.ticks() {
		at := vg.Length((tick.Value - h.low) / (h.high - h.low))
		c.FillText(style, vg.Point{X: left + barWidth + textGap, Y: c.Min.Y + at*(c.Max.Y-c.Min.Y)}, tick.Label)
	}
}

// ticks returns the numbers beside the colour bar.
func (h *cells) ticks() []plot.Tick { return evenTicks{}.Ticks(h.low, h.high) }

// GlyphBoxes reserves room for the colour bar.
func (h *cells) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	if h.label != nil {
		return nil
	}
	room := barGap + barWidth + textGap
	var widest vg.Length
	for _, tick := range h.ticks() {
		widest = max(widest, h.style.Width(tick.Label))
	}
	half := h.style.Height("0") / 2
	return []plot.GlyphBox{
		{X: 1, Y: 1, Rectangle: vg.Rectangle{Min: vg.Point{Y: -half}, Max: vg.Point{X: room + widest, Y: half}}},
		{X: 1, Y: 0, Rectangle: vg.Rectangle{Min: vg.Point{Y: -half}, Max: vg.Point{X: room + widest, Y: half}}},
	}
}
