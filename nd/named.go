package nd

// Named is an array and its name in a file.
type Named struct {
	Name  string
	Array *Array
}

// NamedArrays are the arrays of a file, in the file's order.
type NamedArrays []Named

// Get returns the array of that name, or nil if it is missing.
func (all NamedArrays) Get(name string) *Array {
	for _, n := range all {
		if n.Name == name {
			return n.Array
		}
	}
	return nil
}

// Names returns the names in the order of the arrays.
func (all NamedArrays) Names() []string {
	names := make([]string, len(all))
	for i, n := range all {
		names[i] = n.Name
	}
	return names
}
