package main

// Settings of the search for lines.
const (
	inkThreshold   = 0.3 // of the probability that a pixel belongs to a line
	boxThreshold   = 0.5 // of the mean probability of a line
	growth         = 1.6
	leastSide      = 3 // of the rectangle around the pixels of a line
	leastGrownSide = 5
)

// probabilities is a map of the probability that a pixel belongs to a line.
type probabilities struct {
	width, height int
	values        []float32
}

// boxes returns the boxes of lines in a map, in its pixels.
func (m probabilities) boxes() (all []box) {
	for _, pixels := range m.components() {
		total := 0.0
		for _, p := range pixels {
			total += float64(m.values[int(p.y)*m.width+int(p.x)])
		}
		b := smallest(pixels)
		if min(b.width(), b.height()) < leastSide || total < boxThreshold*float64(len(pixels)) {
			continue
		}
		if b = b.grown(growth); min(b.width(), b.height()) >= leastGrownSide {
			all = append(all, b)
		}
	}
	return all
}

// components returns the groups of neighbouring pixels, also across corners, that probably belong to a line.
func (m probabilities) components() (all [][]point) {
	seen := make([]bool, len(m.values))
	for start, v := range m.values {
		if seen[start] || v <= inkThreshold {
			continue
		}
		seen[start] = true
		var pixels []point
		for waiting := []int{start}; len(waiting) > 0; {
			at := waiting[len(waiting)-1]
			waiting = waiting[:len(waiting)-1]
			x, y := at%m.width, at/m.width
			pixels = append(pixels, point{float64(x), float64(y)})
			for ny := max(y-1, 0); ny <= min(y+1, m.height-1); ny++ {
				for nx := max(x-1, 0); nx <= min(x+1, m.width-1); nx++ {
					if next := ny*m.width + nx; !seen[next] && m.values[next] > inkThreshold {
						seen[next] = true
						waiting = append(waiting, next)
					}
				}
			}
		}
		all = append(all, pixels)
	}
	return all
}
