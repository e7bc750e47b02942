package redact

import "slices"

// personal are the labels of data that identifies a person, as opposed to secrets.
var personal = []string{"EMAIL", "PHONE", "IBAN", "CARD", "SSN"}

// Personal reports whether the label is of personal data; the others are of secrets.
func Personal(label string) bool { return slices.Contains(personal, label) }
