package ndplot

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// CurveOptions are the options of [Curve].
type CurveOptions struct {
	Title, X, Y string

	Names []string  // names of the curves, in a legend
	At    *nd.Array // horizontal coordinates of the points; nil means 0, 1, 2, …
	LogY  bool      // the vertical axis is logarithmic, and values that are not above 0 are left out
	Marks *bool     // whether points are marked; nil means if there are at most 60
	Grid  *bool     // whether grid lines are drawn behind the curves; nil means true
}

// Curve draws the elements of an array with one axis as a curve, and each row of an array with two axes as a curve. An
// element that is not finite leaves a gap.
func Curve(x *nd.Array, opts ...CurveOptions) *Picture {
	const fn nd.Func = "ndplot.Curve"
	o := options.Read(fn, opts)
	fn.Check(x)
	if rank := x.Rank(); rank < 1 || rank > 2 || x.Size() == 0 || x.DType().IsComplex() {
		panic(fn.Errorf([]*nd.Array{x}, "want real numbers along one axis or two, and at least one"))
	}
	n := x.Dim(-1)
	curves := nd.ToRows[float64](x.Reshape(-1, n))
	if len(o.Names) > 0 && len(o.Names) != len(curves) {
		panic(fn.Errorf([]*nd.Array{x}, "%d names for %d curves", len(o.Names), len(curves)))
	}
	at := make([]float64, n)
	for i := range at {
		at[i] = float64(i)
	}
	if o.At != nil {
		fn.Check(o.At)
		if o.At.Rank() != 1 || o.At.Size() != n || o.At.DType().IsComplex() {
			panic(fn.Errorf([]*nd.Array{x, o.At}, "want as many coordinates, real numbers, as points"))
		}
		at = nd.ToSlice[float64](o.At)
	}
	p := newPlot(o.Title, o.X, o.Y)
	if o.Grid == nil || *o.Grid {
		p.Add(plotter.NewGrid())
	}
	marks := n <= mostMarks
	if o.Marks != nil {
		marks = *o.Marks
	}
	points := 0
	for k, values := range curves {
		line := &curve{color: colors[k%len(colors)], marks: marks}
		for i, v := range values {
			line.add(at[i], v, o.LogY)
		}
		points += line.count
		p.Add(line)
		if len(o.Names) > 0 {
			p.Legend.Add(o.Names[k], line)
		}
	}
	p.Y.Tick.Marker = evenTicks{}
	switch {
	case points == 0:
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	case o.LogY:
		p.Y.Min, p.Y.Max = p.Y.Min/1.1, p.Y.Max*1.1
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, roundTicks{}
	}
	p.X.Tick.Marker = evenTicks{}
	if o.At == nil || !o.At.DType().IsInexact() {
		p.X.Tick.Marker = wholeTicks
	}
	picture := &Picture{Plot: p, Width: 17 * vg.Centimeter, Height: 11 * vg.Centimeter}
	if len(o.Names) > 0 {
		picture.liftLegend()
	}
	return picture
}

// liftLegend puts the legend above the plot, where it covers nothing, and increases the height of the picture
// accordingly.
func (p *Picture) liftLegend() {
	l := &p.Legend
	p.Height -= p.head
	p.Title.Padding -= p.head
	l.Top, l.Left = true, true
	l.ThumbnailWidth, l.Padding = vg.Centimeter, vg.Millimeter
	p.head = l.Rectangle(draw.Canvas{}).Size().Y + margin
	l.YOffs = p.head
	p.Height += p.head
	p.Title.Padding += p.head
}

// mostMarks is the largest number of points that are marked by default.
const mostMarks = 60

// colors are the colours of the curves, in turn.
var colors = [...]color.NRGBA{
	{31, 119, 180, 255}, {214, 96, 14, 255}, {44, 140, 60, 255}, {150, 80, 170, 255}, {110, 110, 110, 255}, {170, 40, 60, 255},
}

// curve is a line with gaps. It implements plot.Plotter.
type curve struct {
	pieces []plotter.XYs
	open   bool // the next point belongs to the last piece
	count  int
	color  color.Color
	marks  bool
}

// add adds a point, or begins a gap if the point cannot be drawn.
func (l *curve) add(x, y float64, positive bool) {
	at := plotter.XY{X: x, Y: y}
	if !isFinite(at) || positive && y <= 0 {
		l.open = false
		return
	}
	if !l.open {
		l.pieces = append(l.pieces, nil)
		l.open = true
	}
	last := &l.pieces[len(l.pieces)-1]
	*last = append(*last, at)
	l.count++
}

// DataRange returns the range of the points.
func (l *curve) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax, ymin, ymax = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, piece := range l.pieces {
		for _, at := range piece {
			xmin, xmax, ymin, ymax = min(xmin, at.X), max(xmax, at.X), min(ymin, at.Y), max(ymax, at.Y)
		}
	}
	return xmin, xmax, ymin, ymax
}

// Plot draws the pieces. A piece of one point is drawn as a mark.
func (l *curve) Plot(c draw.Canvas, p *plot.Plot) {
	for _, piece := range l.pieces {
		line := plotter.Line{XYs: piece, LineStyle: l.style()}
		line.Plot(c, p)
		if l.marks || len(piece) == 1 {
			marks := plotter.Scatter{XYs: piece, GlyphStyle: l.glyph()}
			marks.Plot(c, p)
		}
	}
}

// Thumbnail draws the symbol of the curve in a legend.
func (l *curve) Thumbnail(c *draw.Canvas) {
	y := c.Center().Y
	c.StrokeLine2(l.style(), c.Min.X, y, c.Max.X, y)
	if l.marks {
		c.DrawGlyph(l.glyph(), c.Center())
	}
}

func (l *curve) style() draw.LineStyle {
	return draw.LineStyle{Color: l.color, Width: vg.Points(1.6)}
}

func (l *curve) glyph() draw.GlyphStyle {
	return draw.GlyphStyle{Color: l.color, Radius: vg.Points(2.2), Shape: draw.CircleGlyph{}}
}
