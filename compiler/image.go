package compiler

import (
	"encoding/json"
	"strings"
)

// imageAsAnthropic returns an image in the form of the Messages API; what is none stays as it is.
func imageAsAnthropic(raw json.RawMessage) any {
	var p struct {
		Type  string `json:"type"`
		Image struct {
			URL string `json:"url"`
		} `json:"image_url"`
	}
	if json.Unmarshal(raw, &p) != nil || p.Type != "image_url" {
		return raw
	}
	source := map[string]string{"type": "url", "url": p.Image.URL}
	if media, data, inline := strings.Cut(strings.TrimPrefix(p.Image.URL, "data:"), ";base64,"); inline {
		source = map[string]string{"type": "base64", "media_type": media, "data": data}
	}
	return map[string]any{"type": "image", "source": source}
}

// imageAsOpenAI returns an image in the form of chat completions; what is none stays as it is.
func imageAsOpenAI(raw json.RawMessage) any {
	var p struct {
		Type   string `json:"type"`
		Source struct {
			Type      string `json:"type"`
			URL       string `json:"url"`
			MediaType string `json:"media_type"`
			Data      string `json:"data"`
		} `json:"source"`
	}
	if json.Unmarshal(raw, &p) != nil || p.Type != "image" {
		return raw
	}
	url := p.Source.URL
	if p.Source.Type == "base64" {
		url = "data:" + p.Source.MediaType + ";base64," + p.Source.Data
	}
	return map[string]any{"type": "image_url", "image_url": map[string]string{"url": url}}
}
