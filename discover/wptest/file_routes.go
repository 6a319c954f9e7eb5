package wptest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/http"
)

// Files gives the shop's plugin routes under bookshop/v1 that answer with files
// instead of data: a picture, a recording, a table, a page, a drawing, and a
// receipt that only who is logged in gets.
func Files() Option {
	return func(s *Site) { s.files = true }
}

// sent is an answer that is a file.
type sent struct {
	kind string
	name string // of an attachment; empty for what is shown
	data []byte
}

// leaflet, drawing and receipt are what the other routes answer.
const (
	leaflet = "<!DOCTYPE html>\n<html><head><title>Leaflet</title></head><body><p>Reading on Friday.</p></body></html>\n"
	drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"></svg>`
	receipt = "%%PDF-1.4\n%% receipt %d\n%%%%EOF\n"
)

func fileRoutes() []*route {
	anybody := func(*request) *fault { return nil }
	readers := func(r *request) *fault { return may(r.user.can("read")) }
	one := func(pattern string, methods []string, allowed func(*request) *fault, of func(*request) *sent) *route {
		return &route{pattern: pattern, endpoints: []*endpoint{{methods: methods, allowed: allowed, handle: func(r *request) (*answer, *fault) {
			f := of(r)
			a := (&answer{file: f}).set("Content-Type", f.kind)
			if f.name != "" {
				a.set("Content-Disposition", `attachment; filename="`+f.name+`"`)
			}
			return a, nil
		}}}}
	}
	return []*route{
		one(`/cover/(?P<id>[\d]+)`, reads, anybody, func(*request) *sent { return &sent{kind: "image/png", data: picture()} }),
		one(`/sample/(?P<id>[\d]+)`, reads, anybody, func(*request) *sent { return &sent{kind: "audio/wav", data: silence()} }),
		one("/price-list", reads, anybody, priceList),
		one("/leaflet", reads, anybody, func(*request) *sent { return &sent{kind: "text/html; charset=UTF-8", data: []byte(leaflet)} }),
		one("/logo", reads, anybody, func(*request) *sent { return &sent{kind: "image/svg+xml", data: []byte(drawing)} }),
		one(`/receipt/(?P<id>[\d]+)`, []string{http.MethodGet, http.MethodPost}, readers, func(r *request) *sent {
			id := r.integer("id")
			return &sent{"application/pdf", fmt.Sprintf("receipt-%d.pdf", id), fmt.Appendf(nil, receipt, id)}
		}),
	}
}

func priceList(*request) *sent {
	var b bytes.Buffer
	b.WriteString("id,price\n")
	for _, book := range shelf {
		fmt.Fprintf(&b, "%d,%.2f\n", book.id, book.price)
	}
	return &sent{"text/csv; charset=UTF-8", "price-list.csv", b.Bytes()}
}

// silence is a WAV file of a hundredth of a second.
func silence() []byte {
	samples := make([]byte, 80)
	b := []byte("RIFF")
	b = binary.LittleEndian.AppendUint32(b, uint32(36+len(samples)))
	b = append(b, "WAVEfmt "...)
	for _, v := range []uint32{16, 1 | 1<<16, 8000, 8000, 1 | 8<<16} { // PCM, one channel, 8 bits
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	b = append(b, "data"...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(samples)))
	for i := range samples {
		samples[i] = 0x80
	}
	return append(b, samples...)
}
