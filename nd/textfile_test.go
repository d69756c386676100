package nd_test

import (
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func TestReadText(t *testing.T) {
	for _, c := range []struct {
		text string
		o    nd.LoadTextOptions
		want string
	}{
		{"1 2\n3 4\n", nd.LoadTextOptions{}, "array([[1., 2.],\n       [3., 4.]])"},
		{"1\t2  3\n", nd.LoadTextOptions{}, "array([1., 2., 3.])"},
		{"1\n2", nd.LoadTextOptions{}, "array([1., 2.])"},
		{"5", nd.LoadTextOptions{}, "array(5.)"},
		{"5", nd.LoadTextOptions{NDMin: 1}, "array([5.])"},
		{"5", nd.LoadTextOptions{NDMin: 2}, "array([[5.]])"},
		{"1\n2", nd.LoadTextOptions{NDMin: 2}, "array([[1.],\n       [2.]])"},
		{"1 2", nd.LoadTextOptions{NDMin: 2, Unpack: true}, "array([[1.],\n       [2.]])"},
		{"1 2\r\n\r\n3 4\r5 6", nd.LoadTextOptions{}, "array([[1., 2.],\n       [3., 4.],\n       [5., 6.]])"},
		{"# a\n1 2 # b\n   \n3 4#c", nd.LoadTextOptions{}, "array([[1., 2.],\n       [3., 4.]])"},
		{"1 // a # b\n2 ; c", nd.LoadTextOptions{Comments: []string{";", "//"}}, "array([1., 2.])"},
		{"1, 2\n3 ,4", nd.LoadTextOptions{Delimiter: ","}, "array([[1., 2.],\n       [3., 4.]])"},
		{"1abc2", nd.LoadTextOptions{Delimiter: "abc"}, "array([1., 2.])"},
		{"# a\nb c\n1 2", nd.LoadTextOptions{SkipRows: 2}, "array([1., 2.])"},
		{"1 2 3\n4 5", nd.LoadTextOptions{UseCols: []int{-1, 0, 0}}, "array([[3., 1., 1.],\n       [5., 4., 4.]])"},
		{"1 2\n# c\n3 4\n5 x", nd.LoadTextOptions{MaxRows: 2}, "array([[1., 2.],\n       [3., 4.]])"},
		{"1 2\n3 4\n5 6", nd.LoadTextOptions{Unpack: true}, "array([[1., 3., 5.],\n       [2., 4., 6.]])"},
		{"inf -Infinity NaN -nan 1e400 -1e-400 +5", nd.LoadTextOptions{}, "array([ inf, -inf,  nan,  nan,  inf,  -0.,   5.])"},
		{"+5 -128 127", nd.LoadTextOptions{DType: dtype.Int8}, "array([   5, -128,  127], dtype=int8)"},
		{"18446744073709551615 +1", nd.LoadTextOptions{DType: dtype.Uint64}, "array([18446744073709551615,                    1], dtype=uint64)"},
		{"1 0 -3", nd.LoadTextOptions{DType: dtype.Bool}, "array([ True, False,  True])"},
		{"0.1", nd.LoadTextOptions{DType: dtype.Float32}, "array(0.1, dtype=float32)"},
		{"65504 65520", nd.LoadTextOptions{DType: dtype.Float16}, "array([6.55e+04,      inf], dtype=float16)"},
		{"1+2j (3-4e-1j) 5 -6J ( 7 )", nd.LoadTextOptions{DType: dtype.Complex64, Delimiter: " ", UseCols: []int{0, 1, 2, 3}},
			"array([1.+2.j , 3.-0.4j, 5.+0.j , 0.-6.j ], dtype=complex64)"},
		{"1,,3\n4, ,6", nd.LoadTextOptions{Delimiter: ",", Filling: []float64{math.NaN()}}, "array([[ 1., nan,  3.],\n       [ 4., nan,  6.]])"},
		{"1,N/A,3\n-,,6", nd.LoadTextOptions{Delimiter: ",", Filling: []float64{-1}, Missing: []string{"N/A", "-"}, DType: dtype.Int32},
			"array([[ 1, -1,  3],\n       [-1, -1,  6]], dtype=int32)"},
		{"1,,3\n,5,", nd.LoadTextOptions{Delimiter: ",", Filling: []float64{7, 8.5}, UseCols: []int{0, -1}}, "array([[1. , 3. ],\n       [7. , 8.5]])"},
		{"1\t2\n\t\n\n3\t", nd.LoadTextOptions{Delimiter: "\t", Filling: []float64{0}}, "array([[1., 2.],\n       [0., 0.],\n       [3., 0.]])"},
		{"1 ? 3", nd.LoadTextOptions{Filling: []float64{math.Inf(1)}, Missing: []string{"?"}, DType: dtype.Complex64}, "array([ 1.+0.j, inf+0.j,  3.+0.j], dtype=complex64)"},
		{"", nd.LoadTextOptions{}, "array([], dtype=float64)"},
		{"# only a comment", nd.LoadTextOptions{NDMin: 2}, "array([], shape=(0, 1), dtype=float64)"},
		{"\n", nd.LoadTextOptions{UseCols: []int{0, 2}}, "array([], shape=(0, 2), dtype=float64)"},
	} {
		x, err := nd.ReadText(strings.NewReader(c.text), c.o)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
		} else if x.GoString() != c.want {
			t.Errorf("%q: read %#v, want %s", c.text, x, c.want)
		}
	}
}

