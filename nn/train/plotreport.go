package train

import (
	"math"
	"path/filepath"
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ndplot"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/report"
)

// PlotReport plots the means of observed values over intervals as curves, and writes the picture after each interval.
// Besides the plotted values it knows "epoch" and "iteration".
type PlotReport struct {
	Base
	keys []string
	o    PlotReportOptions
	log  *LogReport
}

// PlotReportOptions are the options of [NewPlotReport].
type PlotReportOptions struct {
	// XKey is the value of the horizontal axis; empty means "iteration".
	XKey string
	// Trigger ends an interval; nil means each epoch.
	Trigger Trigger
	// Postprocess may change the picture before it is written; log has the values that it shows.
	Postprocess func(p *ndplot.Picture, log []*report.Values)
	// FileName is the name of the picture in the trainer's folder; empty means "plot.png". Its extension defines the
	// format, as in ndplot.Picture.Save. "{iteration}", or another value's name in braces, is replaced by the value.
	FileName string
	// Marker controls whether points are marked; nil means only if there are few.
	Marker *bool
	// Grid controls whether there are grid lines behind the curves; nil means true.
	Grid *bool
}

// NewPlotReport returns the extension that plots the values of the given names. It ignores names that were never
// observed.
// Chainer: training.extensions.PlotReport.
func NewPlotReport(keys []string, opts ...PlotReportOptions) *PlotReport {
	const fn nd.Func = "train.NewPlotReport"
	o := options.Read(fn, opts)
	if o.XKey == "" {
		o.XKey = "iteration"
	}
	if o.FileName == "" {
		o.FileName = "plot.png"
	}
	recorded := keys
	if !slices.Contains(recorded, o.XKey) { // another observed value; epoch and iteration are always there
		recorded = append(slices.Clone(keys), o.XKey)
	}
	log := NewLogReport(LogReportOptions{Keys: recorded, Trigger: o.Trigger, NoFile: true})
	return &PlotReport{keys: slices.Clone(keys), o: o, log: log}
}

// Settings give the extension its name.
func (p *PlotReport) Settings() Settings { return Settings{Name: "PlotReport"} }

// Run adds the observation to the sums, and plots at the end of an interval.
func (p *PlotReport) Run(t *Trainer) error {
	before := len(p.log.Log())
	if err := p.log.Run(t); err != nil || len(p.log.Log()) == before {
		return err
	}
	picture := p.picture()
	if picture == nil || t.Rank() > 0 {
		return nil
	}
	if p.o.Postprocess != nil {
		p.o.Postprocess(picture, p.log.Log())
	}
	return picture.Save(filepath.Join(t.Out(), fillFileName(p.o.FileName, p.log.Log()[before])))
}

// picture returns the picture of all intervals, or nil if none of the values was observed.
func (p *PlotReport) picture() *ndplot.Picture {
	log := p.log.Log()
	column := func(key string) (values []float64, some bool) {
		for _, v := range log {
			x, ok := v.Get(key)
			if !ok {
				x = math.NaN()
			}
			values, some = append(values, x), some || ok
		}
		return values, some
	}
	var names []string
	var curves [][]float64
	for _, key := range p.keys {
		if values, some := column(key); some {
			names, curves = append(names, key), append(curves, values)
		}
	}
	if names == nil {
		return nil
	}
	x, _ := column(p.o.XKey)
	at := nd.FromSlice(x)
	if !slices.ContainsFunc(x, func(x float64) bool { return x != math.Trunc(x) }) {
		at = at.AsType(dtype.Int64) // avoids ticks between the integers along the axis
	}
	return ndplot.Curve(nd.FromRows(curves), ndplot.CurveOptions{X: p.o.XKey, Names: names, At: at, Marks: p.o.Marker, Grid: p.o.Grid})
}

// Archive saves or restores the intervals, and the observations of the interval that has not ended. Chainer's files
// store points instead of intervals: after loading one, the curves start anew.
func (p *PlotReport) Archive(a *archive.Archive) {
	if a.Loading() && !a.Has("_log") {
		a.Ignore("")
		return
	}
	p.log.Archive(a)
}
