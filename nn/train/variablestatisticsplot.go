package train

import (
	"fmt"
	"path/filepath"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ndplot"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// VariableStatisticsPlot plots statistics over the updates of all trained parameters together, and beside them those of
// their gradients: mean and standard deviation above, percentiles below. The gradients are those that
// [VariableStatisticsPlot.See] gets. It reads all numbers after each update; give [Trainer.Extend] a trigger to read
// them less often.
type VariableStatisticsPlot struct {
	Base
	o         VariableStatisticsPlotOptions
	params    *nn.Scope
	gradients gradientCopies

	points  []float64 // pointSize numbers for each sample
	calls   int
	between int // calls from one sample to the next
}

// VariableStatisticsPlotOptions are the options of [NewVariableStatisticsPlot].
type VariableStatisticsPlotOptions struct {
	// Trigger decides when the picture is drawn; nil means after each epoch.
	Trigger Trigger
	// FileName is the name of the picture in the trainer's folder; empty means "statistics.png".
	FileName string
	// MaxSampleSize is the largest number of samples to keep: above it every other sample is dropped. 0 means 1000.
	MaxSampleSize int
}

// NewVariableStatisticsPlot returns the extension for the parameters below a scope. It sees gradients if the updater's
// hook is its See.
func NewVariableStatisticsPlot(params *nn.Scope, opts ...VariableStatisticsPlotOptions) *VariableStatisticsPlot {
	const fn nd.Func = "train.NewVariableStatisticsPlot"
	o := options.Read(fn, opts)
	if o.MaxSampleSize < 0 || o.MaxSampleSize == 1 {
		panic(fn.Errorf(nil, "a MaxSampleSize of %d: want at least 2", o.MaxSampleSize))
	}
	if o.Trigger == nil {
		o.Trigger = Every(1, Epoch)
	}
	if o.FileName == "" {
		o.FileName = "statistics.png"
	}
	if o.MaxSampleSize == 0 {
		o.MaxSampleSize = 1000
	}
	return &VariableStatisticsPlot{o: o, params: params, between: 1}
}

// See copies gradients of the scope's parameters, for the next Run.
func (v *VariableStatisticsPlot) See(g *optim.Gradients) { v.gradients.take(g) }

// Settings make the extension run after each update.
func (v *VariableStatisticsPlot) Settings() Settings { return Settings{Name: "VariableStatisticsPlot"} }

// A sample has the iteration, and for the parameters and the gradients each the mean, the standard deviation and the
// percentiles.
const (
	distributionSize = 2 + len(percents)
	pointSize        = 1 + 2*distributionSize
)

// Run takes a sample, and draws if the trigger fires.
func (v *VariableStatisticsPlot) Run(t *Trainer) error {
	if v.calls%v.between == 0 {
		v.add(t.Iteration())
	}
	v.calls++
	if !v.o.Trigger.Fire(t) || t.Rank() > 0 {
		return nil
	}
	path := filepath.Join(t.Out(), v.o.FileName)
	return ndplot.SaveTable(path,
		[]*ndplot.Picture{v.moments(1, "parameters"), v.moments(1+distributionSize, "gradients")},
		[]*ndplot.Picture{v.percentiles(1, "parameters"), v.percentiles(1+distributionSize, "gradients")})
}

// add takes a sample. If there are too many samples it drops every other one.
func (v *VariableStatisticsPlot) add(iteration int) {
	var data, grads []*nd.Array
	for name, p := range v.params.Trained() {
		data = append(data, p.Value())
		if g := v.gradients[name]; g != nil {
			grads = append(grads, g)
		}
	}
	v.points = append(v.points, float64(iteration))
	for _, d := range []distribution{distributionOf(data...), distributionOf(grads...)} {
		v.points = append(append(v.points, d.mean, d.std), d.percentiles[:]...)
	}
	if n := len(v.points) / pointSize; n > v.o.MaxSampleSize {
		for i := range (n + 1) / 2 {
			copy(v.points[i*pointSize:(i+1)*pointSize], v.points[2*i*pointSize:])
		}
		v.points = v.points[:(n+1)/2*pointSize]
		v.between *= 2
	}
}

// moments draws mean and standard deviation, and percentiles draws percentiles, of the distribution whose numbers begin
// at the index from of each sample.
func (v *VariableStatisticsPlot) moments(from int, of string) *ndplot.Picture {
	return v.curves(of, []int{from, from + 1}, []string{"mean", "standard deviation"})
}

func (v *VariableStatisticsPlot) percentiles(from int, of string) *ndplot.Picture {
	var columns []int
	var names []string
	for i := len(percents) - 2; i > 0; i-- { // in the order of the curves, without the outermost, whose scale would hide the others
		columns = append(columns, from+2+i)
		names = append(names, fmt.Sprintf("%g %%", percents[i]))
	}
	names[len(names)/2] = "median"
	return v.curves(of, columns, names)
}

func (v *VariableStatisticsPlot) curves(of string, columns []int, names []string) *ndplot.Picture {
	column := func(k int) []float64 {
		var values []float64
		for at := k; at < len(v.points); at += pointSize {
			values = append(values, v.points[at])
		}
		return values
	}
	rows := make([][]float64, len(columns))
	for i, k := range columns {
		rows[i] = column(k)
	}
	return ndplot.Curve(nd.FromRows(rows), ndplot.CurveOptions{X: "iteration", Y: of, Names: names,
		At: nd.FromSlice(column(0)).AsType(dtype.Int64), Marks: new(false)})
}

// Archive saves or restores the samples.
func (v *VariableStatisticsPlot) Archive(a *archive.Archive) {
	calls, between := v.calls, v.between
	points := nd.FromSlice(v.points, len(v.points)/pointSize, pointSize)
	at := a.Immediate()
	at.Int("_calls", &calls)
	at.Int("_between", &between)
	at.NewArray("_points", &points)
	if points == nil || points.Rank() != 2 || points.Dim(1) != pointSize || between < 1 {
		a.Fail(fmt.Errorf("these are not samples of VariableStatisticsPlot"))
		return
	}
	a.AfterLoad(func() { v.calls, v.between, v.points = calls, between, nd.ToSlice[float64](points) })
}