func TestReadTextNamesThePositionOfAnError(t *testing.T) {
	for _, c := range []struct {
		text string
		o    nd.LoadTextOptions
		want string
	}{
		{"1 2\n\n3 x\n", nd.LoadTextOptions{}, `line 3, column 2: "x" is not a valid float64`},
		{"a b\n1 2 3\n", nd.LoadTextOptions{SkipRows: 1, DType: dtype.Int32, UseCols: []int{-1, 3}}, "line 2: column index 3 is out of range for 3 columns"},
		{"1 2\n3\n", nd.LoadTextOptions{}, "line 2: 1 columns, the rows before have 2"},
		{"1,,2", nd.LoadTextOptions{Delimiter: ","}, `line 1, column 2: "" is not a valid float64`},
		{"300", nd.LoadTextOptions{DType: dtype.Uint8}, `line 1, column 1: "300" is not a valid uint8`},
		{"-1", nd.LoadTextOptions{DType: dtype.Uint8}, `"-1" is not a valid uint8`},
		{"1.0", nd.LoadTextOptions{DType: dtype.Int64}, `"1.0" is not a valid int64`},
		{"0x10", nd.LoadTextOptions{}, `"0x10" is not a valid float64`},
		{"1_0", nd.LoadTextOptions{}, `"1_0" is not a valid float64`},
		{"1_0", nd.LoadTextOptions{DType: dtype.Int64}, `"1_0" is not a valid int64`},
		{"True", nd.LoadTextOptions{DType: dtype.Bool}, `"True" is not a valid bool`},
		{"j", nd.LoadTextOptions{DType: dtype.Complex128}, `"j" is not a valid complex128`},
		{"(1+2j", nd.LoadTextOptions{DType: dtype.Complex128}, `"(1+2j" is not a valid complex128`},
		{"1j+2", nd.LoadTextOptions{DType: dtype.Complex128}, `"1j+2" is not a valid complex128`},
		{"1", nd.LoadTextOptions{NDMin: 3}, "NDMin 3"},
		{"1,x", nd.LoadTextOptions{Delimiter: ",", Filling: []float64{0}}, `line 1, column 2: "x" is not a valid float64`},
		{"1,?", nd.LoadTextOptions{Delimiter: ",", Missing: []string{"?"}}, `line 1, column 2: "?" is not a valid float64`},
		{"1,,2", nd.LoadTextOptions{Delimiter: ",", Filling: []float64{1, 2}}, "line 1: 3 columns, but 2 filling values: want one, or one per column"},
		{"1", nd.LoadTextOptions{DType: dtype.Int8, Filling: []float64{math.NaN()}}, "int8 does not hold the filling NaN"},
		{"1", nd.LoadTextOptions{Comments: []string{""}}, "an empty text"},
		{"1\r\n2\rx\r\n", nd.LoadTextOptions{}, `line 3, column 1: "x" is not a valid float64`},
	} {
		for name, reader := range map[string]io.Reader{
			"whole": strings.NewReader(c.text), "by bytes": iotest.OneByteReader(strings.NewReader(c.text)),
			"by lines": io.MultiReader(readers(strings.SplitAfter(c.text, "\n"))...),
		} {
			x, err := nd.ReadText(reader, c.o)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%q, %s: read %v, error %v; want %s", c.text, name, x, err, c.want)
			}
		}
	}
}

