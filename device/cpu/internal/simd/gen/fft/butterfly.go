package main

import "math"

// pair is a complex value: real and imaginary part.
type pair struct{ re, im value }

func (f *flow) add2(a, b pair) pair { return pair{f.plus(a.re, b.re), f.plus(a.im, b.im)} }
func (f *flow) sub2(a, b pair) pair { return pair{f.minus(a.re, b.re), f.minus(a.im, b.im)} }

// addTurned is a - i·b, subTurned is a + i·b.
func (f *flow) addTurned(a, b pair) pair { return pair{f.plus(a.re, b.im), f.minus(a.im, b.re)} }
func (f *flow) subTurned(a, b pair) pair { return pair{f.minus(a.re, b.im), f.plus(a.im, b.re)} }

// product is a·w. The plain form in package fft fuses the same operations.
func (f *flow) product(a, w pair) pair {
	re, im := f.times(a.re, w.re), f.times(a.re, w.im)
	return pair{f.fnma(a.im, w.im, re), f.fma(a.im, w.re, im)}
}

// transform is the discrete Fourier transform of as many numbers as get returns. It passes each result to put as soon
// as it is computed.
func (f *flow) transform(radix int, get func(j int) pair, put func(k int, v pair)) {
	switch radix {
	case 2:
		a, b := get(0), get(1)
		put(0, f.add2(a, b))
		put(1, f.sub2(a, b))
	case 4:
		f.four(get(0), get(1), get(2), get(3), put, [4]int{0, 1, 2, 3})
	case 8:
		f.eight(get, put)
	case 16:
		f.sixteen(get, put)
	default:
		f.odd(radix, get, put)
	}
}

// four transforms four numbers. Result k goes to put as number to[k].
func (f *flow) four(a, b, c, d pair, put func(k int, v pair), to [4]int) {
	p, q := f.add2(a, c), f.add2(b, d)
	put(to[0], f.add2(p, q))
	put(to[2], f.sub2(p, q))
	p, q = f.sub2(a, c), f.sub2(b, d)
	put(to[1], f.addTurned(p, q))
	put(to[3], f.subTurned(p, q))
}

// eight splits the transform into one of the sums of x[j] and x[j+4], which gives the even results, and one of the
// differences times exp(-2πi·j/8), which gives the odd results.
func (f *flow) eight(get func(j int) pair, put func(k int, v pair)) {
	var sum, difference [4]pair
	for j := range 4 {
		a, b := get(j), get(j+4)
		sum[j], difference[j] = f.add2(a, b), f.sub2(a, b)
	}
	f.four(sum[0], sum[1], sum[2], sum[3], put, [4]int{0, 2, 4, 6})
	f.fourEighths(difference, put, [4]int{1, 3, 5, 7})
}

// fourEighths transforms the numbers x[j]·exp(-2πi·j/8).
func (f *flow) fourEighths(x [4]pair, put func(k int, v pair), to [4]int) {
	a, b := x[1], x[3]
	a = pair{f.plus(a.re, a.im), f.minus(a.im, a.re)} // √2·exp(-2πi/8)·a
	b = pair{f.minus(b.im, b.re), f.plus(b.im, b.re)} // √2·exp(-2πi·3/8)·b, with the opposite imaginary part
	p, q := pair{f.plus(a.re, b.re), f.minus(a.im, b.im)}, pair{f.minus(a.re, b.re), f.plus(a.im, b.im)}
	even, odd := f.addTurned(x[0], x[2]), f.subTurned(x[0], x[2])
	half := math.Sqrt(0.5)
	put(to[0], pair{f.fmaConst(p.re, half, even.re), f.fmaConst(p.im, half, even.im)})
	put(to[2], pair{f.fnmaConst(p.re, half, even.re), f.fnmaConst(p.im, half, even.im)})
	put(to[1], pair{f.fmaConst(q.im, half, odd.re), f.fnmaConst(q.re, half, odd.im)})
	put(to[3], pair{f.fnmaConst(q.im, half, odd.re), f.fmaConst(q.re, half, odd.im)})
}

