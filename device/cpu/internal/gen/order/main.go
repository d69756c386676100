// Command order generates the routines of package order.
package main

import . "github.com/mmcloughlin/avo/build"

func main() {
	ConstraintExpr("!purego")
	for _, t := range types {
		t.keys()
		t.partition()
		t.partitionHeld()
		for _, vectors := range []int{2, 4, 8, 16} {
			t.network(vectors)
		}
	}
	beyonds()
	Generate()
}
