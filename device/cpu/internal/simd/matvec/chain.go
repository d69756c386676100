package matvec

// RotateChain rotates neighbouring rows of a matrix, which are line elements apart: it replaces the rows x and y by c·x + s·y and c·y - s·x, for
// rows 0 and 1 with c[0] and s[0], then for rows 1 and 2 with c[1] and s[1], and so on. The rows have n elements. If they are in descending
// order, line is negative; row 0 begins at a[start].
func RotateChain[T Float](a []T, start, line, n int, c, s []T) {
	s = s[:len(c)]
	if len(c) == 0 || n == 0 {
		return
	}
	end := start + len(c)*line
	a = a[:max(start, end)+n]
	_ = a[min(start, end)]
	for from := 0; from < n; from += piece {
		rotateChainPiece(a, start+from, line, min(piece, n-from), c, s)
	}
}

// plainRotateChain is the reference for the routines of RotateChain.
func plainRotateChain[T Float](a []T, start, line, n int, c, s []T) {
	for i, cosine := range c {
		plainRotate(a[start+i*line:][:n], a[start+(i+1)*line:], cosine, s[i])
	}
}
