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

// PlotReport draws the means of observed values over intervals as curves, and draws the picture again after each interval. Beside the
// values that it draws it knows "epoch" and "iteration".
type PlotReport struct {
	Base
	keys []string
	o    PlotReportOptions
	log  *LogReport
}

// PlotReportOptions are the options of [NewPlotReport].
type PlotReportOptions struct {
	// XKey is the value that goes along the horizontal axis; empty means "iteration".
	XKey string
	// Trigger ends an interval; nil means each epoch.
	Trigger Trigger
	// Postprocess may change the picture before it is drawn; log has what it shows.
	Postprocess func(p *ndplot.Picture, log []*report.Values)
	// FileName is that of the picture in the trainer's folder; empty means "plot.png". Its extension says in which format, as in
	// ndplot.Picture.Save, and "{iteration}" or another value's name in braces stands for the value.
	FileName string
	// Marker says whether points are marked; nil means where there are few.
	Marker *bool
	// Grid says whether there are lines behind the curves; nil means true.
	Grid *bool
}

// NewPlotReport returns the extension that draws the values of some names. Names that were never observed are left out.
// chainer.training.extensions.PlotReport.
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
	if !slices.Contains(recorded, o.XKey) { // another observed value; epoch and iteration come by themselves
		recorded = append(slices.Clone(keys), o.XKey)
	}
	log := NewLogReport(LogReportOptions{Keys: recorded, Trigger: o.Trigger, NoFile: true})
	return &PlotReport{keys: slices.Clone(keys), o: o, log: log}
}

// Settings give its name.
func (p *PlotReport) Settings() Settings { return Settings{Name: "PlotReport"} }

// Run adds the observation up, and draws at the end of an interval.
func (p *PlotReport) Run(t *Trainer) error {
	before := len(p.log.Log())
	if err := p.log.Run(t); err != nil || len(p.log.Log()) == before {
		return err
	}
	picture := p.picture()
	if picture == nil {
		return nil
	}
	if p.o.Postprocess != nil {
		p.o.Postprocess(picture, p.log.Log())
	}
	return picture.Save(filepath.Join(t.Out(), filled(p.o.FileName, p.log.Log()[before])))
}

// picture is that of all intervals, or nil where none of the values was observed.
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
		at = at.AsType(dtype.Int64) // so that there is nothing between the numbers along the axis
	}
	return ndplot.Curve(nd.FromRows(curves), ndplot.CurveOptions{X: p.o.XKey, Names: names, At: at, Marks: p.o.Marker, Grid: p.o.Grid})
}

// Archive saves or restores the intervals, and what is observed of the one that is not over. Chainer's files have points in their place:
// with one of those the curves begin anew.
func (p *PlotReport) Archive(a *archive.Archive) {
	if a.Loading() && !a.Has("_log") {
		a.Ignore("")
		return
	}
	p.log.Archive(a)
}
