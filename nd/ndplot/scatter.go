package ndplot

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// ScatterOptions are the options of [Scatter].
type ScatterOptions struct {
	Title, X, Y string

	Classes *nd.Array // the class of each point, integers from 0 on; nil means that all points are of one class
	Names   []string  // names of the classes, in a legend; nil means their numbers
	Radius  float64   // the radius of a mark, in points of print; 0 means 2.2
	Grid    *bool     // whether grid lines are drawn behind the points; nil means true
}

// Scatter draws the rows of an array (N, 2) as points. Each class has its own colour and mark, and an entry in the legend,
// which is above the points. Points that are not finite are left out.
func Scatter(points *nd.Array, opts ...ScatterOptions) *Picture {
	const fn nd.Func = "ndplot.Scatter"
	o := options.Read(fn, opts)
	at := pointsOf(fn, points)
	if !(o.Radius >= 0) || math.IsInf(o.Radius, 1) {
		panic(fn.Errorf([]*nd.Array{points}, "Radius %v: want a number from 0 on", o.Radius))
	}
	classes, count := make([]int, len(at)), 1
	if o.Classes != nil {
		classes, count = classesOf(fn, points, o.Classes)
	}
	switch {
	case o.Names == nil && o.Classes != nil:
		for k := range count {
			o.Names = append(o.Names, strconv.Itoa(k))
		}
	case o.Names != nil && len(o.Names) < count:
		panic(fn.Errorf([]*nd.Array{points}, "%d names for %d classes", len(o.Names), count))
	}
	p := newPlot(o.Title, o.X, o.Y)
	if o.Grid == nil || *o.Grid {
		p.Add(plotter.NewGrid())
	}
	radius := vg.Points(2.2)
	if o.Radius > 0 {
		radius = vg.Points(o.Radius)
	}
	drawn := 0
	members := make([]plotter.XYs, max(count, len(o.Names)))
	for i, class := range classes {
		if isFinite(at[i]) {
			members[class] = append(members[class], at[i])
			drawn++
		}
	}
	for k, points := range members {
		style := draw.GlyphStyle{Color: colors[k%len(colors)], Radius: radius, Shape: marks[k/len(colors)%len(marks)]}
		of := &plotter.Scatter{XYs: points, GlyphStyle: style}
		if len(points) > 0 {
			p.Add(of)
		}
		if o.Names != nil {
			p.Legend.Add(o.Names[k], of)
		}
	}
	if drawn == 0 {
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	}
	p.X.Tick.Marker, p.Y.Tick.Marker = evenTicks{}, evenTicks{}
	picture := &Picture{Plot: p, Width: 15 * vg.Centimeter, Height: 13 * vg.Centimeter}
	if o.Names != nil {
		picture.liftLegend()
	}
	return picture
}

// Points returns the rows of an array (N, 2) for gonum's plotters, such as plotter.NewLine and plotter.NewScatter, which
// [Picture.AddNamed] and Picture.Add add to a picture. Rows that are not finite are left out.
func Points(points *nd.Array) plotter.XYs {
	return slices.DeleteFunc(pointsOf("ndplot.Points", points), func(at plotter.XY) bool { return !isFinite(at) })
}

// AddNamed adds plotters of gonum to the picture, with one entry in the legend, which is above the plot.
func (p *Picture) AddNamed(name string, plotters ...plot.Plotter) {
	var symbols []plot.Thumbnailer
	for _, one := range plotters {
		if symbol, ok := one.(plot.Thumbnailer); ok {
			symbols = append(symbols, symbol)
		}
	}
	p.Add(plotters...)
	p.Legend.Add(name, symbols...)
	p.liftLegend()
}

// marks are the marks of classes; each is used with all colours before the next.
var marks = [...]draw.GlyphDrawer{draw.CircleGlyph{}, draw.PyramidGlyph{}, draw.BoxGlyph{}, draw.CrossGlyph{}}

func isFinite(at plotter.XY) bool {
	return !math.IsNaN(at.X+at.Y) && !math.IsInf(at.X, 0) && !math.IsInf(at.Y, 0)
}

func pointsOf(fn nd.Func, points *nd.Array) plotter.XYs {
	fn.Check(points)
	if points.Rank() != 2 || points.Dim(1) != 2 || points.DType().IsComplex() {
		panic(fn.Errorf([]*nd.Array{points}, "want points of real numbers, (N, 2)"))
	}
	at := make(plotter.XYs, points.Dim(0))
	for i, row := range nd.ToRows[float64](points) {
		at[i] = plotter.XY{X: row[0], Y: row[1]}
	}
	return at
}

// classesOf returns the class of each point, and the number of classes.
func classesOf(fn nd.Func, points, classes *nd.Array) (of []int, count int) {
	fn.Check(points, classes)
	in := []*nd.Array{points, classes}
	if !classes.DType().IsInteger() || classes.Rank() != 1 || classes.Size() != points.Dim(0) {
		panic(fn.Errorf(in, "want an integer class for each of %d points", points.Dim(0)))
	}
	of = make([]int, classes.Size())
	for i, class := range nd.ToSlice[float64](classes) {
		if class < 0 || class >= mostClasses {
			panic(fn.Errorf(in, "class %v of point %d: want numbers from 0 to %d", class, i, mostClasses-1))
		}
		of[i] = int(class)
		count = max(count, of[i]+1)
	}
	return of, max(count, 1)
}

// mostClasses is the largest number of classes; their entries fill the legend.
const mostClasses = 100
