package train

import (
	"strconv"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/report"
)

// ParameterStatistics observes statistics of each trained parameter and its gradient, as NAME/data/mean and
// NAME/grad/mean, likewise std, min, max, zeros (their number), and percentile/0 to percentile/6. In a normal
// distribution these percentiles are the mean minus three, two and one standard deviations, the mean, and the mean plus
// one to three. The gradients are the last ones that [ParameterStatistics.See] got.
type ParameterStatistics struct {
	Base
	params    *nn.Scope
	prefix    string
	gradients gradientCopies
}

// ParameterStatisticsOptions are the options of [NewParameterStatistics].
type ParameterStatisticsOptions struct {
	// Prefix is put before the names, with a slash.
	Prefix string
}

// NewParameterStatistics returns the extension for the parameters below a scope. It runs after each epoch. The
// statistics of gradients need a hook in the updater:
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

// Settings make the extension run after each epoch.
func (p *ParameterStatistics) Settings() Settings {
	return Settings{Name: "ParameterStatistics", Trigger: Every(1, Epoch), Priority: Writer}
}

// Run adds the statistics to the observation.
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