// sixteen is 4 transforms of every fourth number. From their results number c follow the results c, c + 4, c + 8 and
// c + 12, by a transform of these times exp(-2πi·c·j/16).
func (f *flow) sixteen(get func(j int) pair, put func(k int, v pair)) {
	var x [4][4]pair // by c and j
	for j := range 4 {
		f.four(get(j), get(j+4), get(j+8), get(j+12), func(c int, v pair) { x[c][j] = v }, [4]int{0, 1, 2, 3})
	}
	f.four(x[0][0], x[0][1], x[0][2], x[0][3], put, [4]int{0, 4, 8, 12})
	f.fourSixteenths(1, x[1], put, [4]int{1, 5, 9, 13})
	f.fourEighths(x[2], put, [4]int{2, 6, 10, 14})
	f.fourSixteenths(3, x[3], put, [4]int{3, 7, 11, 15})
}

// fourSixteenths transforms the numbers x[j]·exp(-2πi·c·j/16). A product with cos - i·sin is cos·(1 - i·tan): the cosines
// are factors of later sums, so that there are only fused multiplications.
func (f *flow) fourSixteenths(c int, x [4]pair, put func(k int, v pair), to [4]int) {
	turned := func(j int) (v pair, cos float64) {
		cos, sin := root(c*j, 16)
		tan := sin / cos
		return pair{f.fmaConst(x[j].im, tan, x[j].re), f.fnmaConst(x[j].re, tan, x[j].im)}, cos
	}
	a := x[0]
	b, cosB := turned(1)
	d, cosD := turned(3)
	ratio := cosD / cosB
	s := pair{f.fmaConst(d.re, ratio, b.re), f.fmaConst(d.im, ratio, b.im)}
	t := pair{f.fnmaConst(d.re, ratio, b.re), f.fnmaConst(d.im, ratio, b.im)}
	e, cosE := turned(2)
	p := pair{f.fmaConst(e.re, cosE, a.re), f.fmaConst(e.im, cosE, a.im)}
	q := pair{f.fnmaConst(e.re, cosE, a.re), f.fnmaConst(e.im, cosE, a.im)}
	put(to[0], pair{f.fmaConst(s.re, cosB, p.re), f.fmaConst(s.im, cosB, p.im)})
	put(to[2], pair{f.fnmaConst(s.re, cosB, p.re), f.fnmaConst(s.im, cosB, p.im)})
	put(to[1], pair{f.fmaConst(t.im, cosB, q.re), f.fnmaConst(t.re, cosB, q.im)})
	put(to[3], pair{f.fnmaConst(t.im, cosB, q.re), f.fmaConst(t.re, cosB, q.im)})
}

// odd uses the symmetry of the roots of unity: with s[j] = x[j] + x[r-j] and d[j] = x[j] - x[r-j], the results k and
// r-k are x[0] + Σ cos(2πjk/r)·s[j] ∓ i·Σ sin(2πjk/r)·d[j].
func (f *flow) odd(radix int, get func(j int) pair, put func(k int, v pair)) {
	half := (radix - 1) / 2
	first := get(0)
	sum, difference := make([]pair, half+1), make([]pair, half+1)
	total := first
	for j := 1; j <= half; j++ {
		a, b := get(j), get(radix-j)
		sum[j], difference[j] = f.add2(a, b), f.sub2(a, b)
		total = f.add2(total, sum[j])
	}
	put(0, total)
	for k := 1; k <= half; k++ {
		even, odd := first, pair{}
		for j := 1; j <= half; j++ {
			cos, sin := root(j*k%radix, radix)
			even = pair{f.fmaConst(sum[j].re, cos, even.re), f.fmaConst(sum[j].im, cos, even.im)}
			if j == 1 {
				odd = pair{f.timesConst(difference[j].re, sin), f.timesConst(difference[j].im, sin)}
			} else {
				odd = pair{f.fmaConst(difference[j].re, sin, odd.re), f.fmaConst(difference[j].im, sin, odd.im)}
			}
		}
		put(k, f.addTurned(even, odd))
		put(radix-k, f.subTurned(even, odd))
	}
}

// root returns the cosine and the sine of 2π·k/n. The angles are between -π and π, so that the sines of k and n-k are
// opposite.
func root(k, n int) (cos, sin float64) {
	if 2*k > n {
		cos, sin = root(n-k, n)
		return cos, -sin
	}
	sin, cos = math.Sincos(2 * math.Pi * float64(k) / float64(n))
	return cos, sin
}
