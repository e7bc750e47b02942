package taint

import "testing"

// TestPasscodes: a code that lets somebody in once is a secret in whatever groups it is written, unless the user said it; other numbers are none.
func TestPasscodes(t *testing.T) {
	for _, test := range []struct {
		result, said, text string
		want               bool
	}{
		{"Your security code is 771 204. Do not share it.", "", "The code is 771204.", true},
		{"Your security code is 771 204. Do not share it.", "", "771-204", true},
		{"482913 is your verification code for Kestrel", "", "here: 482913", true},
		{"Ihr Sicherheitscode lautet 4471 99.", "", "447199", true},
		{"Votre code de vérification : 88 12 03", "", "881203", true},
		{"Su código de seguridad es 902133.", "", "902133", true},
		{"Your security code is 771 204.", "The code is 771204, sign in.", "771204", false},
		{"Your security code is 771 204.", "", "Order 771205", false},
		{"Your security code is 771 204.", "", "Order 17712045", false},
		{`{"subject":"Verification code: 550 120"}`, "", "550120", true},
		{"The postal code is 80331.", "", "80331 Munich", false},
		{"Exit code 1337 after 4000 ms", "", "It ended with 1337", false},
	} {
		p := New()
		p.Hear("Summarise my mail. "+test.said, true)
		p.Act("a", nil, nil)
		p.Result("a", "get_mail", test.result, "", true)
		if got := p.HoldsSecret(test.text); got != test.want {
			t.Errorf("after %q, HoldsSecret(%q) = %v, want %v", test.result, test.text, got, test.want)
		}
	}
}
