package ops_test

import (
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/conv"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/nd/ops/linalg"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
)

// at holds the arguments of a function, or the gradients of its sum with respect to them.
type at [][]float64

// withoutStatistics turns a function of one array into a function of a list of arrays, of which it uses the first.
func withoutStatistics(f func(x *nd.Array) *nd.Array) func(xs ...*nd.Array) *nd.Array {
	return func(xs ...*nd.Array) *nd.Array { return f(xs[0]) }
}

func both(f func(a, b *nd.Array) *nd.Array) func(xs ...*nd.Array) *nd.Array {
	return func(xs ...*nd.Array) *nd.Array { return f(xs[0], xs[1]) }
}

// kinks is the table "At corners and ties" of docs/gradients.md, at the points that it names.
var kinks = []struct {
	functions string // separated by semicolons
	f         func(xs ...*nd.Array) *nd.Array
	at, want  at
}{
	{"Absolute", withoutStatistics(single(ops.Absolute)), at{{0, -2, 2}}, at{{0, -1, 1}}},
	{"Fabs", withoutStatistics(single(ops.Fabs)), at{{0, -2, 2}}, at{{0, -1, 1}}},
	{"AbsoluteError", both(double(loss.AbsoluteError)), at{{1, 2}, {1, 1}}, at{{-1, 1}, {1, -1}}},
	{"EpsilonInsensitiveLoss", both(func(a, b *nd.Array) *nd.Array { return loss.EpsilonInsensitiveLoss(a, b, 1) }), at{{1, 3}, {0, 0}}, at{{0, 1}, {0, -1}}},
	{"HuberLoss", both(func(a, b *nd.Array) *nd.Array { return loss.HuberLoss(a, b) }), at{{1, -1, 0}, {0, 0, 0}}, at{{2, -2, 0}, {-2, 2, 0}}},
	{"ReLU", withoutStatistics(single(ops.ReLU)), at{{0, 1}}, at{{0, 1}}},
	{"ReLU6", withoutStatistics(single(ops.ReLU6)), at{{0, 1, 6}}, at{{0, 1, 0}}},
	{"ClippedReLU", withoutStatistics(func(x *nd.Array) *nd.Array { return ops.ClippedReLU(x) }), at{{0, 1, 20}}, at{{0, 1, 0}}},
	{"LeakyReLU", withoutStatistics(func(x *nd.Array) *nd.Array { return ops.LeakyReLU(x) }), at{{0, 1}}, at{{0.1, 1}}},
	{"PReLU", both(func(x, w *nd.Array) *nd.Array { return ops.PReLU(x, w, ops.PReLUOptions{BaseAxis: new(0)}) }), at{{0, 1}, {0.25, 0.25}}, at{{0.25, 1}, {0, 0}}},
	{"ELU", withoutStatistics(func(x *nd.Array) *nd.Array { return ops.ELU(x, ops.ELUOptions{Alpha: new(0.5)}) }), at{{0}}, at{{1}}},
	{"SELU", withoutStatistics(func(x *nd.Array) *nd.Array { return ops.SELU(x, ops.SELUOptions{Scale: new(1.0), Alpha: new(0.5)}) }), at{{0}}, at{{0.5}}},
	{"HardSigmoid", withoutStatistics(single(ops.HardSigmoid)), at{{-2.5, 2.5, 3}}, at{{0.2, 0.2, 0}}},
	{"HardTanh", withoutStatistics(single(ops.HardTanh)), at{{-1, 1, 2}}, at{{1, 1, 0}}},
	{"HardSigmoid; HardTanh", withoutStatistics(func(x *nd.Array) *nd.Array { return ops.Add(ops.HardSigmoid(x), ops.HardTanh(x)) }), at{{nan}}, at{{nan}}},
	{"HardSwish", withoutStatistics(single(ops.HardSwish)), at{{-3, 0, 3}}, at{{0, 0.5, 1}}},
	{"HardShrink", withoutStatistics(func(x *nd.Array) *nd.Array { return ops.HardShrink(x) }), at{{-0.5, 0.5, 1}}, at{{0, 0, 1}}},
	{"SoftShrink", withoutStatistics(func(x *nd.Array) *nd.Array { return ops.SoftShrink(x) }), at{{-0.5, 0.5, 1}}, at{{0, 0, 1}}},
	{"CDist", withoutStatistics(func(x *nd.Array) *nd.Array { x = x.Reshape(-1, 1); return ops.CDist(x, x) }), at{{2}}, at{{0}}},
	{"PDist", withoutStatistics(func(x *nd.Array) *nd.Array { return ops.PDist(x.Reshape(-1, 1)) }), at{{2, 2}}, at{{0, 0}}},
	{"BinaryTanh", withoutStatistics(single(ops.BinaryTanh)), at{{-1, 1, 0.5}}, at{{0, 0, 1}}},
	{"BinarySigmoid", withoutStatistics(single(ops.BinarySigmoid)), at{{-1, 1, 0.5}}, at{{0, 0, 0.5}}},
	{"Clip", func(xs ...*nd.Array) *nd.Array { return ops.Clip(xs[0], xs[1], xs[2]) },
		at{{-1, 1, 2, nan}, {-1, -1, -1, -1}, {1, 1, 1, 1}}, at{{1, 1, 0, 1}, {0, 0, 0, 0}, {0, 0, 1, 0}}},
	{"Maximum", both(double(ops.Maximum)), at{{1, nan, 1, nan}, {1, 1, nan, nan}}, at{{1, 1, 0, 1}, {0, 0, 1, 0}}},
	{"Minimum", both(double(ops.Minimum)), at{{1, nan, 1, nan}, {1, 1, nan, nan}}, at{{1, 1, 0, 1}, {0, 0, 1, 0}}},
	{"FMax", both(double(ops.FMax)), at{{1, nan, 1}, {1, 1, nan}}, at{{1, 0, 1}, {0, 1, 0}}},
	{"FMin", both(double(ops.FMin)), at{{1, nan, 1}, {1, 1, nan}}, at{{1, 0, 1}, {0, 1, 0}}},
	{"Maximum(1, x)", withoutStatistics(func(x *nd.Array) *nd.Array { return ops.Maximum(1, x) }), at{{1, 2}}, at{{0, 1}}},
	{"Maximum(x, 1)", withoutStatistics(func(x *nd.Array) *nd.Array { return ops.Maximum(x, 1) }), at{{1, 0}}, at{{1, 0}}},
	{"Minimum(1, x)", withoutStatistics(func(x *nd.Array) *nd.Array { return ops.Minimum(1, x) }), at{{1, 0}}, at{{0, 1}}},
	{"Minimum(x, 1)", withoutStatistics(func(x *nd.Array) *nd.Array { return ops.Minimum(x, 1) }), at{{1, 2}}, at{{1, 0}}},
	{"Max", withoutStatistics(func(x *nd.Array) *nd.Array { return ops.Max(x) }), at{{1, 3, 3}}, at{{0, 1, 0}}},
	{"Min", withoutStatistics(func(x *nd.Array) *nd.Array { return ops.Min(x) }), at{{3, 1, 1}}, at{{0, 1, 0}}},
	{"PTP", withoutStatistics(func(x *nd.Array) *nd.Array { return ops.PTP(x) }), at{{1, 1}}, at{{0, 0}}},
	{"Maxout", withoutStatistics(func(x *nd.Array) *nd.Array { return ops.Maxout(x, 2, ops.Over(0)) }), at{{3, 3, 1, 2}}, at{{1, 0, 0, 1}}},
	{"MaxPooling", withoutStatistics(func(x *nd.Array) *nd.Array { return conv.MaxPooling(x.Reshape(1, 1, 1, 4), []int{1, 2}) }), at{{3, 3, 1, 2}}, at{{1, 0, 0, 1}}},
	{"Sort", withoutStatistics(func(x *nd.Array) *nd.Array { return ops.Multiply(ops.Sort(x), opstest.Vector(1.0, 10, 100)) }), at{{2, 1, 1}}, at{{100, 1, 10}}},
	{"Median", withoutStatistics(func(x *nd.Array) *nd.Array { return ops.Median(x) }), at{{1, 2, 2, 2}}, at{{0, 0.5, 0.5, 0}}},
	{"Quantile", withoutStatistics(func(x *nd.Array) *nd.Array { return ops.Quantile(x, nd.Scalar(0.25)) }), at{{2, 2, 2}}, at{{0.5, 0.5, 0}}},
	{"Where", both(func(a, b *nd.Array) *nd.Array { return ops.Where(ops.GreaterEqual(a, b), a, b) }), at{{1}, {1}}, at{{1}, {0}}},
	{"Sign", withoutStatistics(single(ops.Sign)), at{{0, 1, nan}}, at{{0, 0, 0}}},
	{"Floor", withoutStatistics(single(ops.Floor)), at{{1, 1.5, nan}}, at{{0, 0, 0}}},
	{"Ceil", withoutStatistics(single(ops.Ceil)), at{{1, 1.5}}, at{{0, 0}}},
	{"Trunc", withoutStatistics(single(ops.Trunc)), at{{1, 1.5}}, at{{0, 0}}},
	{"Rint", withoutStatistics(single(ops.Rint)), at{{0.5, 1}}, at{{0, 0}}},
	{"Round", withoutStatistics(func(x *nd.Array) *nd.Array { return ops.Round(x) }), at{{0.5, 1}}, at{{0, 0}}},
	{"FloorDivide", both(double(ops.FloorDivide)), at{{6, 7}, {3, 3}}, at{{0, 0}, {0, 0}}},
	{"Remainder", both(double(ops.Remainder)), at{{6, -1}, {3, 3}}, at{{1, 1}, {-2, 1}}},
	{"Fmod", both(double(ops.Fmod)), at{{6, -1}, {3, 3}}, at{{1, 1}, {-2, 0}}},
	{"Heaviside", both(double(ops.Heaviside)), at{{0, 1}, {0.5, 0.5}}, at{{0, 0}, {1, 0}}},
	{"CopySign", both(double(ops.CopySign)), at{{0, math.Copysign(0, -1)}, {1, 1}}, at{{1, -1}, {0, 0}}},
	{"Sqrt", withoutStatistics(single(ops.Sqrt)), at{{0}}, at{{inf}}},
	{"Cbrt", withoutStatistics(single(ops.Cbrt)), at{{0}}, at{{inf}}},
	{"Entr", withoutStatistics(single(ops.Entr)), at{{0}}, at{{inf}}},
	{"Xlogy", both(double(ops.Xlogy)), at{{0, 0, 0}, {0, -1, 1}}, at{{0, 0, 0}, {0, 0, 0}}},
	{"Xlog1py", both(double(ops.Xlog1py)), at{{0, 0, 0}, {-1, -2, 0}}, at{{0, 0, 0}, {0, 0, 0}}},
	{"I0E", withoutStatistics(single(ops.I0E)), at{{0}}, at{{0}}},
	{"I1E", withoutStatistics(single(ops.I1E)), at{{0}}, at{{0.5}}},
	{"Power", both(double(ops.Power)), at{{0, 0, 0, 0}, {0, 0.5, 1, 2}}, at{{0, inf, 1, 0}, {0, 0, 0, 0}}},
	{"Hypot", both(double(ops.Hypot)), at{{0}, {0}}, at{{0}, {0}}},
	{"Arctan2", both(double(ops.Arctan2)), at{{0}, {0}}, at{{0}, {0}}},
	{"Angle", withoutStatistics(func(x *nd.Array) *nd.Array { return ops.Angle(x.AsType(dtype.Complex128)) }), at{{0}}, at{{0}}},
	{"Attention", withoutStatistics(func(x *nd.Array) *nd.Array {
		x = x.Reshape(1, 2)
		return ops.Attention(x, x, x, ops.AttentionOptions{Mask: nd.Full([]int{1, 1}, -inf)})
	}), at{{1, 2}}, at{{0, 0}}},
	{"LogAddExp", both(double(ops.LogAddExp)), at{{-inf, -inf, 1}, {-inf, 1, -inf}}, at{{0, 0, 1}, {0, 1, 0}}},
	{"LogAddExp2", both(double(ops.LogAddExp2)), at{{-inf, 1}, {-inf, -inf}}, at{{0, 1}, {0, 0}}},
	{"LogSumExp", withoutStatistics(func(x *nd.Array) *nd.Array { return ops.LogSumExp(x) }), at{{-inf, -inf}}, at{{0, 0}}},
	{"LogSumExp", withoutStatistics(func(x *nd.Array) *nd.Array { return ops.LogSumExp(x) }), at{{inf, 1, inf, inf, -inf}}, at{{1. / 3, 0, 1. / 3, 1. / 3, 0}}},
	{"LogAddExp", both(double(ops.LogAddExp)), at{{inf, inf, 1}, {inf, 1, inf}}, at{{0.5, 1, 0}, {0.5, 0, 1}}},
	{"LogAddExp2", both(double(ops.LogAddExp2)), at{{inf, inf, 1}, {inf, 1, inf}}, at{{0.5, 1, 0}, {0.5, 0, 1}}},
	{"LogCumSumExp", withoutStatistics(func(x *nd.Array) *nd.Array { return ops.LogCumSumExp(x) }), at{{-inf, -inf, 0, 0}}, at{{0, 0, 1.5, 0.5}}},
	{"Norm", withoutStatistics(func(x *nd.Array) *nd.Array { return ops.Norm(x) }), at{{0, 0}}, at{{0, 0}}},
	{"linalg.Norm", withoutStatistics(func(x *nd.Array) *nd.Array { return linalg.Norm(x) }), at{{0, 0}}, at{{0, 0}}},
	{"Std", withoutStatistics(func(x *nd.Array) *nd.Array { return ops.Std(x) }), at{{2, 2}}, at{{0, 0}}},
	{"ResetNaN", withoutStatistics(func(x *nd.Array) *nd.Array { return ops.ResetNaN(x) }), at{{nan, 1}}, at{{0, 1}}},
	{"ResetInf", withoutStatistics(func(x *nd.Array) *nd.Array { return ops.ResetInf(x) }), at{{inf, 1}}, at{{0, 1}}},
	{"NaNToNum", withoutStatistics(func(x *nd.Array) *nd.Array { return ops.NaNToNum(x) }), at{{nan, inf, 1}}, at{{0, 0, 1}}},
	{"Hinge", withoutStatistics(func(x *nd.Array) *nd.Array {
		return loss.Hinge(x.Reshape(-1, 1), nd.Zeros([]int{2}, dtype.Int64))
	}),
		at{{1, 0}}, at{{0, -1}}},
}

