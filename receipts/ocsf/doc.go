// Package ocsf says what was decided in the words of the Open Cybersecurity Schema Framework, for a SIEM.
//
// It owns which attribute of OCSF 1.6.0 holds what of a receipt. It refuses everything that is not in the clear in the
// receipt itself: no parameters, no texts, no reasons.
package ocsf
