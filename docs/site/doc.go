// Command site makes a static site of the documents: pages without scripts, in light and dark, that can be read from a folder.
//
// It owns the form of the pages. It refuses a document with a link to a page, a heading or a file that does not exist. Its invariant:
// every page can be reached from the front page, and nothing is loaded from elsewhere.
package main