// TestGradientsAtCorners compares the gradients at corners, ties and NaN with the document.
func TestGradientsAtCorners(t *testing.T) {
	for _, kink := range kinks {
		in := make([]*nd.Array, len(kink.at))
		for k, values := range kink.at {
			in[k] = opstest.Vector(values...)
		}
		tape := grad.NewTape()
		for k := range in {
			in[k] = tape.Watch(in[k])
		}
		for k, g := range tape.Gradient(kink.f(in...), in...) {
			if g == nil {
				g = nd.ZerosLike(in[k].Detach())
			}
			got := nd.ToSlice[float64](g)
			for i, want := range kink.want[k] {
				if got[i] != want && (got[i] == got[i] || want == want) {
					t.Errorf("%s at %v: the gradients of argument %d are %v, want %v", kink.functions, kink.at, k, got, kink.want[k])
					break
				}
			}
		}
	}
}

// TestCornersAreDocumented checks that the document's table names exactly the tested functions.
func TestCornersAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/gradients.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "## At corners and ties\n")
	section, _, _ = strings.Cut(section, "\n## ")
	if !found {
		t.Fatal("docs/gradients.md has no section At corners and ties")
	}
	tried := map[string]bool{}
	for _, kink := range kinks {
		for name := range strings.SplitSeq(kink.functions, "; ") {
			tried[name] = true
			if !strings.Contains(section, "`"+name+"`") {
				t.Errorf("the table has no %s", name)
			}
		}
	}
	for line := range strings.SplitSeq(section, "\n") {
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		functions, _, _ := strings.Cut(line[1:], "|")
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(functions, -1) {
			if !tried[name[1]] {
				t.Errorf("%s of the table is not tried", name[1])
			}
		}
	}
}
