package onnx

import (
	"math"
	"slices"
)

// transform changes the scores of each row, in place.
type transform func(scores []float64, width int) []float64

func (n *node) transform() transform {
	return transformOf(n.text("post_transform", "NONE", "NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"))
}

func transformOf(name string) transform {
	each := func(f func(float64) float64) transform {
		return func(scores []float64, _ int) []float64 {
			for i, v := range scores {
				scores[i] = f(v)
			}
			return scores
		}
	}
	rows := func(f func(row []float64)) transform {
		return func(scores []float64, width int) []float64 {
			for row := range slices.Chunk(scores, width) {
				f(row)
			}
			return scores
		}
	}
	switch name {
	case "LOGISTIC":
		return each(logistic)
	case "PROBIT":
		return each(func(v float64) float64 { return math.Sqrt2 * math.Erfinv(2*v-1) })
	case "SOFTMAX":
		return rows(func(row []float64) { softmaxRow(row, false) })
	case "SOFTMAX_ZERO":
		return rows(func(row []float64) { softmaxRow(row, true) })
	}
	return func(scores []float64, _ int) []float64 { return scores }
}

func logistic(v float64) float64 { return 1 / (1 + math.Exp(-v)) }

// softmaxRow makes probabilities of scores. With zeros a score of about 0 stays a small multiple of itself.
func softmaxRow(row []float64, zeros bool) {
	const small = 1e-7
	top, sum := slices.Max(row), 0.0
	for i, v := range row {
		if zeros && v <= small && v >= -small {
			row[i] = v * math.Exp(-top)
		} else {
			row[i] = math.Exp(v - top)
		}
		sum += row[i]
	}
	for i := range row {
		if sum == 0 {
			row[i] = 0.5
		} else {
			row[i] /= sum
		}
	}
}
