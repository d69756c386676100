package ops

import (
	"slices"
	"strings"
)

// parse reads the subscripts of Einsum: the labels of every operand's axes, and those of the output.
func (e *einsum) parse(subscripts string) {
	text := strings.ReplaceAll(subscripts, " ", "")
	inputs, output, explicit := strings.Cut(text, "->")
	terms := strings.Split(inputs, ",")
	if len(terms) != len(e.operands) {
		e.refuse("subscripts %q are for %d operands, got %d", subscripts, len(terms), len(e.operands))
	}
	hidden := 0 // axes of the longest ellipsis
	for k, term := range terms {
		letters := len(term) - strings.Count(term, ".")
		rank := e.operands[k].Rank()
		if letters > rank || letters < rank && !strings.Contains(term, "...") {
			e.refuse("subscripts %q name %d axes of operand %d, which has %d", term, letters, k, rank)
		}
		e.terms = append(e.terms, einsumTerm{e.operands[k], e.labels(term, rank-letters)})
		hidden = max(hidden, rank-letters)
	}
	if explicit {
		e.output = e.labels(output, hidden)
		e.checkOutput(output, hidden)
	} else {
		e.output = append(ellipsis(hidden), e.lettersUsedOnce()...)
	}
}

// labels reads the labels of one operand. hidden is the number of axes for which its ellipsis stands.
func (e *einsum) labels(term string, hidden int) []int {
	before, after, found := strings.Cut(term, "...")
	labels := e.letters(term, before)
	if found {
		labels = append(append(labels, ellipsis(hidden)...), e.letters(term, after)...)
	}
	return labels
}

func (e *einsum) letters(term, part string) []int {
	labels := make([]int, 0, len(part))
	for _, c := range part {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			e.refuse("subscripts %q: want letters, and at most one ellipsis", term)
		}
		labels = append(labels, int(c))
	}
	return labels
}

// ellipsis returns labels for n axes.
func ellipsis(n int) []int {
	labels := make([]int, n)
	for k := range labels {
		labels[k] = k - n
	}
	return labels
}

// checkOutput panics if a label of the output occurs in no operand, or twice in the output.
func (e *einsum) checkOutput(output string, hidden int) {
	if hidden > 0 && !strings.Contains(output, "...") {
		e.refuse("output subscripts %q have no ellipsis for the axes of the operands' ellipsis", output)
	}
	for k, label := range e.output {
		if slices.Contains(e.output[:k], label) {
			e.refuse("output subscripts %q include %q twice", output, rune(label))
		}
		if label > 0 && e.uses(label) == 0 {
			e.refuse("output subscripts %q include %q, which no operand has", output, rune(label))
		}
	}
}

// lettersUsedOnce lists the letters that occur once, in order.
func (e *einsum) lettersUsedOnce() []int {
	var once []int
	for _, t := range e.terms {
		for _, label := range t.labels {
			if label > 0 && e.uses(label) == 1 {
				once = append(once, label)
			}
		}
	}
	slices.Sort(once)
	return once
}

// uses counts the axes with a label.
func (e *einsum) uses(label int) int {
	n := 0
	for _, t := range e.terms {
		for _, other := range t.labels {
			if other == label {
				n++
			}
		}
	}
	return n
}
