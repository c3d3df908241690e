package export

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/language"
)

// The font families for East Asian text.
const (
	chineseFamily  = "Hans"
	japaneseFamily = "JP"
	koreanFamily   = "KR"
)

// arabicFamily is the font family of Arabic and of the scripts that share its letters.
const arabicFamily = "Arabic"

// scriptFamilies maps each script whose font npm installs to the name of its Noto Sans family. Han
// maps to the Chinese family.
var scriptFamilies = map[language.Script]string{
	language.Arabic: arabicFamily, language.Bengali: "Bengali", language.Devanagari: "Devanagari",
	language.Ethiopic: "Ethiopic",
	language.Gujarati: "Gujarati", language.Gurmukhi: "Gurmukhi", language.Han: chineseFamily,
	language.Hangul:   koreanFamily,
	language.Hiragana: japaneseFamily, language.Kannada: "Kannada", language.Katakana: japaneseFamily,
	language.Khmer:     "Khmer",
	language.Malayalam: "Malayalam", language.Myanmar: "Myanmar", language.Oriya: "Oriya", language.Sinhala: "Sinhala",
	language.Tamil:  "Tamil",
	language.Telugu: "Telugu", language.Thai: "Thai",
}

// eastAsianPackages maps East Asian families to their npm packages.
var eastAsianPackages = map[string]string{
	chineseFamily: "@embedpdf/fonts-sc", japaneseFamily: "@embedpdf/fonts-jp", koreanFamily: "@embedpdf/fonts-kr",
}

// fontKey identifies an installed font.
type fontKey struct {
	family string
	bold   bool
}

// path returns the font's path below node_modules.
func (k fontKey) path() string {
	weight, style := "400", "Regular"
	if k.bold {
		weight, style = "700", "Bold"
	}
	if pkg := eastAsianPackages[k.family]; pkg != "" {
		return fmt.Sprintf("%s/fonts/NotoSans%s-%s.otf", pkg, k.family, style)
	}
	return fmt.Sprintf("@expo-google-fonts/noto-sans-%s/%[2]s%[3]s/NotoSans%[4]s_%[2]s%[3]s.ttf",
		strings.ToLower(k.family), weight, style, k.family)
}

// Fonts are the installed fonts that PDFs use in addition to the embedded ones. A font is read when
// a text first needs it.
type Fonts struct {
	loaders map[fontKey]func() (*font.Font, error)
}

// NewFonts returns the fonts of font/node_modules. Scripts whose file is missing have no font.
func NewFonts(installed fs.FS) *Fonts {
	f := &Fonts{loaders: map[fontKey]func() (*font.Font, error){}}
	for _, family := range scriptFamilies {
		for _, key := range []fontKey{{family, false}, {family, true}} {
			f.loaders[key] = sync.OnceValues(func() (*font.Font, error) { return readFont(installed, key.path()) })
		}
	}
	return f
}

// readFont returns nil if the file does not exist.
func readFont(installed fs.FS, name string) (*font.Font, error) {
	data, err := fs.ReadFile(installed, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read a font: %w", err)
	}
	face, err := font.ParseTTF(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("parse the font %s: %w", name, err)
	}
	return face.Font, nil
}

// load returns the font, and nil if it is not installed. It returns an error if the file is not a
// font.
func (f *Fonts) load(key fontKey) (*font.Font, error) {
	load := f.loaders[key]
	if load == nil {
		return nil, nil
	}
	return load()
}
