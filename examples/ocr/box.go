package main

import (
	"image"
	"image/color"
	"math"
	"slices"
)

// point is a point of a picture.
type point struct{ x, y float64 }

func (p point) plus(q point) point         { return point{p.x + q.x, p.y + q.y} }
func (p point) minus(q point) point        { return point{p.x - q.x, p.y - q.y} }
func (p point) times(f float64) point      { return point{p.x * f, p.y * f} }
func (p point) dot(q point) float64        { return p.x*q.x + p.y*q.y }
func (p point) cross(q point) float64      { return p.x*q.y - p.y*q.x }
func (p point) length() float64            { return math.Hypot(p.x, p.y) }
func (p point) scaled(by [2]float64) point { return point{p.x * by[0], p.y * by[1]} }

// box is a rectangle around a line of text: its corners from the beginning of the line at the top, clockwise.
type box [4]point

func (b box) width() float64  { return b[1].minus(b[0]).length() }
func (b box) height() float64 { return b[3].minus(b[0]).length() }

// turned returns the box with the line read from its end, upside down.
func (b box) turned() box { return box{b[2], b[3], b[0], b[1]} }

// upright returns the box of a line that is read from left to right, or from the bottom to the top if the box is tall.
func (b box) upright() box {
	if b.height() >= 1.5*b.width() {
		return box{b[1], b[2], b[3], b[0]}
	}
	return b
}

// grown returns the box with all sides moved outwards, each by area·ratio/perimeter: the network marks the middle of lines.
func (b box) grown(ratio float64) box {
	w, h := b.width(), b.height()
	if w == 0 || h == 0 {
		return b
	}
	d := w * h * ratio / (2 * (w + h))
	along, down := b[1].minus(b[0]).times(d/w), b[3].minus(b[0]).times(d/h)
	return box{b[0].minus(along).minus(down), b[1].plus(along).minus(down), b[2].plus(along).plus(down), b[3].minus(along).plus(down)}
}

// ordered returns the corners from the one at the top left.
func ordered(corners [4]point) box {
	slices.SortFunc(corners[:], func(p, q point) int { return sign(p.x - q.x) })
	left, right := corners[:2], corners[2:]
	for _, side := range [][]point{left, right} {
		slices.SortFunc(side, func(p, q point) int { return sign(p.y - q.y) })
	}
	return box{left[0], right[0], right[1], left[1]}
}

func sign(v float64) int {
	switch {
	case v < 0:
		return -1
	case v > 0:
		return 1
	}
	return 0
}

// hull returns the convex hull of points: from the leftmost one, clockwise as pictures are drawn.
func hull(points []point) []point {
	points = slices.Clone(points)
	slices.SortFunc(points, func(p, q point) int {
		if s := sign(p.x - q.x); s != 0 {
			return s
		}
		return sign(p.y - q.y)
	})
	half := func() (chain []point) {
		for _, p := range points {
			for n := len(chain); n >= 2 && chain[n-1].minus(chain[n-2]).cross(p.minus(chain[n-2])) <= 0; n = len(chain) {
				chain = chain[:n-1]
			}
			chain = append(chain, p)
		}
		return chain
	}
	first := half()
	if len(first) < 2 {
		return first
	}
	slices.Reverse(points)
	second := half()
	return append(first[:len(first)-1], second[:len(second)-1]...)
}

// smallest returns the rectangle of the smallest area around points: one of its sides lies on a side of their hull.
func smallest(points []point) box {
	all := hull(points)
	best, least := box{}, math.Inf(1)
	for i, p := range all {
		side := all[(i+1)%len(all)].minus(p)
		if len(all) == 1 {
			side = point{1, 0}
		}
		along := side.times(1 / side.length())
		down := point{-along.y, along.x}
		from, to := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
		for _, q := range all {
			a, d := q.dot(along), q.dot(down)
			from, to = point{min(from.x, a), min(from.y, d)}, point{max(to.x, a), max(to.y, d)}
		}
		if area := (to.x - from.x) * (to.y - from.y); area < least {
			corner := func(a, d float64) point { return along.times(a).plus(down.times(d)) }
			least = area
			best = ordered([4]point{corner(from.x, from.y), corner(to.x, from.y), corner(to.x, to.y), corner(from.x, to.y)})
		}
	}
	return best
}

// draw draws the sides of the box.
func (b box) draw(onto *image.RGBA) {
	for i, p := range b {
		side := b[(i+1)%4].minus(p)
		steps := int(math.Ceil(side.length())) + 1
		for k := range steps {
			q := p.plus(side.times(float64(k) / float64(steps)))
			onto.Set(int(math.Round(q.x)), int(math.Round(q.y)), color.RGBA{R: 220, A: 255})
		}
	}
}
