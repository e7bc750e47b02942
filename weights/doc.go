// Package weights reads tables of weights: a row has the name of a feature, its weight, and where the weight is from.
//
// It owns the form of the tables, which stand beside the features that they weigh, and no feature. A table lacks no feature and has
// none twice. The programs in eval fit weights to data and write such tables.
package weights
