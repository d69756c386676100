package main

import (
	"fmt"
	"html"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/bench"
	"github.com/ndgrad/ndgrad/internal/wholefile"
)

// drawing is an SVG with its own background, so that it is readable on light and dark pages, in the viewer's sans serif
// font.
type drawing struct{ out strings.Builder }

func (d *drawing) text(x, y float64, style, text string) {
	fmt.Fprintf(&d.out, "<text x=\"%.4g\" y=\"%.4g\" class=\"%s\">%s</text>\n", x, y, style, html.EscapeString(text))
}

func (d *drawing) line(x1, y1, x2, y2 float64, style string) {
	fmt.Fprintf(&d.out, "<line x1=\"%.4g\" y1=\"%.4g\" x2=\"%.4g\" y2=\"%.4g\" class=\"%s\"/>\n", x1, y1, x2, y2, style)
}

func (d *drawing) circle(x, y, r float64, style string) {
	fmt.Fprintf(&d.out, "<circle cx=\"%.4g\" cy=\"%.4g\" r=\"%.4g\" class=\"%s\"/>\n", x, y, r, style)
}

func (d *drawing) rect(x, y, w, h float64, style string) {
	fmt.Fprintf(&d.out, "<rect x=\"%.4g\" y=\"%.4g\" width=\"%.4g\" height=\"%.4g\" class=\"%s\"/>\n", x, y, w, h, style)
}

// These are positions and sizes in the picture, in pixels.
const (
	pictureWidth    = 800.0
	plotLeft        = 205.0
	plotRight       = 640.0
	rowsTop         = 112.0
	rowHeight       = 27.0
	releasedColumn  = 705.0 // where the numbers end
	droppedColumn   = 775.0
	least, most     = 0.25, 16.0 // of the axis; ratios beyond are drawn at its end
	roundedCorners  = 8.0
	captionDistance = 50.0
)

const styles = `
.ground { fill: #ffffff; stroke: #c8ccd2 }
.slower { fill: #f6eeee }
.band { fill: #f1f4f8 }
text { font: 13px "Segoe UI", Helvetica, Arial, "Liberation Sans", sans-serif; fill: #1f2328 }
.title { font-size: 17px; font-weight: 600 }
.note { font-size: 12px; fill: #57606a }
.middle { font-size: 12px; fill: #57606a; text-anchor: middle }
.end, .endbold { text-anchor: end }
.bold, .endbold { font-weight: 600 }
.released { fill: #1668b0; stroke: #1668b0 }
.dropped { fill: #cc5500; stroke: #cc5500 }
.span { stroke-width: 2; stroke-opacity: 0.35 }
.grid { stroke: #dfe3e8 }
.even { stroke: #57606a; stroke-width: 1.5 }
`

// axis returns the x coordinate of a ratio.
func axis(ratio float64) float64 {
	ratio = min(max(ratio, least), most)
	return plotLeft + (plotRight-plotLeft)*math.Log(ratio/least)/math.Log(most/least)
}

// draw writes the picture of a comparison: how many times as fast as the better peer, by group.
func (s saved) draw(out io.Writer, how string) error {
	bars := s.bars()
	bottom := rowsTop + rowHeight*float64(len(bars))
	height := bottom + captionDistance + 40
	d := new(drawing)
	fmt.Fprintf(&d.out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" viewBox=\"0 0 %[1]g %[2]g\" role=\"img\">\n", pictureWidth, height)
	fmt.Fprintf(&d.out, "<title>ndgrad beside the better of NumPy and PyTorch, by group of cases</title>\n<style>%s</style>\n", styles)
	fmt.Fprintf(&d.out, "<rect x=\"0.5\" y=\"0.5\" width=\"%g\" height=\"%g\" rx=\"%g\" class=\"ground\"/>\n", pictureWidth-1, height-1, roundedCorners)

	d.text(20, 32, "title", "How many times as fast as the better of NumPy and PyTorch")
	d.circle(26, 54, 5, "released")
	d.text(37, 58.5, "", "results released, as Python does")
	d.circle(264, 54, 5, "dropped")
	d.text(275, 58.5, "", "never released: left to the garbage collector")
	note := "Dots are geometric means, lines reach from the slowest case of a group to the fastest."
	if slices.ContainsFunc(s.cases, func(c savedCase) bool { return bench.Program.MatchString(c.name) }) {
		note += " Programs and calls in a row are not among all cases."
	}
	d.text(20, 80, "note", note)

	d.rect(plotLeft, rowsTop, axis(1)-plotLeft, bottom-rowsTop, "slower")
	d.rect(12, rowsTop, pictureWidth-24, rowHeight, "band")
	for ratio := least; ratio <= most; ratio *= 2 {
		style, label := "grid", fmt.Sprint(ratio)
		switch ratio {
		case 1:
			style = "even"
		case least:
			label = "≤ " + label
		case most:
			label = "≥ " + label
		}
		d.line(axis(ratio), rowsTop, axis(ratio), bottom+5, style)
		d.text(axis(ratio), bottom+20, "middle", label)
	}
	d.text((plotLeft+axis(1))/2, bottom+37, "middle", "slower")
	d.text((axis(1)+plotRight)/2, bottom+37, "middle", "faster")
	d.text(releasedColumn, rowsTop-8, "note end", "released")
	d.text(droppedColumn, rowsTop-8, "note end", "never")

	for i, b := range bars {
		y := rowsTop + rowHeight*(float64(i)+0.5)
		left, number := "", "end"
		if i == 0 {
			left, number = "bold", "endbold"
		}
		d.text(20, y+4.5, left, fmt.Sprintf("%s (%d)", b.title, max(len(b.released), len(b.dropped))))
		for k, ratios := range [][]float64{b.released, b.dropped} {
			if len(ratios) == 0 {
				continue
			}
			style, at, column := "released", y-4.5, releasedColumn
			if k == 1 {
				style, at, column = "dropped", y+4.5, droppedColumn
			}
			d.line(axis(slices.Min(ratios)), at, axis(slices.Max(ratios)), at, style+" span")
			d.circle(axis(geometricMean(ratios)), at, 4.5, style)
			d.text(column, y+4.5, number, fmt.Sprintf("%.2f", geometricMean(ratios)))
		}
	}
	if s.command != "" {
		s.facts = append([]string{"measured by " + s.command}, s.facts...)
	}
	d.text(20, bottom+captionDistance+10, "note", strings.Join(s.facts, "; "))
	d.text(20, bottom+captionDistance+27, "note", "drawn by "+how)
	_, err := io.WriteString(out, d.out.String()+"</svg>\n")
	return err
}

// plot draws the printed table, or a saved one.
func (o options) plot(printed io.Reader) error {
	how := "go run ./bench/compare"
	if o.table != "" {
		f, err := os.Open(o.table)
		if err != nil {
			return err
		}
		defer f.Close()
		printed, how = f, how+" -table "+o.table
	}
	s, err := readSaved(printed)
	if err != nil {
		return err
	}
	return wholefile.Write(o.picture, func(w io.Writer) error { return s.draw(w, how+" -plot "+o.picture) })
}
