package train

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"time"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// ProgressBar shows on a terminal how far the training has come, how fast it is, and when it will be over. What it draws is below all
// else that is printed, is drawn over again and again, and goes away when the training ends. Into a file it writes nothing.
type ProgressBar struct {
	Base
	o     ProgressBarOptions
	shown bool
	marks []mark // of the last drawings, the oldest first
}

// mark is where a training was at some time.
type mark struct {
	iteration int
	epochs    float64
	at        time.Time
}

// ProgressBarOptions are the options of [NewProgressBar].
type ProgressBarOptions struct {
	// TrainingLength is how long the training is to be, as Every(20, Epoch); nil means what ends the trainer's, where that is made
	// by [Every]. Where the length is not known there is no bar for it, and no estimate.
	TrainingLength Trigger
	// UpdateInterval is how many updates lie between two drawings; 0 means 100.
	UpdateInterval int
	// BarLength is that of the bars in characters; 0 means 50.
	BarLength int
	// Out is where it is drawn; nil means os.Stdout.
	Out io.Writer
}

// NewProgressBar returns a progress bar. chainer.training.extensions.ProgressBar.
func NewProgressBar(opts ...ProgressBarOptions) *ProgressBar {
	const fn nd.Func = "train.NewProgressBar"
	o := options.Read(fn, opts)
	if _, ok := o.TrainingLength.(interval); o.TrainingLength != nil && !ok {
		panic(fn.Errorf(nil, "a TrainingLength %T: want one that train.Every made", o.TrainingLength))
	}
	if o.UpdateInterval < 0 || o.BarLength < 0 {
		panic(fn.Errorf(nil, "an UpdateInterval of %d, a BarLength of %d: want none below 0", o.UpdateInterval, o.BarLength))
	}
	if o.UpdateInterval == 0 {
		o.UpdateInterval = 100
	}
	if o.BarLength == 0 {
		o.BarLength = 50
	}
	if o.Out == nil {
		o.Out = os.Stdout
	}
	return &ProgressBar{o: o}
}

// Settings have it drawn before the first update too.
func (p *ProgressBar) Settings() Settings { return Settings{Name: "ProgressBar", Before: true} }

// Run draws.
func (p *ProgressBar) Run(t *Trainer) error {
	if p.shown && t.Iteration()%p.o.UpdateInterval != 0 || !obeysEscapes(p.o.Out) {
		return nil
	}
	length, known := p.o.TrainingLength.(interval)
	if !known {
		length, known = t.stop.(interval)
	}
	at := t.Position()
	now := mark{t.Iteration(), at.Detail, time.Now()}

	var text strings.Builder
	if known {
		p.bar(&text, "     total", length.part(t))
	}
	p.bar(&text, "this epoch", at.Detail-math.Floor(at.Detail))
	fmt.Fprintf(&text, "%10d iter, %d epoch", now.iteration, at.Epoch)
	if known {
		fmt.Fprintf(&text, " / %v %s", length.period, length.unit)
	}
	text.WriteString("\n")
	p.speed(&text, now, length, known)
	text.WriteString("\n")

	p.shown = true
	lines := strings.Count(text.String(), "\n")
	_, err := fmt.Fprintf(p.o.Out, clearBelow+"%s"+cursorUp, text.String(), lines)
	return err
}

// bar writes a line whose bar is full by a part.
func (p *ProgressBar) bar(text *strings.Builder, name string, part float64) {
	full := int(part * float64(p.o.BarLength))
	fmt.Fprintf(text, "%s [%s%s] %6.2f%%\n", name, strings.Repeat("#", full), strings.Repeat(".", p.o.BarLength-full), 100*part)
}

// longestMemory is how many drawings the speed is that of.
const longestMemory = 100

// speed writes how many updates were made in a second since the oldest mark, and how long the rest takes at that speed.
func (p *ProgressBar) speed(text *strings.Builder, now mark, length interval, known bool) {
	p.marks = append(p.marks, now)
	if len(p.marks) > longestMemory {
		p.marks = p.marks[1:]
	}
	since := p.marks[0]
	seconds := now.at.Sub(since.at).Seconds()
	if len(p.marks) == 1 || seconds == 0 {
		text.WriteString("         - iters/sec.")
		return
	}
	fmt.Fprintf(text, "%10.5g iters/sec.", float64(now.iteration-since.iteration)/seconds)
	if !known {
		return
	}
	left, done := length.period-float64(now.iteration), float64(now.iteration-since.iteration)
	if length.unit == Epoch {
		left, done = length.period-now.epochs, now.epochs-since.epochs
	}
	if done > 0 {
		estimate := time.Duration(max(0, left/done*seconds) * float64(time.Second))
		fmt.Fprintf(text, " Estimated time to finish: %v.", estimate.Round(time.Second))
	}
}

// Close clears what was drawn.
func (p *ProgressBar) Close() error {
	if !p.shown {
		return nil
	}
	_, err := io.WriteString(p.o.Out, clearBelow)
	return err
}
