// Package page renders hosted pages with their forms, scripts and notices, newsrooms with their
// feeds, and reads form submissions.
//
// The owner's HTML is cleaned when it is stored and again when it is rendered, so that a stricter
// rule also applies to stored pages. A preview uses the template of the viewers.
package page
