package limit

import "testing"

func TestLimits(t *testing.T) {
	if run, _ := multiplyAdd(false); run == nil {
		t.Skip("this processor has no assembly")
	}
	if f := Flops(1, false); f < 1e9 {
		t.Errorf("%.3g operations a second", f)
	}
	if b := Bandwidth(1, 64<<10); b < 1e9 {
		t.Errorf("%.3g bytes a second", b)
	}
	y, a, b := make([]float32, 128), make([]float32, 128), make([]float32, 128)
	for i := range a {
		a[i], b[i] = float32(i), 1
	}
	add(y, a, b)
	for i, v := range y {
		if v != float32(i+1) {
			t.Fatalf("y[%d] = %v", i, v)
		}
	}
}
