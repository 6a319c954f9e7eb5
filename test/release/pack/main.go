// Command pack writes the archives of a release: pack ARCHIVE FOLDER. The name
// of the archive says its kind: .tar.gz and .tgz, or .zip and .mcpb.
//
// The same folder gives the same bytes on every machine: entries are sorted,
// belong to nobody, are 0755 or 0644, and are as old as SOURCE_DATE_EPOCH says.
// tar and zip differ from system to system, and zip is often missing.
//
// It is called by .github/release/snapshot and lies here because go vet ./...
// does not look into folders that begin with a dot.
package main

import (
	"archive/tar"
	"archive/zip"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func main() {
	if err := run(os.Args[1:], os.Getenv("SOURCE_DATE_EPOCH")); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func run(args []string, epoch string) error {
	if len(args) != 2 {
		return errors.New("usage: pack ARCHIVE FOLDER")
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
	}
	write := writeZip
	if strings.HasSuffix(args[0], ".tar.gz") || strings.HasSuffix(args[0], ".tgz") {
		write = writeTar
	}
	out, err := os.Create(args[0])
	if err != nil {
		return err
	}
	err = write(out, os.DirFS(args[1]), time.Unix(seconds, 0).UTC())
	return errors.Join(err, out.Close())
}

func writeTar(out io.Writer, folder fs.FS, at time.Time) error {
	z, err := gzip.NewWriterLevel(out, gzip.BestCompression)
	if err != nil {
		return err
	}
	w := tar.NewWriter(z)
	err = each(folder, func(name string, mode fs.FileMode, data []byte) error {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: int64(mode), Size: int64(len(data)), ModTime: at}); err != nil {
			return err
		}
		_, err := w.Write(data)
		return err
	})
	return errors.Join(err, w.Close(), z.Close())
}

func writeZip(out io.Writer, folder fs.FS, at time.Time) error {
	w := zip.NewWriter(out)
	w.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(out, flate.BestCompression)
	})
	err := each(folder, func(name string, mode fs.FileMode, data []byte) error {
		h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: at}
		h.SetMode(mode)
		entry, err := w.CreateHeader(h)
		if err != nil {
			return err
		}
		_, err = entry.Write(data)
		return err
	})
	return errors.Join(err, w.Close())
}

// each visits the files below a folder in the order of their names. Anything
// that is neither a file nor a folder is an error.
func each(folder fs.FS, visit func(name string, mode fs.FileMode, data []byte) error) error {
	return fs.WalkDir(folder, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s is not a file", filepath.ToSlash(name))
		}
		data, err := fs.ReadFile(folder, name)
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if info.Mode()&0o100 != 0 {
			mode = 0o755
		}
		return visit(name, mode, data)
	})
}
