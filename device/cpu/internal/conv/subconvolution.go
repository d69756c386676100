package conv

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// subconvolution describes one phase: where its taps and its pixels lie in the planes.
type subconvolution struct {
	phase  [3]int
	taps   int
	offset []int // of each tap of each channel
	counts [3]int
	from   []int // of each pixel of the images of a unit
	to     []int // the number of the pixel in the band

	weight                           unsafe.Pointer // of the first output channel, if taps are contiguous
	groupStride, outStride, inStride int            // strides
	inOrder                          bool           // the input channels are contiguous, too
}

// subconvolutions returns the subconvolutions of a layout, with the pixels of some images at once.
func (c *correlation) subconvolutions(l *layout, channels, images int) []subconvolution {
	var all []subconvolution
	for i := range c.axes[0].phases {
		for j := range c.axes[1].phases {
			for k := range c.axes[2].phases {
				s := subconvolution{phase: [3]int{i, j, k}}
				s.findTaps(c, l, channels)
				s.findPixels(c, l, images)
				all = append(all, s)
			}
		}
	}
	return all
}

func (s *subconvolution) findTaps(c *correlation, l *layout, channels int) {
	var phases [3]*phase
	s.taps = 1
	for axis := range phases {
		phases[axis] = &c.axes[axis].phases[s.phase[axis]]
		s.taps *= len(phases[axis].taps)
	}
	s.offset = make([]int, 0, channels*s.taps)
	for channel := range channels {
		for _, i := range phases[0].shifts {
			for _, j := range phases[1].shifts {
				for _, k := range phases[2].shifts {
					s.offset = append(s.offset, channel*l.channel+l.shiftOf(c, 0, i)+l.shiftOf(c, 1, j)+l.shiftOf(c, 2, k))
				}
			}
		}
	}
}

func (s *subconvolution) findPixels(c *correlation, l *layout, images int) {
	size := [3]int(c.result.shape[3:])
	size[l.band] = l.height
	n := images
	for axis := range size {
		s.counts[axis] = c.axes[axis].pixels(size[axis], s.phase[axis])
		n *= s.counts[axis]
	}
	if n == 0 {
		return
	}
	s.from, s.to = make([]int, 0, n), make([]int, 0, n)
	for image := range images {
		for i := range s.counts[0] {
			for j := range s.counts[1] {
				at := image*l.image + i*l.pixelStride[0] + j*l.pixelStride[1]
				pixel := (image*size[0]+s.pixel(c, 0, i))*size[1] + s.pixel(c, 1, j)
				for k := range s.counts[2] {
					s.from = append(s.from, at+k*l.pixelStride[2])
					s.to = append(s.to, pixel*size[2]+s.pixel(c, 2, k))
				}
			}
		}
	}
}

// pixel returns which pixel of the result's axis pixel i of the phase is.
func (s *subconvolution) pixel(c *correlation, axis, i int) int {
	return s.phase[axis] + i*c.axes[axis].step
}

// pixelsIn returns how many pixels of an image lie in a band with the given number of rows: they come first.
func (s *subconvolution) pixelsIn(c *correlation, l *layout, rows int) int {
	counts := s.counts
	counts[l.band] = c.axes[l.band].pixels(rows, s.phase[l.band])
	return broadcast.Size(counts[:])
}
