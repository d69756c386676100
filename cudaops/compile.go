package cudaops

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/ndgrad/ndgrad/cudaops/internal/drv"
	"github.com/ndgrad/ndgrad/cudaops/kernels"
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/wholefile"
)

// When a program is worth compiling. Compiling takes a tenth of a second or more, in the background.
const (
	timesUntilPrinted    = 8
	elementsUntilPrinted = 1 << 22
)

// printing is the form in which programs run: $NDGRAD_CUDA_PROGRAMS.
type printing int

const (
	printOften printing = iota // programs that run often are compiled, in the background
	printNever                 // "interpret"
	printFirst                 // "print": every program is compiled, and waited for, when it first runs
)

func printingOf(setting string) printing {
	return map[string]printing{"interpret": printNever, "print": printFirst}[setting]
}

// translation is the compiled form of a program for a layout on a device. Until its function is available the program
// is interpreted, for good if compiling fails.
type translation struct {
	runs     atomic.Int64
	begun    atomic.Bool
	function atomic.Uintptr // a drv.Function
}

// translationKey is the key of a translation of a program. In reductions, how and post say how the program's values are
// combined and processed.
type translationKey struct {
	layout layout
	how    device.Combine
	post   *device.Program
}

// translations are the translations of a program on a device. translationsKey is their key among the compiled forms of
// the program.
type translations struct {
	mu sync.RWMutex
	of map[translationKey]*translation
}
type translationsKey struct{ device *Device }

// translation returns the translation of a program for a layout. Finding an existing one allocates nothing.
func (d *Device) translation(p *device.Program, key translationKey) *translation {
	all := p.Compiled(translationsKey{d}, newTranslations).(*translations)
	all.mu.RLock()
	t := all.of[key]
	all.mu.RUnlock()
	if t != nil {
		return t
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	if t = all.of[key]; t == nil {
		t = new(translation)
		all.of[key] = t
	}
	return t
}

func newTranslations() any { return &translations{of: map[translationKey]*translation{}} }

// isDue returns true once, when a program that runs over the given number of points should be compiled.
func (t *translation) isDue(d *Device, points int) bool {
	runs := t.runs.Add(1)
	if d.printing == printNever || d.printing == printOften && runs < timesUntilPrinted && points < elementsUntilPrinted {
		return false
	}
	return t.begun.CompareAndSwap(false, true)
}

// make compiles a text, in the background unless programs are compiled when they first run.
func (t *translation) make(d *Device, text string) {
	if d.printing == printFirst {
		t.compile(d, programSource(text))
	} else {
		go t.compile(d, programSource(text))
	}
}

// compiled returns the function, or 0 if there is none.
func (t *translation) compiled() drv.Function { return drv.Function(t.function.Load()) }

// compiling is held while a program is compiled: one at a time, so that the other processors stay available.
var compiling sync.Mutex

func (t *translation) compile(d *Device, source string) {
	compiling.Lock()
	defer compiling.Unlock()
	image, err := compiled(source)
	if err != nil {
		return // the program is interpreted instead
	}
	m, err := d.context.LoadModule(image)
	if err != nil {
		return
	}
	f, err := d.context.Function(m, printedName)
	if err == nil {
		t.function.Store(uintptr(f))
	}
}

// preamble returns the headers that a printed program needs, as one text. It is empty without the tag cuda.
var preamble = sync.OnceValue(func() string {
	text, _ := kernels.Source("printed.cuh")
	return text
})

// programSource returns the complete text for NVRTC.
func programSource(kernel string) string { return preamble() + kernel }

// compiled returns the PTX that NVRTC compiles from a text. It reads it from the disk if it was compiled before.
func compiled(source string) ([]byte, error) {
	major, minor, err := drv.CompilerVersion()
	if err != nil {
		return nil, err
	}
	options := append([]string{kernels.Architecture}, kernels.Options()...)
	file := cacheFile(source, options, major, minor)
	if image, ok := readCached(file); ok {
		return image, nil
	}
	image, _, err := drv.Compile(source, "program.cu", options)
	if err == nil {
		writeCached(file, image)
	}
	return image, err
}

// cacheFile returns the file name for a compiled text, which covers everything that the PTX depends on. It is empty if
// there is no cache folder.
func cacheFile(source string, options []string, major, minor int) string {
	folder, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d.%d %q\n%s", major, minor, options, source))
	return filepath.Join(folder, "ndgrad", "cuda", "programs", fmt.Sprintf("%x", sum))
}

// readCached returns the content of a file before its checksum, if the checksum is right.
func readCached(file string) ([]byte, bool) {
	content, err := os.ReadFile(file)
	if err != nil || len(content) < sha256.Size {
		return nil, false
	}
	image, sum := content[:len(content)-sha256.Size], content[len(content)-sha256.Size:]
	want := sha256.Sum256(image)
	return image, bytes.Equal(sum, want[:])
}

// emulatorMark is the prefix of images of the emulator's NVRTC, which name a file of this process.
const emulatorMark = "NDGRAD-EMULATOR-SO:"

// writeCached stores an image with its checksum. If that fails, the program is compiled again another time.
func writeCached(file string, image []byte) {
	if file == "" || bytes.HasPrefix(image, []byte(emulatorMark)) || os.MkdirAll(filepath.Dir(file), 0o755) != nil {
		return
	}
	sum := sha256.Sum256(image)
	_ = wholefile.Write(file, func(w io.Writer) error {
		_, err := w.Write(append(bytes.Clone(image), sum[:]...))
		return err
	})
}
