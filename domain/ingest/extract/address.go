package extract

import (
	"net/url"
	"strings"
)

// defaultPorts are the ports that an address need not have.
var defaultPorts = map[string]string{"http": "80", "https": "443"}

// NormalAddress returns the address of a page in one spelling: the host in lower case, without the
// port of its scheme, with a path, and without a fragment.
func NormalAddress(address *url.URL) string {
	normal := *address
	normal.Scheme, normal.Host = strings.ToLower(normal.Scheme), strings.ToLower(normal.Host)
	if port := normal.Port(); port == "" || port == defaultPorts[normal.Scheme] {
		normal.Host = strings.TrimSuffix(normal.Host, ":"+port)
	}
	normal.Fragment, normal.RawFragment = "", ""
	if normal.Path == "" && normal.Opaque == "" {
		normal.Path = "/"
	}
	return normal.String()
}
