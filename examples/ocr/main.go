// Ocr reads the text in a picture with the three networks of PP-OCR: one finds lines, one tells which of them stand on their head,
// and one reads them. testing/onnx/fetch.sh fetches the models:
//
//	testing/onnx/fetch.sh /tmp/models
//	go run ./examples/ocr -models /tmp/models/rapidocr_onnxruntime/models -out boxes.png PICTURE.png
//
// It prints the lines from top to bottom, with how sure the network is, and draws the boxes around them into a copy of the picture.
package main

import (
	"flag"
	"fmt"
	"image"
	"image/draw"
	_ "image/gif"
	_ "image/jpeg"
	"image/png"
	"io"
	"os"

	"github.com/ndgrad/ndgrad/nd"
)

func main() {
	models := flag.String("models", "models", "folder with the models of the package rapidocr-onnxruntime")
	out := flag.String("out", "", "the picture with the boxes, as PNG")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(os.Stdout, *models, flag.Arg(0), *out); err != nil {
		fmt.Fprintln(os.Stderr, "ocr:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, models, path, out string) error {
	picture, err := open(path)
	if err != nil {
		return err
	}
	r, err := load(models)
	if err != nil {
		return err
	}
	var lines []line
	if err := nd.Catch(func() { lines = r.read(picture) }); err != nil {
		return err
	}
	for _, l := range lines {
		fmt.Fprintf(w, "%.2f  %s\n", l.confidence, l.text)
	}
	if out == "" {
		return nil
	}
	for _, l := range lines {
		l.box.draw(picture)
	}
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	if err := png.Encode(f, picture); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// open reads a picture.
func open(path string) (*image.RGBA, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	decoded, _, err := image.Decode(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	b := decoded.Bounds()
	picture := image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	draw.Draw(picture, picture.Bounds(), image.White, image.Point{}, draw.Src) // behind transparent pixels
	draw.Draw(picture, picture.Bounds(), decoded, b.Min, draw.Over)
	return picture, nil
}
