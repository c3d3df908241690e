// Package color compares colours by the contrast that readers need.
//
// Contrast is the ratio of WCAG 2, from 1 for the same luminance to 21 for black on white. Level AA
// asks for Readable.
package color

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
)

// Readable is the contrast that WCAG 2 asks for at level AA of text in normal size.
const Readable = 4.5

// RGB is a colour of sRGB.
type RGB struct{ R, G, B uint8 }

// White is the background of pages in the light scheme.
var White = RGB{255, 255, 255}

var pattern = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)

// Parse returns the colour that is written as #rrggbb, and reports whether it is one.
func Parse(text string) (RGB, bool) {
	if !pattern.MatchString(text) {
		return RGB{}, false
	}
	n, err := strconv.ParseUint(text[1:], 16, 32)
	return RGB{uint8(n >> 16), uint8(n >> 8), uint8(n)}, err == nil
}

// String returns the colour as #rrggbb in lower case.
func (c RGB) String() string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// Contrast returns the contrast of two colours.
func Contrast(a, b RGB) float64 {
	light, dark := a.luminance(), b.luminance()
	if light < dark {
		light, dark = dark, light
	}
	return (light + 0.05) / (dark + 0.05)
}

// luminance returns the relative luminance of WCAG 2, from 0 to 1.
func (c RGB) luminance() float64 {
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

func linear(channel uint8) float64 {
	v := float64(channel) / 255
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// ReadableOn returns the colour, mixed with as little white as it needs to be Readable on a dark
// background.
func (c RGB) ReadableOn(background RGB) RGB {
	for percent := range 100 {
		if mixed := c.lighter(percent); Contrast(mixed, background) >= Readable {
			return mixed
		}
	}
	return White
}

func (c RGB) lighter(percent int) RGB {
	mix := func(channel uint8) uint8 {
		return uint8(int(channel) + (255-int(channel))*percent/100)
	}
	return RGB{mix(c.R), mix(c.G), mix(c.B)}
}
