package grad

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/internal/caller"
)

// TapeRow describes what a tape holds from one function, or from one line of the program that calls it.
type TapeRow struct {
	Func       nd.Func // the function that was called
	Line       string  // the calling line, such as "train.go:27", if Tape.Lines is set; else empty
	Operations int     // recorded operations; for Tape.Watch the watched arrays
	Bytes      int64   // memory that the tape holds and this function made, each block counted once
	Needed     int64   // the part of Bytes that gradients read; the tape holds the rest only because it owns what is computed under it
}

// TapeTable lists what a tape holds, the most bytes first. It prints as a table whose last line is the total.
type TapeTable []TapeRow

// Summary returns what the tape holds until it is reset: results computed under it, the arrays that it watches, and
// other arrays that gradients read. With t.Lines it distinguishes lines of the program.
//
//	tape.Lines = true
//	loss := lossOf(params.Watch(tape))
//	fmt.Print(tape.Summary())
func (t *Tape) Summary() TapeTable {
	rows := map[[2]string]*TapeRow{}
	row := func(fn nd.Func, n *nd.Node) *TapeRow {
		line := ""
		if n != nil {
			fn, line = n.Func, t.lines[n]
		}
		key := [2]string{string(fn), line}
		if rows[key] == nil {
			rows[key] = &TapeRow{Func: fn, Line: line}
		}
		return rows[key]
	}
	blocks, needed := map[any]*TapeRow{}, map[any]bool{}
	hold := func(h nd.Held) {
		if blocks[h.Block] == nil {
			blocks[h.Block] = row(h.Func, h.Node)
			blocks[h.Block].Bytes += int64(h.Bytes)
		}
	}
	for _, h := range t.arena.Held() {
		hold(h)
	}
	for _, n := range t.nodes {
		row(n.Func, n).Operations++
		for _, h := range n.Held() {
			hold(h)
			if !needed[h.Block] {
				needed[h.Block] = true
				blocks[h.Block].Needed += int64(h.Bytes)
			}
		}
	}
	var table TapeTable
	for _, r := range rows {
		table = append(table, *r)
	}
	slices.SortFunc(table, func(a, b TapeRow) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(b.Operations, a.Operations), cmp.Compare(a.Func, b.Func), cmp.Compare(a.Line, b.Line))
	})
	return table
}

// noteLine notes the line of the program that recorded n.
func (t *Tape) noteLine(n *nd.Node) {
	if t.lines == nil {
		t.lines = map[*nd.Node]string{}
	}
	t.lines[n] = caller.Line()
}

// Total returns the sum of all rows.
func (t TapeTable) Total() TapeRow {
	all := TapeRow{Func: "all"}
	for _, row := range t {
		all.Operations += row.Operations
		all.Bytes += row.Bytes
		all.Needed += row.Needed
	}
	return all
}

// String prints the table.
func (t TapeTable) String() string {
	rows := append(slices.Clone(t), t.Total())
	name, line := len("operation"), 0
	for _, row := range rows {
		name, line = max(name, len(row.Func)), max(line, len(row.Line))
	}
	if line > 0 {
		line = max(line, len("line")) + 2
	}
	var b strings.Builder
	write := func(fn, at string, numbers ...any) {
		fmt.Fprintf(&b, "%-*s  %-*s", name, fn, line, at)
		fmt.Fprintf(&b, "%8v %14v %14v\n", numbers...)
	}
	write("operation", "line"[:min(line, 4)], "recorded", "bytes", "for gradients")
	for _, row := range rows {
		write(string(row.Func), row.Line, row.Operations, row.Bytes, row.Needed)
	}
	return b.String()
}
