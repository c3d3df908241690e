// Package house checks texts by house rules in the rule format of Vale (https://vale.sh): words to
// avoid and to prefer, required phrases, capital letters, repeated words, and readability.
//
// Idea: Parse reads a YAML document into a Rule and refuses every key and value that it does not
// know, so that no part of a rule is ignored. Check reads the visible text of Markdown block by
// block (block.go) and lets each rule look at the blocks of its scope. Code, addresses and markup
// are no visible text. A finding has its place in the Markdown, in code points.
//
// Differences from Vale: expressions are those of Go (RE2), so there is no look-around. The borders
// of words know all letters, not only those of ASCII. An occurrence in the scope text is counted in
// the whole text, and a conditional looks for its second expression in the whole text. The keys
// name and language are read here; Vale does not need them.
//
// Limits: a rule has at most 20,000 characters and 5,000 instructions of its compiled expressions.
// Expressions see at most 8,000 bytes at once. Check stops with its context between blocks.
//
// Proof: FuzzParse parses and runs generated rules.
package house
