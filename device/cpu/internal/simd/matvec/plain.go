package matvec

import "unsafe"

// plainPass is the reference for the routines of passes.
func plainPass[T Float](k kind, s *shape, p *pointers) {
	at := func(base unsafe.Pointer, i int) *T { return (*T)(unsafe.Add(base, i*int(unsafe.Sizeof(*new(T))))) }
	rows := rowsOf(k)
	distances := [mostRows]int{0, s.second, s.third, s.fourth}
	for g := range s.groups {
		n := s.n + g*s.grow
		for i, distance := range distances[:rows] {
			row, r := unsafe.Slice((*T)(unsafe.Add(p.a, g*s.group+distance)), n), g*rows+i
			switch {
			case k == dots|pairs || k == both|pairs:
				*at(p.sums, 2*r), *at(p.sums, 2*r+1) = plainDotPairs(row, unsafe.Slice((*T)(p.x), n))
			case k&dots != 0:
				*at(p.sums, r) = plainDot(row, unsafe.Slice((*T)(p.x), n))
			}
			switch {
			case k == axpys|pairs || k == both|pairs:
				plainAxpyPairs(unsafe.Slice((*T)(p.y), n), row, *at(p.factors, 2*r), *at(p.factors, 2*r+1))
			case k&axpys != 0:
				plainAxpy(unsafe.Slice((*T)(p.y), n), row, *at(p.factors, r))
			}
		}
	}
}

func plainDot[T Float](row, x []T) T {
	var even, odd T
	for j := 0; j+1 < len(row); j += 2 {
		even += row[j] * x[j]
		odd += row[j+1] * x[j+1]
	}
	if n := len(row); n%2 == 1 {
		even += row[n-1] * x[n-1]
	}
	return even + odd
}

func plainDotPairs[T Float](row, x []T) (re, im T) {
	for j := 0; j+1 < len(row); j += 2 {
		re += row[j]*x[j] + row[j+1]*x[j+1]
		im += row[j]*x[j+1] - row[j+1]*x[j]
	}
	return re, im
}

func plainAxpy[T Float](y, row []T, f T) {
	if f == 0 {
		return
	}
	for j, v := range row {
		y[j] += f * v
	}
}

func plainAxpyPairs[T Float](y, row []T, re, im T) {
	if re == 0 && im == 0 {
		return
	}
	for j := 0; j+1 < len(row); j += 2 {
		y[j] += re*row[j] - im*row[j+1]
		y[j+1] += re*row[j+1] + im*row[j]
	}
}
