package train

import (
	"strconv"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/report"
)

// ParameterStatistics notes how the numbers of each trained parameter lie, and those of its gradient: as NAME/data/mean and
// NAME/grad/mean, and so std, min, max, zeros (how many), and percentile/0 to percentile/6, which in a normal distribution are three
// standard deviations below the mean, two, one, the mean, and one to three above it. Gradients are those that [ParameterStatistics.See]
// was shown last.
type ParameterStatistics struct {
	Base
	params    *nn.Scope
	prefix    string
	gradients gradientCopies
}

// ParameterStatisticsOptions are the options of [NewParameterStatistics].
type ParameterStatisticsOptions struct {
	// Prefix stands before the names, with a slash.
	Prefix string
}

// NewParameterStatistics returns the extension for the parameters below a scope. It runs after each epoch. Those of gradients need a
// hook in the updater:
//
//	statistics := train.NewParameterStatistics(params)
//	updater := train.NewUpdater(batches, params, optimizer, loss, train.UpdaterOptions{Hook: statistics.See})
//	…
//	trainer.Extend(statistics)
func NewParameterStatistics(params *nn.Scope, opts ...ParameterStatisticsOptions) *ParameterStatistics {
	const fn nd.Func = "train.NewParameterStatistics"
	return &ParameterStatistics{params: params, prefix: options.Read(fn, opts).Prefix}
}

// See copies gradients of the scope's parameters, for the next Run.
func (p *ParameterStatistics) See(g *optim.Gradients) { p.gradients.take(g) }

// Settings run it after each epoch.
func (p *ParameterStatistics) Settings() Settings {
	return Settings{Name: "ParameterStatistics", Trigger: Every(1, Epoch), Priority: Writer}
}

// Run notes the statistics.
func (p *ParameterStatistics) Run(t *Trainer) error {
	r := report.New(t.Observation())
	if p.prefix != "" {
		r = r.Sub(p.prefix)
	}
	for name, param := range p.params.Trained() {
		distributionOf(param.Value()).report(r.Sub(name).Sub("data"))
		if g := p.gradients[name]; g != nil {
			distributionOf(g).report(r.Sub(name).Sub("grad"))
		}
	}
	return nil
}

func (d distribution) report(r *report.Reporter) {
	r.Value("mean", d.mean)
	r.Value("std", d.std)
	r.Value("min", d.least)
	r.Value("max", d.greatest)
	r.Value("zeros", float64(d.zeros))
	for i, v := range d.percentiles {
		r.Value("percentile/"+strconv.Itoa(i), v)
	}
}
