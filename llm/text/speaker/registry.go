package speaker

import (
	"slices"
	"strings"
)

// registry is the names of a text.
type registry struct {
	people   map[string]*person   // by name in lower case
	firsts   map[string][]*person // by the first name
	lasts    map[string][]*person // by the last name, and by declared initials
	twoLast  bool                 // people have two last names
	roles    map[string][]*person
	initials map[string][]*person
	counts   map[*person]int // mentions by the full name
}

func newRegistry(twoLast bool) *registry {
	return &registry{
		twoLast: twoLast, people: map[string]*person{}, firsts: map[string][]*person{}, lasts: map[string][]*person{},
		roles: map[string][]*person{}, initials: map[string][]*person{}, counts: map[*person]int{},
	}
}

// addPerson returns the person with a name, without regard to case; a new one if there is none.
func (g *registry) addPerson(name string) *person {
	key := strings.ToLower(name)
	if p := g.people[key]; p != nil {
		if isUpperWord([]rune(p.name)) {
			p.name = name
		}
		return p
	}
	if p := g.sameAs(key); p != nil {
		if g.people[key] = p; len(strings.Fields(name)) > len(strings.Fields(p.name)) {
			p.name = name
		}
		return p
	}
	p := &person{name: name, first: -1}
	g.people[key] = p
	if letters := initialsOf(key); !isAbbreviated(key) && len(g.initials[letters]) < severalPeople {
		g.initials[letters] = append(g.initials[letters], p)
	}
	parts := strings.Fields(strings.ReplaceAll(key, "’", "'"))
	for _, last := range g.lastNames(parts) {
		g.lasts[last] = append(g.lasts[last], p)
	}
	g.firsts[parts[0]] = append(g.firsts[parts[0]], p)
	return p
}

// lastNames returns the words of a name by which a text may name the person alone: the last one,
// and in Spanish the first of two last names.
func (g *registry) lastNames(parts []string) []string {
	last := len(parts) - 1
	first := last - 1
	for first > 0 && joiners[parts[first]] {
		first--
	}
	if g.twoLast && last >= fullName && first > 0 && !isAbbreviated(parts[first]) {
		return []string{parts[last], parts[first]}
	}
	// "Frau Hunziker" is Brigitte Hunziker-Baumann
	if short, _, isDouble := strings.Cut(parts[last], "-"); isDouble && last > 0 && !isGivenName(short) {
		return []string{parts[last], short}
	}
	return parts[last:]
}

// byLastNames returns the only person of whom a name of two words has the two last names and the
// other form the first name and the first of them, in either order: "Gonzalo Teruel" and "Sr.
// Teruel Pons"; nil for none and several.
func (g *registry) byLastNames(key string) *person {
	parts := strings.Fields(key)
	if !g.twoLast || len(parts) != fullName {
		return nil
	}
	isGiven := isGivenName(parts[0])
	all := g.lasts[parts[0]]
	if isGiven {
		all = g.firsts[parts[1]]
	}
	if len(all) != 1 {
		return nil
	}
	if other := strings.Fields(strings.ToLower(all[0].name)); len(other) != fullName ||
		isGivenName(other[0]) == isGiven {
		return nil
	}
	return all[0]
}

// sameAs returns the only person whose name is another form of a name: with a middle name, or with
// the first letter of the first name.
func (g *registry) sameAs(key string) *person {
	parts := strings.Fields(key)
	if len(parts) < fullName {
		return nil
	}
	var all []*person
	for _, last := range g.lastNames(parts) {
		all = append(all, g.lasts[last]...)
	}
	if len(all) > mostNamesakes {
		return nil
	}
	var found *person
	for _, p := range all {
		other := strings.Fields(strings.ToLower(p.name))
		isShort := len(other) != len(parts) && len(other) >= fullName && other[0] == parts[0]
		isLetter := len(other) >= fullName && isAbbreviated(parts[0]) &&
			strings.HasPrefix(other[0], strings.TrimSuffix(parts[0], "."))
		if !isShort && !isLetter || p == found {
			continue
		}
		if found != nil {
			return nil
		}
		found = p
	}
	return found
}

// byPart returns the only person whose last or first name is a word, and whose gender fits; nil for
// none and several.
func (g *registry) byPart(word string, sex gender) *person {
	for _, index := range []map[string][]*person{g.lasts, g.firsts} {
		var found *person
		for _, p := range index[word] {
			if sex != anyGender && p.gender != anyGender && p.gender != sex || p == found {
				continue
			}
			if found != nil {
				return nil
			}
			found = p
		}
		if found != nil {
			return found
		}
	}
	return nil
}

// byEnd returns the only person whose name ends with several words, as a last name of several words
// does; nil for none and several.
func (g *registry) byEnd(words string) *person {
	var found *person
	all := g.lasts[words[strings.LastIndexByte(words, ' ')+1:]]
	for _, p := range all[:min(len(all), mostNamesakes)] {
		if !strings.HasSuffix(strings.ToLower(p.name), " "+words) || p == found {
			continue
		}
		if found != nil {
			return nil
		}
		found = p
	}
	return found
}

// chairRoles are the further roles of whoever is called the chair.
var chairRoles = []string{"chairman", "chairwoman", "chairperson"}

// byRole returns the only person whom the text introduces with a role; nil for none and several.
func (g *registry) byRole(role string) *person {
	all := g.roles[role]
	if len(all) == 0 && len(g.roles) < mostRoles {
		all = g.byCompound(role)
	}
	if len(all) != 1 {
		return nil
	}
	return all[0]
}

// byCompound returns the people whose role is a compound that ends with a role:
// "Gesundheitsministerin" for "Ministerin".
func (g *registry) byCompound(role string) []*person {
	var found []*person
	for compound, all := range g.roles {
		if len(role) > shortestCompound && strings.HasSuffix(compound, role) && !strings.Contains(compound, " ") {
			for _, p := range all {
				if !slices.Contains(found, p) {
					found = append(found, p)
				}
			}
		}
	}
	return found
}

// addRole adds a role by which the text introduces a person.
func (g *registry) addRole(role string, p *person) {
	if role == "chair" {
		for _, other := range chairRoles {
			g.addRole(other, p)
		}
	}
	if all := g.roles[role]; len(all) < severalPeople && !slices.Contains(all, p) {
		g.roles[role] = append(all, p)
	}
}
