package cudaops

// Limited makes loops and numbers of places that are taken for large ones small until the function that it returns is called.
func Limited() (end func()) {
	points, narrow := mostPoints, mostNarrow
	mostPoints, mostNarrow = 300, 20
	return func() { mostPoints, mostNarrow = points, narrow }
}
