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

// When a program is worth compiling: that takes a tenth of a second or more, in the background.
const (
	timesUntilPrinted    = 8
	elementsUntilPrinted = 1 << 22
)

// printing says which form programs run in: $NDGRAD_CUDA_PROGRAMS.
type printing int

const (
	printOften printing = iota // what runs often is compiled, in the background
	printNever                 // "interpret"
	printFirst                 // "print": all is compiled when it first runs, and waited for
)

func printingOf(setting string) printing {
	return map[string]printing{"interpret": printNever, "print": printFirst}[setting]
}

// translation is a program for a layout on a device. Until its function is there, and for good where it cannot be had, the program is
// interpreted.
type translation struct {
	runs     atomic.Int64
	begun    atomic.Bool
	function atomic.Uintptr // a drv.Function
}

// translationKey names a translation among those of a program: how and post, of reductions, say what is done with its values.
type translationKey struct {
	layout layout
	how    device.Combine
	post   *device.Program
}

// translations are those of a program on a device, which translationsKey names among what was made of the program.
type translations struct {
	mu sync.RWMutex
	of map[translationKey]*translation
}
type translationsKey struct{ device *Device }

// translation returns that of a program for a layout. To find it again takes no memory.
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

// isDue reports, once, that a program which runs over so many points is to be compiled.
func (t *translation) isDue(d *Device, points int) bool {
	runs := t.runs.Add(1)
	if d.printing == printNever || d.printing == printOften && runs < timesUntilPrinted && points < elementsUntilPrinted {
		return false
	}
	return t.begun.CompareAndSwap(false, true)
}

// make compiles a text, in the background unless everything is compiled when it first runs.
func (t *translation) make(d *Device, text string) {
	if d.printing == printFirst {
		t.compile(d, programSource(text))
	} else {
		go t.compile(d, programSource(text))
	}
}

// compiled returns the function, or 0.
func (t *translation) compiled() drv.Function { return drv.Function(t.function.Load()) }

// compiling is held by the one program that is being compiled: others of the machine's processors have something else to do.
var compiling sync.Mutex

func (t *translation) compile(d *Device, source string) {
	compiling.Lock()
	defer compiling.Unlock()
	image, err := compiled(source)
	if err != nil {
		return // there is the interpreter
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

// preamble are the headers that a printed program needs, in one text. It is empty without the tag cuda, as nothing runs then.
var preamble = sync.OnceValue(func() string {
	text, _ := kernels.Source("printed.cuh")
	return text
})

// programSource returns a whole text for NVRTC.
func programSource(kernel string) string { return preamble() + kernel }

// compiled returns the PTX that NVRTC makes of a text: from the disk, if it was made before.
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

// cacheFile names what was compiled by all that it depends on. It is empty where there is no folder for it.
func cacheFile(source string, options []string, major, minor int) string {
	folder, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d.%d %q\n%s", major, minor, options, source))
	return filepath.Join(folder, "ndgrad", "cuda", "programs", fmt.Sprintf("%x", sum))
}

// readCached returns what a file holds before its sum, if that is right.
func readCached(file string) ([]byte, bool) {
	content, err := os.ReadFile(file)
	if err != nil || len(content) < sha256.Size {
		return nil, false
	}
	image, sum := content[:len(content)-sha256.Size], content[len(content)-sha256.Size:]
	want := sha256.Sum256(image)
	return image, bytes.Equal(sum, want[:])
}

// standInMark is how images of the stand-in for NVRTC begin, which name a file of this process.
const standInMark = "NDGRAD-EMULATOR-SO:"

// writeCached keeps an image with its sum. Where that fails it is compiled again another time.
func writeCached(file string, image []byte) {
	if file == "" || bytes.HasPrefix(image, []byte(standInMark)) || os.MkdirAll(filepath.Dir(file), 0o755) != nil {
		return
	}
	sum := sha256.Sum256(image)
	_ = wholefile.Write(file, func(w io.Writer) error {
		_, err := w.Write(append(bytes.Clone(image), sum[:]...))
		return err
	})
}
