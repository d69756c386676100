package lending

import (
	"math"
	"testing"
)

func TestClassesHoldTheirSizes(t *testing.T) {
	last := 0
	check := func(n int) {
		class := ClassOf(n)
		size := ClassSize(class)
		if size < n || size%Grain != 0 || size > n+n/8+Grain || ClassOf(size) != class || class < last || class >= Classes {
			t.Fatalf("%d bytes: class %d after %d, of %d bytes, which are of class %d", n, class, last, size, ClassOf(size))
		}
		last = class
	}
	for n := 1; n < 100_000; n++ {
		check(n)
	}
	for n := 100_001; n < math.MaxInt/4; n += n / 97 {
		check(n)
	}
	if class := ClassOf(math.MaxInt); class >= Classes {
		t.Errorf("class %d of %d", class, Classes)
	}
}
