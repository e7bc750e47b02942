package embed

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/cenkalti/backoff/v5"
	ctxmcp "github.com/ctx-mcp/ctx-mcp"
	"github.com/sashabaranov/go-openai"
	"github.com/sony/gobreaker/v2"
)

// Client embeds texts with one model. It is safe for concurrent use.
type Client struct {
	// call is a method of the API client, which holds the key. As a function it hides both from package fmt.
	call    func(context.Context, openai.EmbeddingRequestConverter) (openai.EmbeddingResponse, error)
	breaker *gobreaker.CircuitBreaker[[][]float32]
	opts    Options // complete, without the key
}

// New returns a client for the endpoint. It does not call it. It returns CodeInvalid for an option that cannot work.
func New(o Options) (*Client, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	config := openai.DefaultConfig(o.APIKey)
	config.BaseURL = o.BaseURL
	config.HTTPClient = guarded(o.HTTPClient)
	o.APIKey = ""
	api := openai.NewClientWithConfig(config)
	return &Client{call: api.CreateEmbeddings, breaker: newBreaker(o.OpenFor), opts: o}, nil
}

// Model returns the identity of the vector space: the model, or model@dimensions if Dimensions was set. Vectors with
// different identities are never to be mixed.
func (c *Client) Model() string { return c.opts.space() }

// String names the vector space only.
func (c *Client) String() string { return "embed.Client(" + c.Model() + ")" }

// Ready reports whether Embed would try the endpoint: false while the circuit breaker is open.
func (c *Client) Ready() bool { return c.breaker.State() != gobreaker.StateOpen }

// Embed returns one vector for each text, in order, all of one dimension and of unit length (L2). No texts give nil.
//
// It returns CodeInvalid for a text that is empty or white space, since endpoints disagree about its vector, and for texts
// that the endpoint refuses; CodeTooLarge if the endpoint finds them too large; and CodeUnavailable for everything else:
// no answer, a wrong answer, an open circuit breaker, or a context that ended, which errors.Is then finds.
func (c *Client) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	if err := checkTexts(texts); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, ended(err)
	}
	vectors, err := c.breaker.Execute(func() ([][]float32, error) { return c.embed(ctx, texts) })
	if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) {
		return nil, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the embedding endpoint keeps failing and is left alone for a while").
			WithHint("retry in %s", c.opts.OpenFor)
	}
	return vectors, err
}

// checkTexts returns CodeInvalid for the first text without content.
func checkTexts(texts []string) error {
	for i, text := range texts {
		if strings.TrimSpace(text) == "" {
			return ctxmcp.Errorf(ctxmcp.CodeInvalid, "text %d of %d to embed is empty", i+1, len(texts))
		}
	}
	return nil
}

// embed calls the endpoint batch by batch. The first batch settles the dimension of the rest.
func (c *Client) embed(ctx context.Context, texts []string) ([][]float32, error) {
	all := make([][]float32, 0, len(texts))
	dims := c.opts.Dimensions
	for batch := range slices.Chunk(texts, c.opts.BatchSize) {
		rows, err := c.request(ctx, batch)
		if err != nil {
			return nil, err
		}
		vectors, err := check(rows, len(batch), dims)
		if err != nil {
			return nil, err
		}
		dims = len(vectors[0])
		all = append(all, vectors...)
	}
	return all, nil
}

// request embeds one batch in as many attempts as it is allowed.
func (c *Client) request(ctx context.Context, texts []string) ([]openai.Embedding, error) {
	rows, err := backoff.Retry(ctx,
		func() ([]openai.Embedding, error) { return c.attempt(ctx, texts) },
		backoff.WithBackOff(c.waits()),
		backoff.WithMaxTries(uint(c.opts.MaxAttempts)),
		backoff.WithMaxElapsedTime(0), // the attempts bound it
	)
	if err == nil {
		return rows, nil
	}
	if cause := ctx.Err(); cause != nil {
		return nil, ended(cause)
	}
	if e, ok := errors.AsType[*ctxmcp.Error](err); ok {
		return nil, e
	}
	return nil, wrong("failed in an unknown way")
}

// attempt makes one request. Its errors are those of explain.
func (c *Client) attempt(ctx context.Context, texts []string) ([]openai.Embedding, error) {
	ctx, cancel := context.WithTimeout(ctx, c.opts.Timeout)
	defer cancel()
	answer, err := c.call(ctx, openai.EmbeddingRequestStrings{
		Input:          texts,
		Model:          openai.EmbeddingModel(c.opts.Model),
		EncodingFormat: openai.EmbeddingEncodingFormatFloat, // the one that every endpoint speaks
		Dimensions:     c.opts.Dimensions,
	})
	if err != nil {
		return nil, explain(err, c.opts.Backoff == nil)
	}
	return answer.Data, nil
}
