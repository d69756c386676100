package scalar

// Reference is a function of a table of correctly rounded values, for the test of the kernels.
type Reference struct {
	Name   string
	Ulps   float64
	Points [][]float64 // the arguments, then the value
}

// References returns the tables.
func References() (all []Reference) {
	for _, r := range references {
		points := make([][]float64, len(r.points))
		for i := range points {
			points[i] = r.points[i][:]
		}
		all = append(all, Reference{r.name, r.ulps, points})
	}
	for _, r := range references2 {
		points := make([][]float64, len(r.points))
		for i := range points {
			points[i] = r.points[i][:]
		}
		all = append(all, Reference{r.name, r.ulps, points})
	}
	return all
}
