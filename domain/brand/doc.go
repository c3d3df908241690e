// Package brand keeps what readers see of a workspace on its hosted pages: the name and the logo of
// the publisher, an accent colour, an imprint, and the address of the newsroom.
//
// A logo is decoded and encoded again before it is stored, so that what is served is a picture and
// nothing else: no metadata, no data behind the picture, no script of an SVG. Its bytes are in the
// database, because a workspace has one logo of at most 1 MB, and it is replaced in the transaction of
// the brand. Each logo has a path of its own and may be cached for ever.
//
// An accent colour must be readable on white. The text on it is white, so one contrast covers both.
// Package page derives the colour of the dark scheme.
package brand
