package cudaops

// Limited lowers the limits from which loops and index ranges count as large, until the returned function is called.
func Limited() (end func()) {
	points, narrow := mostPoints, mostNarrow
	mostPoints, mostNarrow = 300, 20
	return func() { mostPoints, mostNarrow = points, narrow }
}
