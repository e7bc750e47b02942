// Package fit fits the weights of a sum of features to labelled cases, and tells what each feature is worth on cases that the fit
// did not see.
//
// It owns the logistic fit, the folds over whole groups, the scores, and the flags and the table of a fitting program; it knows no
// feature. A case is a set of rows, and its score that of its best row: a case with one row each is plain logistic regression.
// Nothing is drawn at random: the same cases give the same weights.
package fit
