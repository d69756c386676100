package norm

// atOnce bounds how many elements one call goes through: its caller can be preempted between two.
const atOnce = 1 << 14

// sumPiece is how many values are added up in their own type.
const sumPiece = 4096

// Center32 stores (a - mean)·scale + offset.
func Center32(dst, a []float32, mean, scale, offset float32) {
	for len(a) > atOnce {
		center32(dst[:atOnce], a[:atOnce], mean, scale, offset)
		dst, a = dst[atOnce:], a[atOnce:]
	}
	center32(dst, a, mean, scale, offset)
}

// Standardize32 stores (a - mean)·scale·gamma + beta.
func Standardize32(dst, a, gamma, beta []float32, mean, scale float32) {
	for len(a) > atOnce {
		standardize32(dst[:atOnce], a[:atOnce], gamma[:atOnce], beta[:atOnce], mean, scale)
		dst, a, gamma, beta = dst[atOnce:], a[atOnce:], gamma[atOnce:], beta[atOnce:]
	}
	standardize32(dst, a, gamma, beta, mean, scale)
}

// FlatSums32 returns the sums of gy and of gy·(a - mean), carried in float64 from one piece to the next.
func FlatSums32(a, gy []float32, mean float32) (total, moment float64) {
	for len(a) > sumPiece {
		s := flatSums32(a[:sumPiece], gy[:sumPiece], mean)
		total, moment = total+float64(s[0]), moment+float64(s[1])
		a, gy = a[sumPiece:], gy[sumPiece:]
	}
	s := flatSums32(a, gy, mean)
	return total + float64(s[0]), moment + float64(s[1])
}

// Sums32 returns the sums of gy·gamma and of gy·gamma·(a - mean), and adds gy·(a - mean)·scale to ggamma and gy to gbeta.
func Sums32(a, gy, gamma, ggamma, gbeta []float32, mean, scale float32) (total, moment float64) {
	for len(a) > sumPiece {
		s := sums32(a[:sumPiece], gy[:sumPiece], gamma[:sumPiece], ggamma[:sumPiece], gbeta[:sumPiece], mean, scale)
		total, moment = total+float64(s[0]), moment+float64(s[1])
		a, gy, gamma, ggamma, gbeta = a[sumPiece:], gy[sumPiece:], gamma[sumPiece:], ggamma[sumPiece:], gbeta[sumPiece:]
	}
	s := sums32(a, gy, gamma, ggamma, gbeta, mean, scale)
	return total + float64(s[0]), moment + float64(s[1])
}

// FlatGradient32 stores gy·scale + (a - mean)·slope + offset.
func FlatGradient32(dst, a, gy []float32, mean, scale, slope, offset float32) {
	for len(a) > atOnce {
		flatGradient32(dst[:atOnce], a[:atOnce], gy[:atOnce], mean, scale, slope, offset)
		dst, a, gy = dst[atOnce:], a[atOnce:], gy[atOnce:]
	}
	flatGradient32(dst, a, gy, mean, scale, slope, offset)
}

// Gradient32 stores gy·gamma·scale + (a - mean)·slope + offset.
func Gradient32(dst, a, gy, gamma []float32, mean, scale, slope, offset float32) {
	for len(a) > atOnce {
		gradient32(dst[:atOnce], a[:atOnce], gy[:atOnce], gamma[:atOnce], mean, scale, slope, offset)
		dst, a, gy, gamma = dst[atOnce:], a[atOnce:], gy[atOnce:], gamma[atOnce:]
	}
	gradient32(dst, a, gy, gamma, mean, scale, slope, offset)
}

// Center64 is Center32 of float64.
func Center64(dst, a []float64, mean, scale, offset float64) {
	for len(a) > atOnce {
		center64(dst[:atOnce], a[:atOnce], mean, scale, offset)
		dst, a = dst[atOnce:], a[atOnce:]
	}
	center64(dst, a, mean, scale, offset)
}

// Standardize64 stores (a - mean)·scale·gamma + beta.
func Standardize64(dst, a, gamma, beta []float64, mean, scale float64) {
	for len(a) > atOnce {
		standardize64(dst[:atOnce], a[:atOnce], gamma[:atOnce], beta[:atOnce], mean, scale)
		dst, a, gamma, beta = dst[atOnce:], a[atOnce:], gamma[atOnce:], beta[atOnce:]
	}
	standardize64(dst, a, gamma, beta, mean, scale)
}

// FlatSums64 returns the sums of gy and of gy·(a - mean), carried in float64 from one piece to the next.
func FlatSums64(a, gy []float64, mean float64) (total, moment float64) {
	for len(a) > sumPiece {
		s := flatSums64(a[:sumPiece], gy[:sumPiece], mean)
		total, moment = total+float64(s[0]), moment+float64(s[1])
		a, gy = a[sumPiece:], gy[sumPiece:]
	}
	s := flatSums64(a, gy, mean)
	return total + float64(s[0]), moment + float64(s[1])
}

// Sums64 returns the sums of gy·gamma and of gy·gamma·(a - mean), and adds gy·(a - mean)·scale to ggamma and gy to gbeta.
func Sums64(a, gy, gamma, ggamma, gbeta []float64, mean, scale float64) (total, moment float64) {
	for len(a) > sumPiece {
		s := sums64(a[:sumPiece], gy[:sumPiece], gamma[:sumPiece], ggamma[:sumPiece], gbeta[:sumPiece], mean, scale)
		total, moment = total+float64(s[0]), moment+float64(s[1])
		a, gy, gamma, ggamma, gbeta = a[sumPiece:], gy[sumPiece:], gamma[sumPiece:], ggamma[sumPiece:], gbeta[sumPiece:]
	}
	s := sums64(a, gy, gamma, ggamma, gbeta, mean, scale)
	return total + float64(s[0]), moment + float64(s[1])
}

// FlatGradient64 stores gy·scale + (a - mean)·slope + offset.
func FlatGradient64(dst, a, gy []float64, mean, scale, slope, offset float64) {
	for len(a) > atOnce {
		flatGradient64(dst[:atOnce], a[:atOnce], gy[:atOnce], mean, scale, slope, offset)
		dst, a, gy = dst[atOnce:], a[atOnce:], gy[atOnce:]
	}
	flatGradient64(dst, a, gy, mean, scale, slope, offset)
}

// Gradient64 stores gy·gamma·scale + (a - mean)·slope + offset.
func Gradient64(dst, a, gy, gamma []float64, mean, scale, slope, offset float64) {
	for len(a) > atOnce {
		gradient64(dst[:atOnce], a[:atOnce], gy[:atOnce], gamma[:atOnce], mean, scale, slope, offset)
		dst, a, gy, gamma = dst[atOnce:], a[atOnce:], gy[atOnce:], gamma[atOnce:]
	}
	gradient64(dst, a, gy, gamma, mean, scale, slope, offset)
}
