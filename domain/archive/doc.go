// Package archive writes a database with its stored files to one file, and fills a new database with
// it.
//
// An archive is a zip file: for each table a list of JSON lines, first the names of the columns and
// then a list of values for each row; the tasks of the queue; the stored files; and a manifest, which
// is written last. The values are the same for both databases, so a SQLite file becomes a database of
// Postgres and the other way round. Rows come from one moment of the database, while it is in use. A
// file is stored before the transaction of its row commits, so files are read after the rows.
//
// What the program computes again is left out: the index of words, and the rows of the queue's library.
package archive