func readers(parts []string) []io.Reader {
	var all []io.Reader
	for _, part := range parts {
		all = append(all, strings.NewReader(part))
	}
	return all
}

func TestWriteText(t *testing.T) {
	table := nd.FromSlice([]float64{1.5, 2, -3, math.NaN()}, 2, 2)
	whole := nd.FromSlice([]float64{1.5, 2, -3, 4}, 2, 2)
	numbers := nd.FromSlice([]complex128{1 + 2i, 3 - 4i}, 1, 2)
	for _, c := range []struct {
		x    *nd.Array
		o    nd.SaveTextOptions
		want string
	}{
		{table, nd.SaveTextOptions{}, "1.500000000000000000e+00 2.000000000000000000e+00\n-3.000000000000000000e+00 nan\n"},
		{whole, nd.SaveTextOptions{Format: "%d"}, "1 2\n-3 4\n"},
		{table, nd.SaveTextOptions{Format: "%.3f", Delimiter: new(",")}, "1.500,2.000\n-3.000,nan\n"},
		{table, nd.SaveTextOptions{Formats: []string{"%.1f", "%g"}, Delimiter: new("%")}, "1.5%2\n-3.0%nan\n"},
		{table, nd.SaveTextOptions{Format: "%.1f|%g"}, "1.5|2\n-3.0|nan\n"},
		{table, nd.SaveTextOptions{Format: "%5.1f", Newline: "\r\n", Delimiter: new("")}, "  1.5  2.0\r\n -3.0  nan\r\n"},
		{whole.T(), nd.SaveTextOptions{Format: "%g", Header: "a\nb", Footer: "c"}, "# a\n# b\n1.5 -3\n2 4\n# c\n"},
		{whole, nd.SaveTextOptions{Format: "%g", Header: "a", Comments: new("")}, "a\n1.5 2\n-3 4\n"},
		{nd.ArangeInt(0, 3, 1), nd.SaveTextOptions{Format: "%d", Newline: " "}, "0 1 2 "},
		{nd.FromSlice([]bool{true, false}), nd.SaveTextOptions{Format: "%.1e"}, "1.0e+00\n0.0e+00\n"},
		{nd.FromSlice([]bool{true}), nd.SaveTextOptions{Format: "%s"}, "True\n"},
		{nd.FromSlice([]float64{0.1, 1, 1e-5, 1e20, math.Inf(1)}), nd.SaveTextOptions{Format: "%s"}, "0.1\n1.0\n1e-05\n1e+20\ninf\n"},
		{nd.FromSlice([]float32{0.1}), nd.SaveTextOptions{Format: "%s"}, "0.1\n"},
		{nd.FromSlice([]float32{0.1}), nd.SaveTextOptions{}, "1.000000014901161194e-01\n"},
		{nd.FromSlice([]int64{1<<53 + 1, -1<<53 - 1, math.MaxInt64, math.MinInt64}), nd.SaveTextOptions{},
			"9.007199254740993000e+15\n-9.007199254740993000e+15\n9.223372036854775807e+18\n-9.223372036854775808e+18\n"},
		{nd.FromSlice([]uint64{1<<53 + 1, math.MaxUint64}), nd.SaveTextOptions{Format: "%.1f"}, "9007199254740993.0\n18446744073709551615.0\n"},
		{nd.FromSlice([]uint64{1<<53 + 1, math.MaxUint64}), nd.SaveTextOptions{Format: "%+.20G"}, "+9007199254740993\n+18446744073709551615\n"},
		{nd.FromSlice([]int{1<<53 + 1}), nd.SaveTextOptions{Format: "%#.20g"}, "9007199254740993.0000\n"},
		{nd.FromSlice([]int{1<<53 + 1}), nd.SaveTextOptions{Format: "%#.16g"}, "9007199254740993.\n"},
		{nd.FromSlice([]int{1<<53 + 1}), nd.SaveTextOptions{Format: "%#.15g"}, "9.00719925474099e+15\n"},
		{nd.FromSlice([]int{1<<53 + 1}), nd.SaveTextOptions{Format: "%#.0g"}, "9.e+15\n"},
		{nd.FromSlice([]int{1<<53 + 1}), nd.SaveTextOptions{Format: "%#.0E"}, "9.E+15\n"},
		{nd.FromSlice([]int{1<<53 + 1}), nd.SaveTextOptions{Format: "%#.0f"}, "9007199254740993.\n"},
		{nd.FromSlice([]int{-1<<53 - 1}), nd.SaveTextOptions{Format: "%025.3f|"}, "-00009007199254740993.000|\n"},
		{nd.FromSlice([]float64{0.1}), nd.SaveTextOptions{Format: "%r"}, "np.float64(0.1)\n"},
		{nd.FromSlice([]float64{1e10, 123456, 1e5, 1234567}), nd.SaveTextOptions{Format: "%g"}, "1e+10\n123456\n100000\n1.23457e+06\n"},
		{nd.FromSlice([]float64{1e6}), nd.SaveTextOptions{Format: "%G"}, "1E+06\n"},
		{nd.FromSlice([]float64{1e-5, 1}), nd.SaveTextOptions{Format: "%#g"}, "1.00000e-05\n1.00000\n"},
		{nd.FromSlice([]int{5}), nd.SaveTextOptions{Format: "a%%|%05d|"}, "a%|00005|\n"},
		{nd.FromSlice([]int{-5}), nd.SaveTextOptions{Format: "%05d"}, "-0005\n"},
		{nd.FromSlice([]int{5}), nd.SaveTextOptions{Format: "%-5d|"}, "5    |\n"},
		{nd.FromSlice([]int{5}), nd.SaveTextOptions{Format: "% d"}, " 5\n"},
		{nd.FromSlice([]int{5}), nd.SaveTextOptions{Format: "%+ld"}, "+5\n"},
		{nd.FromSlice([]int{5}), nd.SaveTextOptions{Format: "%5.3d"}, "  005\n"},
		{nd.FromSlice([]int{255}), nd.SaveTextOptions{Format: "%#x"}, "0xff\n"},
		{nd.FromSlice([]int{-255}), nd.SaveTextOptions{Format: "%#08X"}, "-0X000FF\n"},
		{nd.FromSlice([]int{8}), nd.SaveTextOptions{Format: "%o"}, "10\n"},
		{nd.FromSlice([]uint64{1 << 63}), nd.SaveTextOptions{Format: "%d"}, "9223372036854775808\n"},
		{nd.FromSlice([]float64{1e30}), nd.SaveTextOptions{Format: "%i"}, "1000000000000000019884624838656\n"},
		{nd.FromSlice([]float64{math.NaN(), math.Inf(1), math.Inf(-1)}), nd.SaveTextOptions{Format: "%08.2f"}, "00000nan\n00000inf\n-0000inf\n"},
		{nd.FromSlice([]float64{math.Inf(1)}), nd.SaveTextOptions{Format: "%+E"}, "+INF\n"},
		{nd.FromSlice([]float64{2.5, 0.5, math.Copysign(0, -1)}), nd.SaveTextOptions{Format: "%.0f"}, "2\n0\n-0\n"},
		{numbers, nd.SaveTextOptions{Format: "%.2f"}, " (1.00+2.00j)  (3.00-4.00j)\n"},
		{numbers, nd.SaveTextOptions{Format: "%.2f%+.2fj  %.1f%+.1fj"}, "1.00+2.00j  3.0-4.0j\n"},
		{numbers, nd.SaveTextOptions{Format: "%g%+gj", Delimiter: new(",")}, "1+2j,3-4j\n"},
		{numbers, nd.SaveTextOptions{Formats: []string{"%.2f%+.2fj", "(%.1f,%.1f)"}}, "1.00+2.00j (3.0,-4.0)\n"},
		{nd.Zeros([]int{0, 3}), nd.SaveTextOptions{}, ""},
		{nd.Zeros([]int{2, 0}), nd.SaveTextOptions{}, "\n\n"},
	} {
		var got strings.Builder
		if err := nd.WriteText(&got, c.x, c.o); err != nil {
			t.Errorf("%v %+v: %v", c.x, c.o, err)
		} else if got.String() != c.want {
			t.Errorf("%v %+v: wrote %q, want %q", c.x, c.o, got.String(), c.want)
		}
	}
}

