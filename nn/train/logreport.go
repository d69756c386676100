package train

import (
	"io"
	"path/filepath"
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/internal/wholefile"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/archive"
	"github.com/ndgrad/ndgrad/nn/report"
)

// LogReport keeps the means of observed values over intervals, and writes them to a JSON file. The file is a list with
// an object for each interval, which has the means in the order in which their names first appeared, and then "epoch",
// "iteration" and "elapsed_time" (seconds). The whole file is written again after each interval.
// Chainer: training.extensions.LogReport.
type LogReport struct {
	Base
	o       LogReportOptions
	log     []*report.Values
	summary report.Summaries // of the interval that has not ended
}

// LogReportOptions are the options of [NewLogReport].
type LogReportOptions struct {
	// Keys are the names to keep; nil means all.
	Keys []string
	// Trigger ends an interval; nil means each epoch.
	Trigger Trigger
	// Postprocess may change an interval's values before they are written.
	Postprocess func(v *report.Values)
	// FileName is the name of the file in the trainer's folder; empty means "log". A value's name in braces, such as
	// "{iteration}", is replaced by the value.
	FileName string
	// NoFile disables the file.
	NoFile bool
}

// NewLogReport returns the extension.
func NewLogReport(opts ...LogReportOptions) *LogReport {
	const fn nd.Func = "train.NewLogReport"
	o := options.Read(fn, opts)
	if o.Trigger == nil {
		o.Trigger = Every(1, Epoch)
	}
	if o.FileName == "" {
		o.FileName = "log"
	}
	o.Keys = slices.Clone(o.Keys)
	return &LogReport{o: o}
}

// Settings give the extension its name.
func (l *LogReport) Settings() Settings { return Settings{Name: "LogReport"} }

// Log returns the values of all intervals so far.
// Chainer: training.extensions.LogReport.log.
func (l *LogReport) Log() []*report.Values { return l.log }

// Run adds the observation to the sums, and writes the file at the end of an interval.
func (l *LogReport) Run(t *Trainer) error {
	if l.o.Keys == nil {
		l.summary.Add(t.Observation())
	}
	for _, key := range l.o.Keys {
		if v, ok := t.Observation().Get(key); ok {
			l.summary.AddValue(key, v)
		}
	}
	if !l.o.Trigger.Fire(t) {
		return nil
	}
	v := l.summary.Means()
	l.summary.Clear()
	v.Set("epoch", float64(t.Position().Epoch))
	v.Set("iteration", float64(t.Iteration()))
	v.Set("elapsed_time", t.Elapsed())
	if l.o.Postprocess != nil {
		l.o.Postprocess(v)
	}
	l.log = append(l.log, v)
	if l.o.NoFile || t.Rank() > 0 {
		return nil
	}
	return wholefile.Write(filepath.Join(t.Out(), fillFileName(l.o.FileName, v)), func(w io.Writer) error {
		_, err := io.WriteString(w, encodeLog(l.log, true))
		return err
	})
}

// Archive saves or restores the intervals, and the sums of the interval that has not ended. Chainer's files lack these
// sums: after loading one, observations since the last interval are lost.
func (l *LogReport) Archive(a *archive.Archive) {
	text := encodeLog(l.log, false)
	a.Immediate().Text("_log", &text)
	log, err := decodeLog(text)
	if err != nil {
		a.Fail(err)
	}
	a.AfterLoad(func() { l.log = log })
	if !a.Loading() || a.Has("_summary") {
		a.Object("_summary", &l.summary)
	} else {
		a.AfterLoad(l.summary.Clear)
	}
	if o, remembers := l.o.Trigger.(archive.Object); remembers && (!a.Loading() || a.Has("_trigger")) {
		a.Object("_trigger", o)
	} else {
		a.Ignore("_trigger")
	}
}
