package cpu

// BeEager has all work shared that can be, or no more than pays, and returns what held so far.
func BeEager(on bool) (before bool) {
	before, eager = eager, on
	return before
}
