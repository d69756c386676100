package text

import (
	"strings"
	"unicode"
)

// ellipsis stands for the items that a summarised axis leaves out.
const ellipsis = "..."

// wrapper arranges the elements of an array in brackets and lines.
type wrapper struct {
	layout    Layout
	strides   []int              // of the shown values
	element   func(i int) string // the text of shown value i
	separator string
	out       strings.Builder
}

// text writes the whole array. lineWidth is the number of available columns, indent the text before every line but the
// first.
func (w *wrapper) text(lineWidth int, indent string) string {
	w.axis(0, 0, lineWidth, indent)
	return w.out.String()
}

// axis writes the part of the array that begins at shown value offset, along this axis and all later ones.
func (w *wrapper) axis(axis, offset, lineWidth int, indent string) {
	switch len(w.layout) - axis {
	case 0:
		w.out.WriteString(w.element(offset))
	case 1:
		w.out.WriteByte('[')
		w.row(axis, offset, lineWidth, indent)
		w.out.WriteByte(']')
	default:
		w.out.WriteByte('[')
		w.block(axis, offset, lineWidth, indent)
		w.out.WriteByte(']')
	}
}

// block writes the items of an axis that is not the last. Each item begins a line; items of more than one axis have
// blank lines between them.
func (w *wrapper) block(axis, offset, lineWidth int, indent string) {
	axesBelow := len(w.layout) - axis - 1
	lineEnd := trimSpaceRight(w.separator) + strings.Repeat("\n", axesBelow) + indent
	for n, item := range w.items(axis) {
		if n > 0 {
			w.out.WriteString(lineEnd)
		}
		if item == omitted {
			w.out.WriteString(ellipsis)
			continue
		}
		// A closing bracket follows, and the item's own lines begin one column further to the right.
		w.axis(axis+1, offset+item*w.strides[axis], lineWidth-1, indent+" ")
	}
}

// row writes the items of the last axis, as many per line as fit.
func (w *wrapper) row(axis, offset, lineWidth int, indent string) {
	// A separator or the closing bracket must still fit after an element.
	lineWidth -= max(width(trimSpaceRight(w.separator)), 1)
	current := line{indent: indent}
	for n, item := range w.items(axis) {
		if n > 0 {
			current.append(w.separator)
		}
		word := ellipsis
		if item != omitted {
			word = w.element(offset + item*w.strides[axis])
		}
		if current.columns > 0 && current.width()+width(word) > lineWidth {
			current.flush(&w.out)
			w.out.WriteByte('\n')
		}
		current.append(word)
	}
	w.out.WriteString(current.start())
	w.out.WriteString(current.words.String())
}

// omitted is the item that stands for those left out.
const omitted = -1

// items lists the indices along an axis of the shown values, in the order of printing.
func (w *wrapper) items(axis int) []int {
	a := w.layout[axis]
	shown := a.Leading + a.Trailing
	items := make([]int, 0, shown+1)
	for i := range a.Leading {
		items = append(items, i)
	}
	if !a.Summarised {
		return items
	}
	items = append(items, omitted)
	if a.Leading == 0 {
		return append(items, shown-1) // the last item is always shown
	}
	for i := a.Leading; i < shown; i++ {
		items = append(items, i)
	}
	return items
}

// line is a line of text being filled.
type line struct {
	indent    string
	continued bool // not the first line: the indent must be written
	words     strings.Builder
	columns   int // width of words
}

func (l *line) append(word string) {
	l.words.WriteString(word)
	l.columns += width(word)
}

func (l *line) width() int { return len(l.indent) + l.columns }

func (l *line) start() string {
	if l.continued {
		return l.indent
	}
	return ""
}

// flush writes the line without trailing blanks, and begins the next.
func (l *line) flush(out *strings.Builder) {
	out.WriteString(trimSpaceRight(l.start() + l.words.String()))
	l.words.Reset()
	l.columns = 0
	l.continued = true
}

func trimSpaceRight(s string) string { return strings.TrimRightFunc(s, unicode.IsSpace) }
