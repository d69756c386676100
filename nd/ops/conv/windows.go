package conv

import (
	"math"

	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops/internal/argument"
)

// windows are windows along one axis.
type windows struct{ kernel, stride, pad, dilation int }

// covering says whether windows count that reach beyond the padding.
type covering int

const (
	coverWindows  covering = iota // none
	coverElements                 // a last one that holds an element
	coverPadding                  // a last one, even if it holds only padding
	coverStarts                   // all that begin in the array or in the padding before it
)

// coveringOf returns what the options CoverAll, CoverPadding and IgnoreBorder say.
func coveringOf(all, padding bool, ignoreBorder *bool) covering {
	switch {
	case padding:
		return coverPadding
	case all:
		return coverElements
	case !argument.ValueOr(ignoreBorder, true):
		return coverStarts
	}
	return coverWindows
}

// extent returns how many points of the axis a window spans.
func (w windows) extent() int { return broadcast.Sum(broadcast.Product(w.dilation, w.kernel-1), 1) }

// padded returns the length of an axis of length n with its padding.
func (w windows) padded(n int) int { return broadcast.Sum(n, w.pad, w.pad) }

// count returns the number of windows along an axis of length n.
func (w windows) count(n int, cover covering) int {
	if cover == coverStarts {
		return broadcast.Sum(n, w.pad, w.stride-1) / w.stride
	}
	room := w.padded(n) - w.extent()
	count := windowsIn(room, w.stride, cover != coverWindows)
	if cover == coverElements && count > windowsIn(room, w.stride, false) && n < w.reaching(count) {
		count--
	}
	return count
}

// shortest returns the smallest length of an axis along which there are n windows.
func (w windows) shortest(n int, cover covering) int {
	whole := broadcast.Sum(broadcast.Product(w.stride, n-1), w.extent(), broadcast.Product(w.pad, -2))
	covered := broadcast.Sum(whole, 1-w.stride)
	switch cover {
	case coverElements:
		return min(whole, max(covered, w.reaching(n)))
	case coverPadding:
		return covered
	case coverStarts:
		return broadcast.Sum(broadcast.Product(w.stride, n-1), 1, -w.pad)
	}
	return whole
}

// reaching returns the smallest length of an axis of which the n-th window holds an element, or the largest integer if
// the window is in the padding before the axis.
func (w windows) reaching(n int) int {
	first := broadcast.Sum(broadcast.Product(w.stride, n-1), -w.pad)
	if first < 0 {
		steps := (-first-1)/w.dilation + 1
		if steps >= w.kernel {
			return math.MaxInt
		}
		first = broadcast.Sum(first, broadcast.Product(steps, w.dilation))
	}
	return broadcast.Sum(first, 1)
}

// windowsIn returns the number of windows if the first may move by room.
func windowsIn(room, stride int, coverAll bool) int {
	if coverAll {
		room = broadcast.Sum(room, stride-1)
	}
	if room < 0 {
		return 0
	}
	return room/stride + 1
}
