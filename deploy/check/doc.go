// Package check holds the files for deployment against what reads them: the Compose file, the manifests, the alerts, the dashboard, and the server's
// settings and metrics that they name. It also has an authority issue a certificate to the server, by pebble. Its tests are all that it has.
package check
