package conversation

import (
	"encoding/json"
	"strings"
)

// mediaIn returns a part that is neither text nor call nor result as the content of a format has it: an image in its form, thinking only in
// the format that it came in, and an unknown part as it is within OpenAI's and Anthropic's, else as text. ok is false for a part that says
// nothing there.
func (m *Message) mediaIn(f Format, p *Part) (content any, ok bool) {
	if p.Kind == Thinking {
		return p.Raw, m.of == f
	}
	if im, is := readImage(p.Raw); is && im.form == f {
		return p.Raw, true
	} else if is {
		return im.as(f), true
	}
	if m.of == OpenAI || m.of == Anthropic {
		return p.Raw, true
	}
	return map[string]any{"type": "text", "text": p.Text}, p.Text != ""
}

// image is a picture by its address, or with its bytes in base64.
type image struct {
	form                 Format
	url, mediaType, data string
}

// readImage reads a picture in any of the formats.
func readImage(raw json.RawMessage) (im image, is bool) {
	var p struct {
		Type     string          `json:"type"`
		ImageURL json.RawMessage `json:"image_url"` // of chat completions an object, of Responses a string
		Source   struct {
			Type      string `json:"type"`
			URL       string `json:"url"`
			MediaType string `json:"media_type"`
			Data      string `json:"data"`
		} `json:"source"` // of Anthropic
		Image struct {
			Format string `json:"format"`
			Source struct {
				Bytes string `json:"bytes"`
			} `json:"source"`
		} `json:"image"` // of Bedrock
		Inline struct {
			MediaType string `json:"mimeType"`
			Data      string `json:"data"`
		} `json:"inlineData"` // of Gemini
	}
	if json.Unmarshal(raw, &p) != nil {
		return im, false
	}
	switch {
	case p.Type == "image_url":
		return addressed(OpenAI, p.ImageURL)
	case p.Type == "input_image":
		return addressed(Responses, p.ImageURL)
	case p.Type == "image" && p.Source.Type == "base64":
		return image{form: Anthropic, mediaType: p.Source.MediaType, data: p.Source.Data}, true
	case p.Type == "image":
		return image{form: Anthropic, url: p.Source.URL}, true
	case p.Image.Source.Bytes != "":
		return image{form: Bedrock, mediaType: "image/" + p.Image.Format, data: p.Image.Source.Bytes}, true
	case strings.HasPrefix(p.Inline.MediaType, "image/"):
		return image{form: Gemini, mediaType: p.Inline.MediaType, data: p.Inline.Data}, true
	}
	return im, false
}

// addressed reads a picture by its address, which may hold the bytes.
func addressed(form Format, raw json.RawMessage) (image, bool) {
	var object struct {
		URL string `json:"url"`
	}
	if json.Unmarshal(raw, &object.URL) != nil && json.Unmarshal(raw, &object) != nil {
		return image{}, false
	}
	if media, data, inline := strings.Cut(strings.TrimPrefix(object.URL, "data:"), ";base64,"); inline {
		return image{form: form, mediaType: media, data: data}, true
	}
	return image{form: form, url: object.URL}, true
}

// as writes a picture in the form of chat completions, or of the Messages API.
func (im image) as(f Format) any {
	if f == Anthropic {
		source := map[string]string{"type": "url", "url": im.url}
		if im.data != "" {
			source = map[string]string{"type": "base64", "media_type": im.mediaType, "data": im.data}
		}
		return map[string]any{"type": "image", "source": source}
	}
	if im.data != "" {
		im.url = "data:" + im.mediaType + ";base64," + im.data
	}
	return map[string]any{"type": "image_url", "image_url": map[string]string{"url": im.url}}
}
