// Command sort generates the routines of package sort.
package main

import . "github.com/mmcloughlin/avo/build"

func main() {
	ConstraintExpr("!purego")
	for _, t := range numbers {
		if t.float {
			t.take()
			t.takeParts()
		} else {
			t.keys()
		}
		t.parts()
		t.middle()
		for _, vectors := range []int{2, 4, 8, 16} {
			t.network(vectors)
		}
	}
	beyonds()
	evens()
	Generate()
}
