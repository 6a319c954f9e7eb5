package main

import (
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"toolpress/curate"
	"toolpress/generate/schema"
)

// What follows is of SARIF 2.1.0 (OASIS, section 3) what code hosts read: a log
// of one run, and in it a result for each finding.

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool struct {
		Driver sarifDriver `json:"driver"`
	} `json:"tool"`
	// ColumnKind: columns count characters, as YAML readers do (3.14.27).
	ColumnKind string        `json:"columnKind"`
	Results    []sarifResult `json:"results"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID string `json:"id"`
}

type sarifResult struct {
	RuleID       string             `json:"ruleId"`
	Level        string             `json:"level"`
	Message      sarifText          `json:"message"`
	Locations    []sarifLocation    `json:"locations"`
	Suppressions []sarifSuppression `json:"suppressions,omitempty"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifLocation struct {
	Physical *sarifPhysical `json:"physicalLocation,omitempty"`
	// Logical names what is in no file that is known (3.28.4, 3.33).
	Logical []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifLogical struct {
	Name string `json:"fullyQualifiedName"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn"`
}

// sarifSuppression is that a finding is accepted, where, and why (3.35).
type sarifSuppression struct {
	Kind          string `json:"kind"`
	Justification string `json:"justification"`
}

// printFindingsSARIF prints what was found of curations as one log.
func printFindingsSARIF(w io.Writer, findings curate.Findings) error {
	var results []sarifResult
	for _, f := range findings {
		results = append(results, sarifResultOf(f))
	}
	return printSARIF(w, results)
}

// printSARIF prints one log.
func printSARIF(w io.Writer, results []sarifResult) error {
	var run sarifRun
	run.Tool.Driver = sarifDriver{Name: "toolpress", Version: version(), Rules: []sarifRule{}}
	run.ColumnKind, run.Results = "unicodeCodePoints", append([]sarifResult{}, results...)
	for _, r := range results {
		if rule := (sarifRule{r.RuleID}); !slices.Contains(run.Tool.Driver.Rules, rule) {
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, rule)
		}
	}
	text, err := schema.Encode(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", text)
	return err
}

// sarifResultOf is one finding. What is said of something that is no file, such
// as the curation that serves without one, has no location.
func sarifResultOf(f curate.Finding) sarifResult {
	r := sarifResult{RuleID: f.ID, Level: string(f.Severity), Message: sarifText{f.Message}, Locations: []sarifLocation{}}
	if f.Hint != "" {
		r.Message.Text += "\n" + f.Hint
	}
	if f.Allowed != "" {
		r.Suppressions = []sarifSuppression{{"inSource", f.Allowed}}
	}
	if f.Pos.File == "" || strings.HasPrefix(f.Pos.File, "(") || strings.HasPrefix(f.Pos.File, "preset:") {
		return r
	}
	at := &sarifPhysical{Artifact: sarifArtifact{fileURI(f.Pos.File)}}
	if f.Pos.Line > 0 {
		at.Region = &sarifRegion{f.Pos.Line, max(f.Pos.Col, 1)}
	}
	r.Locations = append(r.Locations, sarifLocation{Physical: at})
	return r
}

// fileURI is a name as a reference (RFC 3986): relative as it was given, so that
// it is the file of the repository that check runs in; or file:// where it is
// absolute.
func fileURI(name string) string {
	u := url.URL{Path: filepath.ToSlash(filepath.Clean(name))}
	if filepath.IsAbs(name) {
		u.Scheme, u.Path = "file", "/"+strings.TrimPrefix(u.Path, "/")
	}
	return u.String()
}
