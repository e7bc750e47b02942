// Package ocsf expresses decisions in the words of the Open Cybersecurity Schema Framework, for a SIEM.
//
// It owns the mapping from the fields of a receipt to the attributes of OCSF 1.6.0. It refuses everything that is not
// in the clear in the receipt itself: no parameters, no texts, no reasons.
package ocsf
