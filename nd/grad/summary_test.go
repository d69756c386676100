package grad_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

func ExampleTape_Summary() {
	tape := grad.NewTape()
	defer tape.Release()
	w := tape.Watch(nd.Ones([]int{100, 100}))
	x := nd.Ones([]int{50, 100})
	y := ops.Tanh(ops.MatMul(x, w))
	ops.Mean(y)
	fmt.Print(tape.Summary())
	// Output:
	// operation   recorded          bytes  for gradients
	// Tape.Watch         1          80000          80000
	// ops.MatMul         1          40000              0
	// ops.Tanh           1          40000          40000
	// nd.Ones            0          40000          40000
	// ops.Mean           1              8              8
	// all                4         200008         160008
}

// TestSummaryCountsBlocksOnce: a view shares a block with its base. Released and kept arrays do not belong to the tape,
// unless a gradient reads them.
func TestSummaryCountsBlocksOnce(t *testing.T) {
	tape := grad.NewTape()
	if rows := tape.Summary(); len(rows) != 0 {
		t.Errorf("of an empty tape: %v", rows)
	}
	x := tape.Watch(vector(1, 2, 3, 4))
	y := ops.Square(x)
	y.Reshape(2, 2).T()
	tape.Keep(ops.Negative(y))
	ops.Exp(y).Release() // its gradient reads the result
	ops.Add(y, y).Release()
	table := tape.Summary()
	of := map[nd.Func]grad.TapeRow{}
	for _, row := range table {
		of[row.Func] = row
	}
	for fn, want := range map[nd.Func]grad.TapeRow{
		"Tape.Watch":    {Operations: 1, Bytes: 32, Needed: 32},
		"ops.Square":    {Operations: 1, Bytes: 32},
		"Array.Reshape": {Operations: 1},
		"Array.T":       {Operations: 1},
		"ops.Negative":  {Operations: 1},
		"ops.Exp":       {Operations: 1, Bytes: 32, Needed: 32},
		"ops.Add":       {Operations: 1},
	} {
		if want.Func = fn; of[fn] != want {
			t.Errorf("%s: %+v, want %+v", fn, of[fn], want)
		}
	}
	if all := table.Total(); all.Operations != tape.Len() || all.Bytes != 96 || all.Needed != 64 {
		t.Errorf("in all %+v", all)
	}
	tape.Reset()
	if rows := tape.Summary(); len(rows) != 0 {
		t.Errorf("after a reset: %v", rows)
	}
}

// TestSummaryTellsLines: the same function on two lines has two rows. Operations recorded before Lines was set have no
// line.
func TestSummaryTellsLines(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	x := tape.Watch(vector(1, 2))
	tape.Lines = true
	y := ops.Square(x)
	for range 3 {
		y = ops.Square(y)
	}
	counts := map[string]int{}
	for _, row := range tape.Summary() {
		if row.Func == "ops.Square" && !strings.HasPrefix(row.Line, "summary_test.go:") || row.Func == "Tape.Watch" && row.Line != "" {
			t.Errorf("%+v", row)
		}
		if row.Func == "ops.Square" {
			counts[row.Line] = row.Operations
		}
	}
	if len(counts) != 2 {
		t.Errorf("lines of Square: %v, want two", counts)
	}
	if text := tape.Summary().String(); !strings.HasPrefix(text, "operation   line") || !strings.Contains(text, "\nops.Square  summary_test.go:") {
		t.Errorf("it prints\n%s", text)
	}
}
