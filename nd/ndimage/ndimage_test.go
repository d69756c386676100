package ndimage_test

import (
	"fmt"
	"image"
	"image/color"
	"image/color/palette"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ndimage"
)

func Example() {
	img := image.NewGray(image.Rect(0, 0, 3, 2))
	x := ndimage.From(img) // the image's own memory
	x.Assign(nd.FromSlice([]uint8{10, 20, 30}), nd.At(1))
	fmt.Println(img.GrayAt(2, 1), x.Shape())
	mirrored := ndimage.To(x.Flip(1))
	fmt.Println(mirrored.At(0, 1))
	// Output:
	// {30} [2 3]
	// {30}
}

// drawn fills an image with colours that differ from pixel to pixel.
func drawn[I interface {
	image.Image
	Set(x, y int, c color.Color)
}](img I) I {
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			img.Set(x, y, color.NRGBA64{uint16(x * 9000), uint16(y * 7001), uint16(x*y) * 501, math.MaxUint16 - uint16(x+y)*3000})
		}
	}
	return img
}

// TestFrom compares arrays with the results of At, and checks whether a write is visible in the image.
func TestFrom(t *testing.T) {
	r := image.Rect(-1, 2, 6, 7)
	part := image.Rect(2, 4, 6, 7) // ends with the image: its memory ends within a row
	for what, c := range map[string]struct {
		img    image.Image
		shape  []int
		dt     dtype.DType
		shared bool
	}{
		"gray":              {drawn(image.NewGray(r)), []int{5, 7}, dtype.Uint8, true},
		"part of gray":      {drawn(image.NewGray(r)).SubImage(part), []int{3, 4}, dtype.Uint8, true},
		"gray of 16 bits":   {drawn(image.NewGray16(r)), []int{5, 7}, dtype.Uint16, false},
		"RGBA":              {drawn(image.NewRGBA(r)), []int{5, 7, 4}, dtype.Uint8, true},
		"part of RGBA":      {drawn(image.NewRGBA(r)).SubImage(part), []int{3, 4, 4}, dtype.Uint8, true},
		"NRGBA":             {drawn(image.NewNRGBA(r)), []int{5, 7, 4}, dtype.Uint8, true},
		"RGBA of 16 bits":   {drawn(image.NewRGBA64(r)), []int{5, 7, 4}, dtype.Uint16, false},
		"NRGBA of 16 bits":  {drawn(image.NewNRGBA64(r)), []int{5, 7, 4}, dtype.Uint16, false},
		"palette":           {drawn(image.NewPaletted(r, palette.WebSafe)), []int{5, 7, 4}, dtype.Uint8, false},
		"part of a palette": {drawn(image.NewPaletted(r, palette.WebSafe)).SubImage(part), []int{3, 4, 4}, dtype.Uint8, false},
		"CMYK":              {drawn(image.NewCMYK(r)), []int{5, 7, 4}, dtype.Uint8, false},
		"without pixels":    {image.NewRGBA(image.Rect(0, 0, 0, 3)), []int{3, 0, 4}, dtype.Uint8, false},
	} {
		x := ndimage.From(c.img)
		if !slices.Equal(x.Shape(), c.shape) || x.DType() != c.dt {
			t.Errorf("%s: %v of %v", what, x.DType(), x.Shape())
			continue
		}
		compare(t, what, x, c.img)
		if c.shared {
			x.Assign(nd.Scalar(77), nd.At(-1), nd.At(-1))
			compare(t, what+", written to", x, c.img)
		}
	}
	ycc := image.NewYCbCr(image.Rect(0, 0, 4, 2), image.YCbCrSubsampleRatio420)
	for i := range ycc.Y {
		ycc.Y[i] = uint8(30 * i)
	}
	ycc.Cb[1], ycc.Cr[0] = 200, 90
	if x := ndimage.From(ycc); !slices.Equal(x.Shape(), []int{2, 4, 3}) {
		t.Errorf("YCbCr: %v", x.Shape())
	} else {
		compare(t, "YCbCr", x, ycc)
	}
	if err := nd.Catch(func() { ndimage.From(image.NewUniform(color.White)) }); err == nil {
		t.Error("an image without end was read")
	}
}

