package train_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/train"
)

// drawn returns the output of a bar during a training of 10 examples in batches of 5, drawing by drawing.
func drawn(t *testing.T, stop train.Trigger, o train.ProgressBarOptions) []string {
	t.Helper()
	var out strings.Builder
	o.Out = &out
	tr := train.New(newCounter(10, 5, nil), stop, t.TempDir())
	tr.Extend(train.NewProgressBar(o))
	if err := tr.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return strings.Split(out.String(), "\x1b[J")[1:]
}

func TestProgressBar(t *testing.T) {
	all := drawn(t, train.Every(4, train.Epoch), train.ProgressBarOptions{UpdateInterval: 3, BarLength: 8})
	if len(all) != 4 { // before the first update, after the third and the sixth, and nothing at the end
		t.Fatalf("%d drawings: %q", len(all), all)
	}
	if want := "     total [........]   0.00%\nthis epoch [........]   0.00%\n         0 iter, 0 epoch / 4 epoch\n" +
		"         - iters/sec.\n\x1b[4A"; all[0] != want {
		t.Errorf("at first\n%q, want\n%q", all[0], want)
	}
	later := regexp.MustCompile(`^     total \[###\.\.\.\.\.\]  37\.50%\nthis epoch \[####\.\.\.\.\]  50\.00%\n         3 iter, 1 epoch / 4 epoch\n` +
		` *[\d.e+]+ iters/sec\. Estimated time to finish: 0s\.\n\x1b\[4A$`)
	if !later.MatchString(all[1]) {
		t.Errorf("after three updates\n%q", all[1])
	}
	if all[3] != "" {
		t.Errorf("at the end %q is left", all[3])
	}
}

func TestProgressBarOfUnknownLength(t *testing.T) {
	all := drawn(t, train.At(train.Iteration, 7), train.ProgressBarOptions{UpdateInterval: 2})
	if len(all) != 5 || strings.Contains(all[1], "total") || strings.Contains(all[1], "Estimated") || !strings.Contains(all[1], "\x1b[3A") {
		t.Errorf("%q", all)
	}
	all = drawn(t, train.At(train.Iteration, 7), train.ProgressBarOptions{TrainingLength: train.Every(8, train.Iteration)})
	if len(all) != 2 || !strings.Contains(all[0], "total") || !strings.Contains(all[0], "/ 8 iteration") {
		t.Errorf("%q", all)
	}
}

func TestProgressBarWritesNothingIntoFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	tr := train.New(newCounter(10, 5, nil), train.Every(1, train.Epoch), t.TempDir())
	tr.Extend(train.NewProgressBar(train.ProgressBarOptions{Out: f}))
	if err := tr.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || len(text) != 0 {
		t.Errorf("%q, %v", text, err)
	}
}

func TestProgressBarRefuses(t *testing.T) {
	for _, o := range []train.ProgressBarOptions{{UpdateInterval: -1}, {BarLength: -1}, {TrainingLength: train.At(train.Epoch, 1)}} {
		if nd.Catch(func() { train.NewProgressBar(o) }) == nil {
			t.Errorf("%+v was accepted", o)
		}
	}
}
