// Vae learns what handwritten digits look like, and draws new ones: a variational autoencoder. See README.md.
package main

import (
	"errors"
	"flag"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"

	"github.com/ndgrad/ndgrad/examples/internal/devices"
	"github.com/ndgrad/ndgrad/examples/internal/digits"
	"github.com/ndgrad/ndgrad/internal/wholefile"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
)

func main() {
	err := run(os.Args[1:], os.Stdout, os.Stderr)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "vae:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("vae", flag.ContinueOnError)
	flags.SetOutput(stderr)
	epochs := flags.Int("epochs", 60, "passes over the training images")
	seed := flags.Uint64("seed", 1, "seed of the initial weights, the order of the images, and all random numbers")
	out := flags.String("out", "", "write samples.png, retold.png and vae.npz into this `folder`")
	on := devices.Flag(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 || *epochs < 1 {
		return fmt.Errorf("-epochs %d, arguments %q: want a positive number of epochs, and no arguments", *epochs, flags.Args())
	}
	images, test, err := digits.Load()
	if err != nil {
		return err
	}
	dev, err := devices.Get(*on)
	if err != nil {
		return err
	}
	images, test = images.To(dev), test.To(dev)
	params := nn.NewScope(nn.ScopeOptions{Device: dev, Rand: nd.NewRand(*seed)})
	err = train(params, images.X, *epochs, *seed, func(epoch int, loss float64) {
		fmt.Fprintf(stdout, "epoch %*d/%d  loss %.3f\n", len(fmt.Sprint(*epochs)), epoch, *epochs, loss)
	})
	if err != nil || *out == "" {
		return err
	}
	return write(*out, params, test.X, nd.NewRand(*seed))
}

// write writes pictures and the parameters into a folder, which it creates. Every file is written completely or not at
// all.
func write(folder string, params *nn.Scope, test *nd.Array, rng *nd.Rand) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	const columns = 16
	some := test.Index(nd.Span(0, 5*columns))
	pairs := ops.Stack([]*nd.Array{some.Reshape(5, columns, -1), reconstructed(params, some).Reshape(5, columns, -1)}, ops.Over(1))
	if err := savePNG(filepath.Join(folder, "samples.png"), grid(samples(params, 10*columns, rng, test.Device()), columns)); err != nil {
		return err
	}
	if err := savePNG(filepath.Join(folder, "retold.png"), grid(pairs.Reshape(10*columns, -1), columns)); err != nil {
		return err
	}
	return nn.Save(filepath.Join(folder, "vae.npz"), params)
}

func savePNG(path string, picture image.Image) error {
	return wholefile.Write(path, func(w io.Writer) error { return png.Encode(w, picture) })
}
