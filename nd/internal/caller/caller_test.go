package caller

import "testing"

func TestNames(t *testing.T) {
	const module = "github.com/ndgrad/ndgrad/"
	for symbol, want := range map[string]string{
		"nd.(*Array).Index":           "Array.Index",
		"nd.(*Array).region":          "",
		"nd.(*Array).Index.func1":     "Array.Index",
		"nd.(*Array).SwapAxes-fm":     "Array.SwapAxes",
		"nd.Func.Check":               "Func.Check",
		"nd.FromSlice[...]":           "nd.FromSlice",
		"nd.FromSlice[...].func1":     "nd.FromSlice",
		"nd.fromSlice[...]":           "",
		"nd/ops.Sum":                  "ops.Sum",
		"nd/ops.combine":              "",
		"nd/grad.VJP.func2":           "grad.VJP",
		"optim.NewGradients-range1":   "optim.NewGradients",
		"nd/ops/linalg.Inv":           "linalg.Inv",
		"nd/ops.(*Kernel).Call":       "Kernel.Call",
		"nd/grad.(*pass).back":        "",
		"nd.init":                     "",
		"nd/grad.TapeTable.String":    "TapeTable.String",
		"nd.Index.resolve":            "",
		"nd/ops.argReduction.along":   "",
		"device/cpu.processor.MatMul": "",
	} {
		if got := nameOf(module + symbol); got != want {
			t.Errorf("%s is %q, want %q", symbol, got, want)
		}
	}
}
