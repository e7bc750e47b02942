package bucket_test

import (
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs/bucket"
	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs/bucket/buckettest"
	"github.com/ctx-mcp/ctx-mcp/storetest"
)

// TestBlobs runs the suite of the stores of bytes on a server in memory.
func TestBlobs(t *testing.T) { runSuite(t, buckettest.InMemory(t)) }

// TestBlobsWithSignatures runs it on a server that checks each signature.
func TestBlobsWithSignatures(t *testing.T) { runSuite(t, buckettest.Checking(t)) }

func runSuite(t *testing.T, server *buckettest.Server) {
	buckettest.UseKey(t)
	storetest.RunBlobs(t, func(t *testing.T) storetest.BlobRig {
		prefix := t.Name()
		s, err := bucket.Open(t.Context(), server.Address(prefix))
		if err != nil {
			t.Fatal(err)
		}
		return storetest.BlobRig{
			Blobs: s,
			Age: func(t testing.TB, digest string, by time.Duration) {
				server.Age(t, prefix+"/"+digest, by)
			},
			Spoil: func(t testing.TB, digest string, how func([]byte) []byte) {
				server.Spoil(t, prefix+"/"+digest, how)
			},
		}
	})
}
