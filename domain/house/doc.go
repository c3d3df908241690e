// Package house keeps the house rules of workspaces, and checks texts by them. How rules are read
// and what they find is in llm/text/house.
//
// Idea: a rule is stored as its YAML, with copies of the fields that lists show. Parsed rules
// stay in memory by their source.
//
// Limits: 200 rules per workspace, which changes of the workspace's rules keep by its lock.
// CheckApproval goes by the rules at that time; an approved text stays approved when rules change.
package house