// compare compares every pixel of x with that of the image, in x's form.
func compare(t *testing.T, what string, x *nd.Array, img image.Image) {
	t.Helper()
	b := img.Bounds()
	for i := range b.Dy() {
		for j := range b.Dx() {
			c := img.At(b.Min.X+j, b.Min.Y+i)
			var want []int
			switch c := c.(type) {
			case color.Gray:
				want = []int{int(c.Y)}
			case color.Gray16:
				want = []int{int(c.Y)}
			case color.RGBA:
				want = []int{int(c.R), int(c.G), int(c.B), int(c.A)}
			case color.RGBA64, color.NRGBA64:
				c64 := color.NRGBA64Model.Convert(c).(color.NRGBA64)
				want = []int{int(c64.R), int(c64.G), int(c64.B), int(c64.A)}
			default:
				c8 := color.NRGBAModel.Convert(c).(color.NRGBA)
				want = []int{int(c8.R), int(c8.G), int(c8.B), int(c8.A)}
			}
			if _, ok := img.(*image.Paletted); ok {
				c8 := color.NRGBAModel.Convert(c).(color.NRGBA)
				want = []int{int(c8.R), int(c8.G), int(c8.B), int(c8.A)}
			}
			if x.Rank() == 3 {
				want = want[:x.Dim(2)]
			}
			if got := nd.ToSlice[int](x.Index(nd.At(i), nd.At(j))); !slices.Equal(got, want) {
				t.Fatalf("%s: row %d, column %d is %v, want %v", what, i, j, got, want)
			}
		}
	}
}

func TestThereAndBack(t *testing.T) {
	for what, x := range map[string]*nd.Array{
		"gray":             nd.ArangeInt(0, 12, 1, dtype.Uint8).Reshape(3, 4),
		"gray of 16 bits":  nd.ArangeInt(1000, 1012, 1, dtype.Uint16).Reshape(3, 4),
		"alpha":            nd.ArangeInt(200, 248, 1, dtype.Uint8).Reshape(3, 4, 4),
		"alpha of 16 bits": nd.ArangeInt(60000, 60048, 1, dtype.Uint16).Reshape(3, 4, 4),
		"turned":           nd.ArangeInt(0, 12, 1, dtype.Uint8).Reshape(3, 4).T(),
		"without pixels":   nd.Zeros([]int{3, 0}, dtype.Uint8),
	} {
		for _, premultiplied := range []bool{false, true} {
			if premultiplied && x.DType() == dtype.Uint16 && x.Rank() == 3 {
				continue // From divides by alpha
			}
			back := ndimage.From(ndimage.To(x, ndimage.Options{Premultiplied: premultiplied}))
			if back.String() != x.String() || back.DType() != x.DType() {
				t.Errorf("%s: %v, want %v", what, back, x)
			}
		}
	}
	x := nd.Zeros([]int{100, 100, 4}, dtype.Uint8)
	ndimage.To(x).(*image.NRGBA).Set(3, 2, color.White)
	if x.Float(2, 3, 0) != 255 {
		t.Error("a write to the image does not show in the array")
	}
}

func TestTo(t *testing.T) {
	half := nd.FromSlice([]float32{0, 0.5, 1, 2, -1, float32(math.NaN())}, 1, 6)
	if got := ndimage.To(half).(*image.Gray).Pix; !slices.Equal(got, []uint8{0, 128, 255, 255, 0, 0}) {
		t.Errorf("floats: %v", got)
	}
	if got := ndimage.To(nd.FromSlice([]bool{true, false}, 2, 1, 1)).(*image.Gray).Pix; !slices.Equal(got, []uint8{255, 0}) {
		t.Errorf("bools: %v", got)
	}
	if got := ndimage.To(nd.FromSlice([]uint8{1, 2, 3, 4, 5, 6}, 1, 2, 3)).(*image.NRGBA).Pix; !slices.Equal(got, []uint8{1, 2, 3, 255, 4, 5, 6, 255}) {
		t.Errorf("three numbers: %v", got)
	}
	if got := ndimage.To(nd.FromSlice([]uint16{0x102, 3, 4}, 1, 1, 3), ndimage.Options{Premultiplied: true}).(*image.RGBA64).Pix; !slices.Equal(got, []uint8{1, 2, 0, 3, 0, 4, 255, 255}) {
		t.Errorf("three numbers of 16 bits: %v", got)
	}
	for want, x := range map[string]*nd.Array{
		"AsType": nd.ArangeInt(0, 4, 1).Reshape(2, 2), "3 or 4": nd.Zeros([]int{2, 2, 2}), "(height, width)": nd.Zeros([]int{4}), "nil": nil,
		"complex128": nd.Zeros([]int{2, 2}, dtype.Complex128),
	} {
		err := nd.Catch(func() { ndimage.To(x) })
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "ndimage.To") {
			t.Errorf("%v, want an error of ndimage.To about %s", err, want)
		}
	}
}
