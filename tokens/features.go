package tokens

// cuts are ranks at which a vocabulary could end.
var cuts = [...]uint32{1000, 4000, 8000, 16_000, 32_000, 64_000, 128_000}

// profile is the tokens of a piece for each of the cuts.
type profile [len(cuts)]int32
