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

// scriptNames are the scripts that no module has a font of, as their Noto fonts call them.
var scriptNames = map[language.Script]string{
	language.Bengali: "Bengali", language.Devanagari: "Devanagari", language.Ethiopic: "Ethiopic", language.Gujarati: "Gujarati",
	language.Gurmukhi: "Gurmukhi", language.Kannada: "Kannada", language.Khmer: "Khmer", language.Malayalam: "Malayalam", language.Myanmar: "Myanmar",
	language.Oriya: "Oriya", language.Sinhala: "Sinhala", language.Tamil: "Tamil", language.Telugu: "Telugu", language.Thai: "Thai",
}

// cut is one font of a script.
type cut struct {
	script language.Script
	bold   bool
}

// file is the cut's place among the modules that npm installs.
func (c cut) file() string {
	weight := "400Regular"
	if c.bold {
		weight = "700Bold"
	}
	name := scriptNames[c.script]
	return fmt.Sprintf("@expo-google-fonts/noto-sans-%s/%s/NotoSans%s_%s.ttf", strings.ToLower(name), weight, name, weight)
}

// Fonts are the installed fonts of one script each, which a PDF takes beside those of the build. Each is read when a text first needs it.
type Fonts struct {
	cuts map[cut]func() (*font.Font, error)
}

// NewFonts takes the fonts from font/node_modules; a file that is not there leaves its script without a font.
func NewFonts(installed fs.FS) *Fonts {
	f := &Fonts{cuts: map[cut]func() (*font.Font, error){}}
	for script := range scriptNames {
		for _, c := range []cut{{script, false}, {script, true}} {
			f.cuts[c] = sync.OnceValues(func() (*font.Font, error) { return readFont(installed, c.file()) })
		}
	}
	return f
}

// readFont gives nil for a file that is not there.
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

// of gives nil where the script has no font.
func (f *Fonts) of(c cut) (*font.Font, error) {
	read := f.cuts[c]
	if read == nil {
		return nil, nil
	}
	return read()
}
