package color

import (
	"math"
	"testing"
)

func TestContrast(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		color string
		want  float64 // on white
	}{{"#000000", 21}, {"#ffffff", 1}, {"#767676", 4.54}, {"#777777", 4.48}, {"#1D4ED8", 6.70}, {"#ffcc00", 1.51}} {
		parsed, ok := Parse(c.color)
		if got := Contrast(parsed, White); !ok || math.Abs(got-c.want) > 0.01 {
			t.Errorf("%s on white has the contrast %.2f, want %.2f", c.color, got, c.want)
		}
		if Contrast(parsed, White) != Contrast(White, parsed) {
			t.Errorf("the contrast of %s depends on the order", c.color)
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "red", "#fff", "#12345g", "#1234567", " #123456", "#123456\n", "rgb(0,0,0)"} {
		if got, ok := Parse(text); ok {
			t.Errorf("%q is read as %s", text, got)
		}
	}
	if got, ok := Parse("#0A0b0C"); !ok || got.String() != "#0a0b0c" {
		t.Errorf("got %s", got)
	}
}

// TestReadableOn tries 4,096 colours on the background of the dark scheme.
func TestReadableOn(t *testing.T) {
	t.Parallel()
	dark := RGB{0x15, 0x17, 0x1a}
	for r := 0; r < 256; r += 17 {
		for g := 0; g < 256; g += 17 {
			for b := 0; b < 256; b += 17 {
				c := RGB{uint8(r), uint8(g), uint8(b)}
				got := c.ReadableOn(dark)
				if Contrast(got, dark) < Readable {
					t.Fatalf("%s becomes %s, which is not readable", c, got)
				}
				if Contrast(c, dark) >= Readable && got != c {
					t.Fatalf("%s is readable and became %s", c, got)
				}
			}
		}
	}
}
