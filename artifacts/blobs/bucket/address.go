package bucket

import (
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/ctx-mcp/ctx-mcp"
)

const (
	scheme   = "s3"
	standard = "https://s3.amazonaws.com"
)

// IsAddress reports whether a text is the address of a bucket.
func IsAddress(text string) bool { return strings.HasPrefix(text, scheme+"://") }

// address is s3://bucket/prefix?endpoint=…, read.
type address struct {
	bucket, prefix string // the prefix ends with a slash, or is empty
	endpoint       *url.URL
	region         string // empty: asked for
	lookup         minio.BucketLookupType
	file, profile  string // of credentials, in AWS' form
}

// parse reads an address. No error quotes it: somebody may have put a key there.
func parse(text string) (address, error) {
	invalid := func(what string) (address, error) {
		return address{}, ctxmcp.Errorf(ctxmcp.CodeInvalid, "the address of the blobs %s", what).
			WithHint("give it as s3://bucket/prefix?endpoint=https://host:9000&region=us-east-1; keys belong into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or into a file that credentials= names")
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != scheme || u.Host == "" || u.Port() != "" {
		return invalid("cannot be read")
	}
	if u.User != nil {
		return invalid("holds a name or a key before the bucket")
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return invalid("has parameters that cannot be read")
	}
	known := []string{"endpoint", "region", "path_style", "credentials", "profile"}
	for name, values := range query {
		if !slices.Contains(known, name) || len(values) != 1 {
			return invalid("has parameters other than one each of " + strings.Join(known, ", "))
		}
	}
	a := address{bucket: u.Host, prefix: strings.Trim(u.Path, "/"), region: query.Get("region"), file: query.Get("credentials"), profile: query.Get("profile")}
	if a.prefix != "" {
		a.prefix += "/"
	}
	switch query.Get("path_style") {
	case "":
	case "true":
		a.lookup = minio.BucketLookupPath
	case "false":
		a.lookup = minio.BucketLookupDNS
	default:
		return invalid("has a path_style other than true and false")
	}
	endpoint := query.Get("endpoint")
	if endpoint == "" {
		endpoint = standard
	}
	a.endpoint, err = url.Parse(endpoint)
	if err != nil || a.endpoint.Host == "" || a.endpoint.Scheme != "http" && a.endpoint.Scheme != "https" || strings.Trim(a.endpoint.Path, "/") != "" || a.endpoint.User != nil {
		return invalid("has an endpoint that is no http or https URL of a host alone")
	}
	return a, nil
}

// Name returns the address without parameters, for messages.
func Name(text string) string {
	a, err := parse(text)
	if err != nil {
		return "the bucket"
	}
	return a.String()
}

func (a address) String() string {
	return scheme + "://" + a.bucket + strings.TrimSuffix("/"+a.prefix, "/") + " at " + a.endpoint.Host
}

// credentials returns the key: of the named file, or else of the environment, of the account's file, or of the machine's role. It is asked for at each
// request, so that one that ends or is changed is read again.
func (a address) credentials() *credentials.Credentials {
	if a.file != "" {
		return credentials.New(&keyFile{path: a.file, profile: a.profile})
	}
	return credentials.NewChainCredentials([]credentials.Provider{
		&credentials.EnvAWS{}, &credentials.FileAWSCredentials{Profile: a.profile}, &credentials.IAM{},
	})
}

// keyFile is a file of credentials that is read again when it has changed.
type keyFile struct {
	path, profile string
	read          os.FileInfo
}

// Retrieve implements credentials.Provider.
func (k *keyFile) Retrieve() (credentials.Value, error) { return k.RetrieveWithCredContext(nil) }

// RetrieveWithCredContext implements credentials.Provider.
func (k *keyFile) RetrieveWithCredContext(c *credentials.CredContext) (credentials.Value, error) {
	info, err := os.Stat(k.path)
	if err != nil {
		return credentials.Value{}, err
	}
	k.read = info
	return (&credentials.FileAWSCredentials{Filename: filepath.Clean(k.path), Profile: k.profile}).RetrieveWithCredContext(c)
}

// IsExpired implements credentials.Provider.
func (k *keyFile) IsExpired() bool {
	info, err := os.Stat(k.path)
	return k.read == nil || err != nil || !info.ModTime().Equal(k.read.ModTime()) || info.Size() != k.read.Size()
}