func TestWriteTextRefuses(t *testing.T) {
	row := nd.Ones([]int{1, 2})
	for what, c := range map[string]struct {
		x *nd.Array
		o nd.SaveTextOptions
	}{
		"no axes":              {nd.Scalar(1), nd.SaveTextOptions{}},
		"three axes":           {nd.Ones([]int{1, 1, 1}), nd.SaveTextOptions{}},
		"too few formats":      {row, nd.SaveTextOptions{Formats: []string{"%g"}}},
		"too many conversions": {row, nd.SaveTextOptions{Format: "%g %g %g"}},
		"no conversion":        {row, nd.SaveTextOptions{Format: "a%%"}},
		"an unknown one":       {row, nd.SaveTextOptions{Format: "%q"}},
		"an unfinished one":    {row, nd.SaveTextOptions{Format: "%5."}},
		"a star":               {row, nd.SaveTextOptions{Format: "%*d"}},
		"an absurd width":      {row, nd.SaveTextOptions{Format: "%100000000d"}},
		"a hexadecimal float":  {row, nd.SaveTextOptions{Format: "%x"}},
		"nan as an integer":    {nd.Full([]int{1}, math.NaN()), nd.SaveTextOptions{Format: "%d"}},
	} {
		if err := nd.WriteText(&strings.Builder{}, c.x, c.o); err == nil {
			t.Errorf("%s: not refused", what)
		}
	}
}

