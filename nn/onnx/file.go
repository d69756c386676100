package onnx

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/internal/wire"
	"github.com/ndgrad/ndgrad/nn/model"
)

// File is an .onnx file.
type File struct {
	message modelMessage
	folder  string // "" if the file was read from bytes
	bytes   int
}

// LoadOptions are the options of Load, Read and File.Model.
type LoadOptions struct {
	// Params is the scope that receives the initializers: it chooses the device. Nil means a new scope on the CPU.
	Params *nn.Scope
	// BatchStatistics makes batch normalisation use the mean and the variance of the batch where the scope trains, and update
	// the running ones. By default a model that is trained further keeps its running statistics.
	BatchStatistics bool
}

// Load reads an .onnx file: it is Open and File.Model.
func Load(path string, opts ...LoadOptions) (*model.Model, error) {
	const fn nd.Func = "onnx.Load"
	o := options.Read(fn, opts)
	m, err := load(path, o)
	if err != nil {
		return nil, fmt.Errorf("onnx.Load: %s: %w", path, err)
	}
	return m, nil
}

// load makes the model while the file is open: its numbers are in memory only once.
func load(path string, o LoadOptions) (*model.Model, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	f, err := parse(file, info.Size())
	if err != nil {
		return nil, err
	}
	f.folder = filepath.Dir(path)
	return f.model(o)
}

// Open reads an .onnx file, and files with its tensors, which are in its folder or below it.
func Open(path string) (*File, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f, err := parse(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("onnx.Open: %s: %w", path, err)
	}
	f.folder = filepath.Dir(path)
	return f, nil
}

// Read reads the bytes of an .onnx file, which has no other files. The bytes must not change while the File is in use.
func Read(data []byte) (*File, error) {
	f, err := parse(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("onnx.Read: %w", err)
	}
	return f, nil
}

func parse(r io.ReaderAt, size int64) (*File, error) {
	f := &File{bytes: int(size)}
	if err := wire.Unmarshal(r, size, &f.message); err != nil {
		return nil, err
	}
	if f.message.Graph == nil {
		return nil, errors.New("the file has no graph")
	}
	return f, nil
}

// unmarshal reads a message from its bytes.
func unmarshal(data []byte, into any) error {
	return wire.Unmarshal(bytes.NewReader(data), int64(len(data)), into)
}

// Model returns the network of the file. It is an error if it cannot run: the error lists every operator, version and
// attribute that is missing, with its nodes.
func (f *File) Model(opts ...LoadOptions) (*model.Model, error) {
	const fn nd.Func = "File.Model"
	m, err := f.model(options.Read(fn, opts))
	if err != nil {
		return nil, fmt.Errorf("File.Model: %w", err)
	}
	return m, nil
}

func (f *File) model(o LoadOptions) (*model.Model, error) {
	if o.Params == nil {
		o.Params = nn.NewScope()
	}
	files := &externalFiles{known: map[string]bool{}}
	if f.folder != "" {
		root, err := os.OpenRoot(f.folder)
		if err != nil {
			return nil, err
		}
		defer root.Close()
		files.root = root
	}
	const (
		spare  = 64 << 20
		expand = 16
	)
	t := newTranslation(&f.message, o.Params, files, spare+expand*f.bytes)
	t.batchStatistics = o.BatchStatistics
	var m *model.Model
	var err error
	refused := nd.Catch(func() {
		var d *model.Definition
		if d, err = t.model(&f.message); err == nil {
			m, err = model.New(*d)
		}
	})
	if refused != nil {
		return nil, refused
	}
	return m, err
}

// Producer returns the name and the version of the program that wrote the file.
func (f *File) Producer() string {
	if f.message.ProducerVersion == "" {
		return f.message.ProducerName
	}
	return f.message.ProducerName + " " + f.message.ProducerVersion
}

// Metadata returns the texts that the file has by name, such as the words that the outputs of a classifier stand for.
func (f *File) Metadata() map[string]string {
	all := map[string]string{}
	for _, e := range f.message.MetadataProps {
		all[e.Key] = e.Value
	}
	return all
}

// Opset returns the version of a domain that the file uses; "" is ONNX's own. It is 0 if the file does not use the domain.
func (f *File) Opset(domain string) int { return versions(f.message.OpsetImport)[standard(domain)] }

// Info describes an input or an output.
type Info struct {
	Name string
	Type Type
}

// Inputs returns the inputs that a call must give: those without an initializer.
func (f *File) Inputs() []Info {
	initial := map[string]bool{}
	for _, t := range f.message.Graph.Initializer {
		initial[t.Name] = true
	}
	for _, t := range f.message.Graph.SparseInitializer {
		if t.Values != nil {
			initial[t.Values.Name] = true
		}
	}
	var all []Info
	for _, v := range f.message.Graph.Input {
		if !initial[v.Name] {
			all = append(all, infoOf(v))
		}
	}
	return all
}

// Outputs returns the outputs.
func (f *File) Outputs() []Info {
	var all []Info
	for _, v := range f.message.Graph.Output {
		all = append(all, infoOf(v))
	}
	return all
}

func infoOf(v *valueMessage) Info { return Info{v.Name, typeOf(v.Type)} }
