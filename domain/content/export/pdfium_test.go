package export

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// pdfiumPool starts pdfium once; it uses the compiled module that the program caches, if there is
// one.
var pdfiumPool = sync.OnceValues(func() (pdfium.Pool, error) {
	config := wazero.NewRuntimeConfig().
		WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling)
	if folder, err := os.UserCacheDir(); err == nil {
		if cache, err := wazero.NewCompilationCacheWithDir(filepath.Join(folder, "rostrum")); err == nil {
			config = config.WithCompilationCache(cache)
		}
	}
	return webassembly.Init(webassembly.Config{MaxIdle: 1, MaxTotal: 1, RuntimeConfig: config})
})

// readPDF reads the text of all pages with pdfium, the engine of Chromium's viewer.
func readPDF(t *testing.T, data []byte) string {
	t.Helper()
	pool, err := pdfiumPool()
	if err != nil {
		t.Fatal(err)
	}
	instance, err := pool.GetInstance(time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	defer instance.Close()
	file, err := instance.OpenDocument(&requests.OpenDocument{File: &data})
	if err != nil {
		t.Fatal(err)
	}
	count, err := instance.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: file.Document})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for i := range count.PageCount {
		index := requests.Page{ByIndex: &requests.PageByIndex{Document: file.Document, Index: i}}
		page, err := instance.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: index})
		if err != nil {
			t.Fatal(err)
		}
		count, err := instance.FPDFText_CountChars(&requests.FPDFText_CountChars{TextPage: page.TextPage})
		if err != nil {
			t.Fatal(err)
		}
		var units []uint16
		for at := range count.Count {
			char, err := instance.FPDFText_GetUnicode(&requests.FPDFText_GetUnicode{TextPage: page.TextPage, Index: at})
			if err != nil {
				t.Fatal(err)
			}
			units = append(units, uint16(char.Unicode)) // pdfium gives UTF-16
		}
		out.WriteString(string(utf16.Decode(units)))
	}
	return out.String()
}