// TestReadTextRoundsOnce reads numbers near the middle between two numbers of a dtype: from float64 they would be
// rounded to the even one of the two.
func TestReadTextRoundsOnce(t *testing.T) {
	const rest = "00000000000000000000000000000001" // far below the last bit of a float64
	for _, c := range []struct {
		dt   dtype.DType
		text string
		want float64
	}{
		{dtype.Float32, "1.000000059604644775390625" + rest, 1 + 0x1p-23},
		{dtype.Float32, "1.000000059604644775390625", 1},
		{dtype.Float32, "1.000000178813934326171874" + rest, 1 + 0x1p-23},
		{dtype.Float32, "-16777217." + rest, -16777218},
		{dtype.Float32, "7.0064923216240853546186479164495e-46", 0},
		{dtype.Float32, "7.006492321624085354618647916449580656401309709382578858785341419448955413429304e-46", 0x1p-149},
		{dtype.Float32, "3.4028235677973366e38", math.MaxFloat32},
		{dtype.Float32, "3.4028235677973367e38", math.Inf(1)},
		{dtype.Float32, "1e39", math.Inf(1)},
		{dtype.Float16, "1.00048828125" + rest, 1 + 0x1p-10},
		{dtype.Float16, "1.00048828125", 1},
		{dtype.Float16, "1.00146484374999999999999999999999", 1 + 0x1p-10},
		{dtype.Float16, "-2049.0" + rest, -2050},
		{dtype.Float16, "65519.99999999999999999999", 65504},
		{dtype.Float16, "65520", math.Inf(1)},
		{dtype.Float16, "-inf", math.Inf(-1)},
		{dtype.Float16, "-0.0", math.Copysign(0, -1)},
		{dtype.Float16, "1e-400", 0},
		{dtype.BFloat16, "1.00390625" + rest, 1 + 0x1p-7},
		{dtype.BFloat16, "1.00390625", 1},
		{dtype.BFloat16, "1.01171874999999999999999999999", 1 + 0x1p-7},
		{dtype.Complex64, "1.000000059604644775390625" + rest, 1 + 0x1p-23},
	} {
		x, err := nd.ReadText(strings.NewReader(c.text), nd.LoadTextOptions{DType: c.dt})
		if err != nil {
			t.Errorf("%s as %s: %v", c.text, c.dt, err)
			continue
		}
		got := real(nd.Value[complex128](x.AsType(dtype.Complex128)))
		if got != c.want || math.Signbit(got) != math.Signbit(c.want) {
			t.Errorf("%s as %s is %v, want %v", c.text, c.dt, got, c.want)
		}
	}
	z, err := nd.ReadText(strings.NewReader("(1-1.000000059604644775390625"+rest+"j)"), nd.LoadTextOptions{DType: dtype.Complex64})
	if want := complex(1, -1-0x1p-23); err != nil || nd.Value[complex128](z.AsType(dtype.Complex128)) != want {
		t.Errorf("a complex number is %v, %v; want %v", z, err, want)
	}
}

