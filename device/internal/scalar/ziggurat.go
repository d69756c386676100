package scalar

import (
	"math"
	"sync"
)

// zigguratLayers is the number of parts of equal area into which the normal density is split (Marsaglia and Tsang 2000,
// in the form of Doornik 2005). The first part holds the tail beyond zigguratEnd.
const (
	zigguratLayers = 128
	zigguratEnd    = 3.442619855899
	zigguratArea   = 9.91256303526217e-3
)

// ziggurat has the right ends of the layers, from the lowest layer up, and the density there, without its factor.
type ziggurat struct{ x, y [zigguratLayers + 1]float64 }

// normalLayers is computed at the first draw, with functions that give the same results on every platform.
var normalLayers = sync.OnceValue(func() *ziggurat {
	z := new(ziggurat)
	density := func(x float64) float64 { return Exp(float64(-0.5*x) * x) }
	z.x[0] = zigguratArea / density(zigguratEnd)
	z.x[1] = zigguratEnd
	for i := 2; i < zigguratLayers; i++ {
		z.x[i] = math.Sqrt(-2 * Log(zigguratArea/z.x[i-1]+density(z.x[i-1])))
	}
	for i, x := range z.x {
		z.y[i] = density(x)
	}
	return z
})

// normal returns a standard normal number: a point in a layer. 7 bits of a word choose the layer, one more bit the
// sign.
func (s *Sampler) normal() float64 {
	z := normalLayers()
	for {
		word := s.word()
		layer := word & (zigguratLayers - 1)
		sign := 1 - 2*float64(word>>7&1)
		x := float64(float64(word>>11) * 0x1p-53 * z.x[layer])
		if x < z.x[layer+1] {
			return sign * x
		}
		if layer == 0 { // beyond the end, by Marsaglia's method
			for {
				x, y := s.exponential()/zigguratEnd, s.exponential()
				if 2*y > float64(x*x) {
					return sign * (zigguratEnd + x)
				}
			}
		}
		if z.y[layer]+float64(s.uniform()*(z.y[layer+1]-z.y[layer])) < Exp(float64(-0.5*x)*x) {
			return sign * x
		}
	}
}

// NormalLayers returns the corners of the layers under the normal density, for other implementations.
func NormalLayers() (x, y []float64) {
	z := normalLayers()
	return z.x[:], z.y[:]
}
