package taint

import "testing"

// TestNamesPlace: a path is named by itself, by a folder above it, and where no whole path was said, by the name of the file or of its folder.
func TestNamesPlace(t *testing.T) {
	for _, test := range []struct {
		said, file string
		want       bool
	}{
		{"Save it to /srv/reports/may.csv.", "/srv/reports/may.csv", true},
		{"Save it to /srv/reports/may.csv.", "/srv/reports/april.csv", false},
		{"Save it in /srv/reports", "/srv/reports/2026/may.csv", true},
		{"Save it in /srv/reports", "/srv/reports-old/may.csv", false},
		{"Save it in /", "/srv/may.csv", false},
		{"Save it in /home", "/home/kim/may.csv", false},
		{"Save it in ~/reports", "/home/ann/reports/may.csv", true},
		{"Save it in ~/reports", "/home/ann/.bashrc", false},
		{"Save it in ~", "/home/ann/.bashrc", false},
		{"Copy it to ../client/schema.json", "/home/ann/client/schema.json", true},
		{"Copy it to ../client/schema.json", "/home/ann/billing/schema.json", false},
		{`Save it to C:\reports\may.csv`, "C:/Reports/may.csv", true},
		{"Update the motd", "/etc/motd", true},
		{"Update the motd", "/etc/issue", false},
		{"Put the picture on my desktop", "/home/ann/Desktop/a.png", true},
		{"Put the pictures in the shared documents", "/home/ann/Documents/a.png", true},
		{"Put it in the Downloads folder", "/home/ann/Downloads/a.png", true},
		{"The desktop is full, render the poster", "/home/ann/Desktop/a.png", false},
		{"The schema.json of /home/ann/client is old, copy ours", "/home/ann/billing/schema.json", false},
		{"See https://files.example/srv/a.txt", "/srv/a.txt", false},
	} {
		h := newHeard()
		h.take(test.said, 0)
		p := Provenance{heard: h}
		if got := p.NamesPlace(test.file, "/home/ann/web"); got != test.want {
			t.Errorf("after %q, %s is named: %t, want %t", test.said, test.file, got, test.want)
		}
	}
}
