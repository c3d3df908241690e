// Package refusal recognizes answers in which a text model declines its task, in seven languages.
// It reads the first sentences: "I'm sorry, but I can't help with that." A member of an audience who
// says "I cannot support this plan" does not decline.
package refusal
