package conv

import (
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"unsafe"
)

// subconvolution is what one phase needs: where its taps and its places lie in the planes.
type subconvolution struct {
	phase  [3]int
	taps   int
	offset []int // of each tap of each channel
	counts [3]int
	from   []int // of each place of the images of a unit
	to     []int // which place of the band that is

	weight              unsafe.Pointer // of the first row, where taps lie next to each other
	group, row, channel int            // strides
	inOrder             bool           // the channels follow each other, too
}

// passes returns those of a layout, with the places of some images at once.
func (c *correlation) subconvolutions(l *layout, channels, images int) []subconvolution {
	var all []subconvolution
	for i := range c.axes[0].phases {
		for j := range c.axes[1].phases {
			for k := range c.axes[2].phases {
				p := subconvolution{phase: [3]int{i, j, k}}
				p.findTaps(c, l, channels)
				p.findPixels(c, l, images)
				all = append(all, p)
			}
		}
	}
	return all
}

func (p *subconvolution) findTaps(c *correlation, l *layout, channels int) {
	var phases [3]*phase
	p.taps = 1
	for axis := range phases {
		phases[axis] = &c.axes[axis].phases[p.phase[axis]]
		p.taps *= len(phases[axis].taps)
	}
	p.offset = make([]int, 0, channels*p.taps)
	for channel := range channels {
		for _, i := range phases[0].shifts {
			for _, j := range phases[1].shifts {
				for _, k := range phases[2].shifts {
					p.offset = append(p.offset, channel*l.channel+l.shiftOf(c, 0, i)+l.shiftOf(c, 1, j)+l.shiftOf(c, 2, k))
				}
			}
		}
	}
}

func (p *subconvolution) findPixels(c *correlation, l *layout, images int) {
	size := [3]int(c.result.shape[3:])
	size[l.band] = l.height
	n := images
	for axis := range size {
		p.counts[axis] = c.axes[axis].pixels(size[axis], p.phase[axis])
		n *= p.counts[axis]
	}
	if n == 0 {
		return
	}
	p.from, p.to = make([]int, 0, n), make([]int, 0, n)
	for image := range images {
		for i := range p.counts[0] {
			for j := range p.counts[1] {
				at := image*l.image + i*l.cell[0] + j*l.cell[1]
				place := (image*size[0]+p.pixel(c, 0, i))*size[1] + p.pixel(c, 1, j)
				for k := range p.counts[2] {
					p.from = append(p.from, at+k*l.cell[2])
					p.to = append(p.to, place*size[2]+p.pixel(c, 2, k))
				}
			}
		}
	}
}

// pixel returns which place of the result's axis place i of the phase is.
func (p *subconvolution) pixel(c *correlation, axis, i int) int {
	return p.phase[axis] + i*c.axes[axis].step
}

// within returns how many places of an image lie in a band of so many rows: those come first.
func (p *subconvolution) within(c *correlation, l *layout, rows int) int {
	counts := p.counts
	counts[l.band] = c.axes[l.band].pixels(rows, p.phase[l.band])
	return broadcast.Size(counts[:])
}
