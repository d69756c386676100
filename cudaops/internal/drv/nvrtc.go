//go:build cuda && linux

package drv

/*
#include <stdlib.h>

typedef struct {
	int (*version)(int *, int *);
	int (*create)(void **, const char *, const char *, int, const char *const *, const char *const *);
	int (*compile)(void *, int, const char *const *);
	int (*log_size)(void *, size_t *);
	int (*log)(void *, char *);
	int (*ptx_size)(void *, size_t *);
	int (*ptx)(void *, char *);
	int (*cubin_size)(void *, size_t *);
	int (*cubin)(void *, char *);
	int (*destroy)(void **);
	const char *(*text)(int);
} compiler;

static int compiler_version(compiler *n, int *major, int *minor) { return n->version(major, minor); }
static const char *compiler_text(compiler *n, int code) { return n->text(code); }

// compile stores the image and the log, which the caller frees, and returns NVRTC's result.
static int compile(compiler *n, const char *source, const char *name, int options, const char **option, int cubin,
	char **image, size_t *bytes, char **log) {
	void *program = NULL;
	size_t size = 0;
	int code = n->create(&program, source, name, 0, NULL, NULL);
	if (code) return code;
	code = n->compile(program, options, option);
	if (!n->log_size(program, &size) && size > 0) {
		*log = calloc(size + 1, 1);
		n->log(program, *log);
	}
	if (!code) code = cubin ? n->cubin_size(program, bytes) : n->ptx_size(program, bytes);
	if (!code) {
		*image = malloc(*bytes + 1);
		code = cubin ? n->cubin(program, *image) : n->ptx(program, *image);
	}
	n->destroy(&program);
	return code;
}
*/
import "C"

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"unsafe"
)

// nvrtc is the compiler, which needs neither a GPU nor a driver.
var nvrtc = sync.OnceValues(func() (*C.compiler, error) {
	handle, err := library("libnvrtc")
	if err != nil {
		return nil, err
	}
	found, err := symbols(handle, "nvrtcVersion", "nvrtcCreateProgram", "nvrtcCompileProgram", "nvrtcGetProgramLogSize", "nvrtcGetProgramLog",
		"nvrtcGetPTXSize", "nvrtcGetPTX", "nvrtcGetCUBINSize", "nvrtcGetCUBIN", "nvrtcDestroyProgram", "nvrtcGetErrorString")
	if err != nil {
		return nil, err
	}
	c := (*C.compiler)(C.malloc(C.sizeof_compiler))
	copy(unsafe.Slice((*unsafe.Pointer)(unsafe.Pointer(c)), len(found)), found)
	return c, nil
})

// CompilerVersion returns NVRTC's version.
func CompilerVersion() (major, minor int, err error) {
	c, err := nvrtc()
	if err != nil {
		return 0, 0, err
	}
	var a, b C.int
	err = compilerFailure(c, "nvrtcVersion", C.compiler_version(c, &a, &b))
	return int(a), int(b), err
}

func compilerFailure(c *C.compiler, call string, code C.int) error {
	if code == 0 {
		return nil
	}
	return &Error{Call: call, Code: int(code), Name: "NVRTC_ERROR", Text: C.GoString(C.compiler_text(c, code))}
}

// Compile compiles CUDA C++ to PTX or, if an option names an architecture sm_…, to the code of that architecture. The
// log holds NVRTC's messages.
func Compile(source, name string, options []string) (image []byte, log string, err error) {
	c, err := nvrtc()
	if err != nil {
		return nil, "", err
	}
	var texts []*C.char
	text := func(s string) *C.char {
		texts = append(texts, C.CString(s))
		return texts[len(texts)-1]
	}
	defer func() {
		for _, t := range texts {
			C.free(unsafe.Pointer(t))
		}
	}()
	list := (*[1 << 16]*C.char)(C.calloc(C.size_t(len(options)+1), C.size_t(unsafe.Sizeof(uintptr(0)))))
	defer C.free(unsafe.Pointer(list))
	for i, o := range options {
		list[i] = text(o)
	}
	cubin := C.int(0)
	if slices.ContainsFunc(options, func(o string) bool { return strings.Contains(o, "=sm_") }) {
		cubin = 1
	}
	var at, said *C.char
	var bytes C.size_t
	code := C.compile(c, text(source), text(name), C.int(len(options)), &list[0], cubin, &at, &bytes, &said)
	if said != nil {
		log = C.GoString(said)
		C.free(unsafe.Pointer(said))
	}
	if at != nil {
		image = C.GoBytes(unsafe.Pointer(at), C.int(bytes))
		C.free(unsafe.Pointer(at))
	}
	if err := compilerFailure(c, "nvrtcCompileProgram", code); err != nil {
		return nil, log, fmt.Errorf("%s: %w", name, err)
	}
	return image, log, nil
}
