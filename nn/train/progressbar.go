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

// ProgressBar shows on a terminal how much of the training is done, its speed, and the time left. It draws below all
// other output, redraws in place, and disappears when the training ends. It writes nothing to a file.
type ProgressBar struct {
	Base
	o     ProgressBarOptions
	shown bool
	marks []mark // of the last drawings, the oldest first
}

// mark is the progress of a training at some time.
type mark struct {
	iteration int
	epochs    float64
	at        time.Time
}

// ProgressBarOptions are the options of [NewProgressBar].
type ProgressBarOptions struct {
	// TrainingLength is the length of the training, such as Every(20, Epoch). Nil means the trigger that ends the
	// trainer, if [Every] made it. If the length is unknown, there is no bar for it, and no estimate.
	TrainingLength Trigger
	// UpdateInterval is the number of updates between two drawings; 0 means 100.
	UpdateInterval int
	// BarLength is the length of the bars in characters; 0 means 50.
	BarLength int
	// Out is the writer to draw on; nil means os.Stdout.
	Out io.Writer
}

// NewProgressBar returns a progress bar.
// Chainer: training.extensions.ProgressBar.
func NewProgressBar(opts ...ProgressBarOptions) *ProgressBar {
	const fn nd.Func = "train.NewProgressBar"
	o := options.Read(fn, opts)
	if _, ok := o.TrainingLength.(interval); o.TrainingLength != nil && !ok {
		panic(fn.Errorf(nil, "a TrainingLength %T: want one that train.Every made", o.TrainingLength))
	}
	if o.UpdateInterval < 0 || o.BarLength < 0 {
		panic(fn.Errorf(nil, "an UpdateInterval of %d, a BarLength of %d: want at least 0", o.UpdateInterval, o.BarLength))
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

// Settings make the bar appear before the first update too.
func (p *ProgressBar) Settings() Settings { return Settings{Name: "ProgressBar", Before: true} }

// Run draws the bars.
func (p *ProgressBar) Run(t *Trainer) error {
	if p.shown && t.Iteration()%p.o.UpdateInterval != 0 || !acceptsEscapes(p.o.Out) || t.Rank() > 0 {
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

// bar writes a line whose bar is filled up to a fraction.
func (p *ProgressBar) bar(text *strings.Builder, name string, part float64) {
	full := int(part * float64(p.o.BarLength))
	fmt.Fprintf(text, "%s [%s%s] %6.2f%%\n", name, strings.Repeat("#", full), strings.Repeat(".", p.o.BarLength-full), 100*part)
}

// longestMemory is the number of drawings over which the speed is averaged.
const longestMemory = 100

// speed writes the updates per second since the oldest mark, and the time that the rest takes at that speed.
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

// Close clears the drawing.
func (p *ProgressBar) Close() error {
	if !p.shown {
		return nil
	}
	_, err := io.WriteString(p.o.Out, clearBelow)
	return err
}