func TestTextFileRoundTrip(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	x := nd.FromSlice([]float64{0.1, -1e-300, math.Pi, math.MaxFloat64, 5e-324, math.Inf(-1)}, 3, 2)
	if err := nd.SaveText(path, x, nd.SaveTextOptions{Header: "two columns"}); err != nil {
		t.Fatal(err)
	}
	y, err := nd.LoadText(path)
	if err != nil || y.GoString() != x.GoString() {
		t.Errorf("read %#v, %v", y, err)
	}
	if err := nd.SaveText(path, nd.Scalar(1)); err == nil {
		t.Error("a 0-d array was written")
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("temporary files are left over: %v", left)
	}
	if _, err := nd.LoadText(filepath.Join(dir, "none")); !os.IsNotExist(err) {
		t.Errorf("error %v", err)
	}
}

// A compressed text reads as the text does.
func TestCompressedText(t *testing.T) {
	dir := t.TempDir()
	x := nd.Arange(0, 6000, 1).Reshape(2000, 3)
	plain, packed := filepath.Join(dir, "a.txt"), filepath.Join(dir, "a.txt.gz")
	for _, path := range []string{plain, packed} {
		if err := nd.SaveText(path, x); err != nil {
			t.Fatal(err)
		}
		again, err := nd.LoadText(path, nd.LoadTextOptions{SkipRows: 1, UseCols: []int{2, 0}})
		if err != nil {
			t.Fatal(err)
		}
		if s := again.Shape(); s[0] != 1999 || s[1] != 2 || again.Float(1998, 0) != 5999 {
			t.Errorf("%s: read %v", path, again)
		}
	}
	text, err := os.ReadFile(packed)
	if err != nil {
		t.Fatal(err)
	}
	if whole, _ := os.Stat(plain); int64(len(text)) > whole.Size()/4 || text[0] != 0x1f || text[1] != 0x8b {
		t.Errorf("%d bytes of %d: not compressed", len(text), whole.Size())
	}
	if err := os.WriteFile(packed, text[:len(text)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := nd.LoadText(packed); err == nil || !strings.Contains(err.Error(), "unexpected EOF") {
		t.Errorf("half of a file: %v", err)
	}
	if err := os.WriteFile(packed, []byte("a text without a header\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := nd.LoadText(packed); err == nil || !strings.Contains(err.Error(), "a.txt.gz: gzip: invalid header") {
		t.Errorf("a text that is not compressed: %v", err)
	}
	// printf '1 2\n3 4\n' | bzip2
	bz := "BZh91AY&SY\xd0\xb5\x1d=\x00\x00\x02X\x00\x00\x10@\x00<\x00 \x000\xc0\x08i\xb2\x88#'\x8b\xb9\x22\x9c(HhZ\x8e\x9e\x80"
	path := filepath.Join(dir, "b.bz2")
	if err := os.WriteFile(path, []byte(bz), 0o600); err != nil {
		t.Fatal(err)
	}
	if x, err := nd.LoadText(path); err != nil || x.GoString() != "array([[1., 2.],\n       [3., 4.]])" {
		t.Errorf("bzip2: %v, %v", x, err)
	}
}
