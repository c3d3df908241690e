package coding

import (
	"net/http"
	"strings"
)

// A compressed body is another representation, so a strong entity tag must tell it from the plain one (RFC 9110, section 8.8.1): the coding's
// name follows behind a hyphen, inside the quotes. Requests are rid of it before anybody compares tags.

// tagged is the entity tag of the representation in a coding; a weak one holds for all of them.
func tagged(tag string, c *coding) string {
	plain, ok := strings.CutSuffix(tag, `"`)
	if !ok || strings.HasPrefix(tag, "W/") {
		return tag
	}
	return plain + "-" + c.name + `"`
}

// untagged is the request with the entity tags of plain representations. A caller who has a representation in a coding that it takes no
// longer has nothing that it could go on using, so If-None-Match keeps such a tag, which matches nothing; what one acts on is the same in any coding.
func untagged(r *http.Request, c choice) *http.Request {
	known, knew := plainTags(r.Header["If-None-Match"], c.takes)
	acted, acts := plainTags(r.Header["If-Match"], func(*coding) bool { return true })
	if !knew && !acts {
		return r
	}
	out := r.WithContext(r.Context()) // a copy, but for the header
	out.Header = r.Header.Clone()
	if knew {
		out.Header["If-None-Match"] = known
	}
	if acts {
		out.Header["If-Match"] = acted
	}
	return out
}

func plainTags(lines []string, takes func(*coding) bool) (plain []string, changed bool) {
	for _, line := range lines {
		tags := strings.Split(line, ",")
		for i, tag := range tags {
			for _, one := range codings {
				if end := "-" + one.name + `"`; takes(one) && strings.HasSuffix(strings.TrimSpace(tag), end) {
					tags[i], changed = strings.Replace(tag, end, `"`, 1), true
				}
			}
		}
		plain = append(plain, strings.Join(tags, ","))
	}
	return plain, changed
}

// unchanged is the entity tag of a 304: of the representation that the caller has, the one in the best coding first.
func (w *writer) unchanged(tag string) string {
	all := strings.Join(w.known, ",")
	if mine := tagged(tag, w.best); strings.Contains(all, mine) {
		return mine
	}
	for _, one := range codings {
		if other := tagged(tag, one); w.takes(one) && strings.Contains(all, other) {
			return other
		}
	}
	return tag
}
