package bucket

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/minio/minio-go/v7"

	"github.com/ctx-mcp/ctx-mcp"
)

// fault is an answer of a server, and what an operator can do about it. {bucket} and {prefix} stand for those of the address.
type fault struct {
	codes []string // of S3
	code  ctxmcp.Code
	says  string
	hint  string
}

// faults are looked through in their order. The codes are those of Amazon's list of error responses.
var faults = []fault{
	{[]string{"NoSuchBucket", "InvalidBucketName"}, ctxmcp.CodeUnavailable, "there is no such bucket",
		"make the bucket {bucket}, or correct its name or the endpoint in the setting blobs"},
	{[]string{"NoSuchKey", "NoSuchVersion"}, ctxmcp.CodeUnavailable, "the bytes were removed meanwhile",
		"store the content again, or have the operator restore the bucket"},
	{[]string{"RequestTimeTooSkewed", "RequestExpired", "RequestNotYetValid"}, ctxmcp.CodeUnavailable, "its clock and this machine's differ by more than 15 minutes",
		"set the clock of this machine, such as by an NTP service; then try again"},
	{[]string{"InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken", "TokenRefreshRequired", "XAdminInvalidAccessKey", "XAdminUserNotFound", "AuthorizationQueryParametersError"},
		ctxmcp.CodeDenied, "it does not accept the key",
		"check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the file that credentials= or AWS_SHARED_CREDENTIALS_FILE names; a session's key ends"},
	{[]string{"AuthorizationHeaderMalformed", "PermanentRedirect", "TemporaryRedirect", "IllegalLocationConstraintException", "InvalidRegion"}, ctxmcp.CodeInvalid,
		"the bucket {bucket} is in another region", "name the region of the bucket with region= in the setting blobs"},
	{[]string{"AccessDenied", "AllAccessDisabled", "AccountProblem"}, ctxmcp.CodeDenied, "it denies this to the key",
		"allow the key s3:ListBucket on {bucket}, and s3:GetObject, s3:PutObject and s3:DeleteObject on {bucket}/{prefix}*"},
	{[]string{"EntityTooLarge"}, ctxmcp.CodeTooLarge, "it takes no object of that size", "store less at once, or lower artifacts.max_bytes"},
	{[]string{"QuotaExceeded", "XMinioStorageFull", "InsufficientCapacity"}, ctxmcp.CodeUnavailable, "it has no room", "make room in the bucket {bucket}, or raise its quota"},
	{[]string{"SlowDown", "ServiceUnavailable", "InternalError", "RequestTimeout", "Throttling"}, ctxmcp.CodeUnavailable, "it is busy or broken", "try again in a while"},
}

// failed says in words that an operation on the bucket did not succeed. It returns err itself if it is nil, says so already, or comes of a caller
// who has gone.
func (a address) failed(doing string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	if _, told := errors.AsType[*ctxmcp.Error](err); told {
		return err
	}
	says, hint, code := "it cannot be reached", "check the endpoint in the setting blobs, and that the server runs", ctxmcp.CodeUnavailable
	if errors.Is(err, context.DeadlineExceeded) {
		says, hint = "it does not answer in time", "try again; if that lasts, check the server and the way to it"
	}
	if answer, ok := errors.AsType[minio.ErrorResponse](err); ok {
		f := fault{code: ctxmcp.CodeUnavailable, says: "it answers with " + cmp.Or(answer.Code, http.StatusText(answer.StatusCode)), hint: "look that up in the server's manual"}
		if i := slices.IndexFunc(faults, func(f fault) bool { return slices.Contains(f.codes, answer.Code) }); i >= 0 {
			f = faults[i]
		}
		says, hint, code = filled(f.says, a), filled(f.hint, a), f.code
	}
	return ctxmcp.Errorf(code, "%s cannot %s: %s", a, doing, says).WithCause(fmt.Errorf("bucket: %w", err)).WithHint("%s", hint)
}

// filled puts the bucket and the prefix into a sentence.
func filled(text string, a address) string {
	return strings.NewReplacer("{bucket}", a.bucket, "{prefix}", a.prefix).Replace(text)
}

// noKey is the Error for a bucket without a key.
func (a address) noKey(err error) error {
	return ctxmcp.Errorf(ctxmcp.CodeDenied, "there is no key for %s", a).WithCause(err).
		WithHint("set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a file with the lines aws_access_key_id and aws_secret_access_key by credentials= in the setting blobs")
}
