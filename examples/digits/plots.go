package main

import (
	"math"
	"strconv"

	"github.com/ndgrad/ndgrad/examples/internal/digits"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ndplot"
)

// curves are the mean losses after each epoch.
type curves struct{ train, test []float64 }

// picture plots the losses over the epochs, on a logarithmic scale.
func (c curves) picture() *ndplot.Picture {
	return ndplot.Curve(nd.FromRows([][]float64{c.train, c.test}), ndplot.CurveOptions{
		Title: "Loss of the digit classifier", X: "epoch", Y: "cross entropy",
		Names: []string{"training images, disturbed", "test images"},
		At:    nd.ArangeInt(1, len(c.train)+1, 1),
		LogY:  true,
	})
}

// picture draws the table of digits and answers. The colour shows the square root of the fraction of a digit's images
// with this answer; the root makes single mistakes visible.
func (c confusion) picture() *ndplot.Picture {
	roots := make([][]float64, digits.Classes)
	for digit, answers := range c {
		total := 0
		for _, n := range answers {
			total += n
		}
		for _, n := range answers {
			roots[digit] = append(roots[digit], math.Sqrt(float64(n)/float64(max(total, 1))))
		}
	}
	return ndplot.HeatMap(nd.FromRows(roots), ndplot.HeatMapOptions{
		Title: "Test images by digit and answer", X: "answer of the network", Y: "digit",
		Label: func(digit, answer int) string {
			if c[digit][answer] == 0 {
				return ""
			}
			return strconv.Itoa(c[digit][answer])
		},
	})
}
