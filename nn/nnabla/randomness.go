package nnabla

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/random"
)

// randomness is the chapter of functions that draw random numbers. They take the scope's stream, which Scope.Watch got.
func randomness() []entry {
	return []entry{
		{typ: "Rand", name: "rand", make: func(a *arguments) operation {
			low, high := a.float("low"), a.float("high")
			return draw(a, func(c *call, shape []int) *nd.Array {
				return random.Uniform(c.scope.Rand(), low, high, shape, c.like())
			})
		}},
		{typ: "Randint", name: "randint", make: logical(func(a *arguments) operation {
			low, high := a.int("low"), a.int("high")
			return draw(a, func(c *call, shape []int) *nd.Array {
				return random.Integers(c.scope.Rand(), low, high, shape, nd.ArrayOptions{Device: c.scope.Device()})
			})
		})},
		{typ: "Randn", name: "randn", make: func(a *arguments) operation {
			mean, std := a.float("mu"), a.float("sigma")
			return draw(a, func(c *call, shape []int) *nd.Array { return random.Normal(c.scope.Rand(), mean, std, shape, c.like()) })
		}},
		{typ: "RandBinomial", name: "rand_binomial", make: logical(func(a *arguments) operation {
			n, p := a.int("n"), a.float("p")
			return draw(a, func(c *call, shape []int) *nd.Array {
				return random.Binomial(c.scope.Rand(), n, p, shape, nd.ArrayOptions{Device: c.scope.Device()})
			})
		})},
		{typ: "RandBeta", name: "rand_beta", make: func(a *arguments) operation {
			alpha, beta := a.float("alpha"), a.float("beta")
			return draw(a, func(c *call, shape []int) *nd.Array { return random.Beta(c.scope.Rand(), alpha, beta, shape, c.like()) })
		}},
		{typ: "RandGamma", name: "rand_gamma", make: func(a *arguments) operation {
			k, theta := a.float("k"), a.float("theta")
			return draw(a, func(c *call, shape []int) *nd.Array { return random.Gamma(c.scope.Rand(), k, theta, shape, c.like()) })
		}},
		{typ: "Dropout", name: "dropout", make: func(a *arguments) operation {
			p := a.float("p")
			return taking(1, 1, func(c *call) *nd.Array {
				if !c.scope.Training() {
					return c.in[0]
				}
				return ops.Dropout(c.in[0], p, c.scope.Rand())
			})
		}},
		{typ: "RandomChoice", name: "random_choice", make: func(a *arguments) operation {
			shape, o := a.ints("shape"), random.RowOptions{Replace: new(a.bool("replace"))}
			return taking(2, 2, func(c *call) *nd.Array { return random.ChoiceOfRows(c.scope.Rand(), c.in[0], c.in[1], shape, o) })
		}},
		{typ: "RandomCrop", name: "random_crop", make: func(a *arguments) operation {
			o := random.CropOptions{Shape: a.ints("shape"), BaseAxis: new(a.int("base_axis"))}
			return taking(1, 1, func(c *call) *nd.Array { return random.Crop(c.scope.Rand(), c.in[0], o) })
		}},
		{typ: "RandomFlip", name: "random_flip", make: func(a *arguments) operation {
			o := random.FlipOptions{Axes: a.axes("axes"), BaseAxis: new(a.int("base_axis"))}
			return taking(1, 1, func(c *call) *nd.Array { return random.Flip(c.scope.Rand(), c.in[0], o) })
		}},
		{typ: "RandomShift", name: "random_shift", make: func(a *arguments) operation {
			o := random.ShiftOptions{Shifts: a.ints("shifts"), BorderMode: random.BorderMode(a.text("border_mode", "nearest", "reflect", "constant")),
				ConstantValue: a.float("constant_value"), BaseAxis: new(a.int("base_axis"))}
			return taking(1, 1, func(c *call) *nd.Array { return random.Shift(c.scope.Rand(), c.in[0], o) })
		}},
		{typ: "RandomErase", name: "random_erase", make: func(a *arguments) operation {
			o := random.EraseOptions{Prob: new(a.float("prob")), AreaRatios: a.floats("area_ratios"), AspectRatios: a.floats("aspect_ratios"),
				Replacements: a.floats("replacements"), N: a.int("n"), Share: new(a.bool("share")), BaseAxis: new(a.int("base_axis")),
				ChannelLast: a.bool("channel_last"), STEFineGrained: new(a.bool("ste_fine_grained"))}
			return taking(1, 1, func(c *call) *nd.Array { return random.Erase(c.scope.Rand(), c.in[0], o) })
		}},
		{typ: "ImageAugmentation", name: "image_augmentation", make: augmentation},
	}
}

// draw makes an operation without inputs whose result has the shape in the arguments.
func draw(a *arguments, f func(c *call, shape []int) *nd.Array) operation {
	shape := a.shape("shape")
	return taking(0, 0, func(c *call) *nd.Array { return f(c, c.shape(shape)) })
}

func augmentation(a *arguments) operation {
	o := random.AugmentImageOptions{Shape: a.ints("shape"), MinScale: new(a.float("min_scale")), MaxScale: new(a.float("max_scale")),
		Angle: a.float("angle"), AspectRatio: new(a.float("aspect_ratio")), Distortion: a.float("distortion"), FlipLR: a.bool("flip_lr"),
		FlipUD: a.bool("flip_ud"), Brightness: a.float("brightness"), BrightnessEach: a.bool("brightness_each"),
		Contrast: new(a.float("contrast")), ContrastCenter: a.float("contrast_center"), ContrastEach: a.bool("contrast_each"), Noise: a.float("noise")}
	if pad := a.ints("pad"); len(pad) == 2 {
		o.Pad = [2]int(pad)
	} else if len(pad) > 0 {
		a.fail("the argument \"pad\" has %d numbers, want 2", len(pad))
	}
	return taking(1, 1, func(c *call) *nd.Array { return random.AugmentImage(c.scope.Rand(), c.in[0], o) })
}
