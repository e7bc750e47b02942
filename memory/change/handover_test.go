package change

import "testing"

// handovers are statements that end one thing and begin another, beside an older one that they end, and one of something else that goes on to
// hold.
var handovers = []struct{ ended, stays, newer string }{
	{"Our allotment is plot 14.", "Plot 9 belongs to Ines.", "We gave up plot 14 and took over plot 31."},
	{"I drive a red Golf.", "My brother drives a Golf.", "I sold the Golf and bought a Polo."},
	{"I work at Acme as a nurse.", "My wife works at Acme.", "I left Acme and joined Initech."},
	{"I'm learning Spanish with Duolingo.", "Ines speaks Spanish at home.", "I dropped Spanish and took up Italian."},
	{"We are subscribed to Netflix.", "The TV stands in the living room.", "We cancelled Netflix and subscribed to Mubi."},
	{"I sing in the Bach choir on Mondays.", "The Bach choir has forty members.", "I quit the Bach choir and joined the Gospel singers."},
	{"Our dentist is Dr Weiss.", "Dr Weiss has a practice in Linz.", "We left Dr Weiss and went to Dr Novak."},
	{"The lease for unit 5 runs until May.", "Unit 7 is empty.", "We terminated the lease for unit 5 and moved to unit 12."},
	{"My phone is a Pixel 7.", "My daughter has a Pixel 7.", "I returned the Pixel 7 and got a Fairphone 5."},
	{"I take metformin in the morning.", "I take vitamin D in the evening.", "I stopped metformin and started insulin."},
	{"We send our newsletter with Mailchimp.", "The newsletter has 900 readers.", "We dropped Mailchimp and set up Listmonk."},
	{"I rent locker 88 at the pool.", "The pool closes at nine.", "I handed back locker 88 and rented locker 12."},
}

// TestHandovers: the one that is ended is displaced for sure, the other never, and hardly one is marked.
func TestHandovers(t *testing.T) {
	marked := 0
	for _, s := range handovers {
		if v := Compare(said(s.ended, 0), said(s.newer, 30), nil); !v.Sure() {
			t.Errorf("%+v: %q is not over by %q", v, s.ended, s.newer)
		}
		v := Compare(said(s.stays, 0), said(s.newer, 30), nil)
		if v.Sure() {
			t.Errorf("%+v: %q is over by %q", v, s.stays, s.newer)
		}
		if v.Likely() {
			marked++
		}
	}
	if marked > 1 {
		t.Errorf("%d of %d that go on to hold are marked", marked, len(handovers))
	}
}
