package serve

import (
	"net/http"
	"slices"

	"github.com/mark3labs/mcp-go/server"
	"github.com/rs/cors"
)

// corsMaxAge is how long a browser need not ask again, in seconds.
const corsMaxAge = 600

// newCORS returns the handler that lets the scripts of a page call and read the answers, for the origins given and no
// other; nil for none. Cookies mean nothing here and are not asked for, so that any header may be sent.
func newCORS(origins []string) *cors.Cors {
	if len(origins) == 0 {
		return nil
	}
	return cors.New(cors.Options{
		AllowOriginFunc:     func(origin string) bool { return slices.Contains(origins, origin) },
		AllowedMethods:      []string{http.MethodGet, http.MethodPost, http.MethodDelete},
		AllowedHeaders:      []string{"*"},
		ExposedHeaders:      []string{server.HeaderKeySessionID, "WWW-Authenticate", "Retry-After"},
		MaxAge:              corsMaxAge,
		AllowPrivateNetwork: true, // the page may be public, and the server on its reader's machine
	})
}

// answersPreflight adds the headers of CORS to the answer, and reports whether that is all of it.
func (h *Handler) answersPreflight(w http.ResponseWriter, r *http.Request) bool {
	if h.cors == nil {
		return false
	}
	more := false
	h.cors.ServeHTTP(w, r, func(http.ResponseWriter, *http.Request) { more = true })
	return !more
}
