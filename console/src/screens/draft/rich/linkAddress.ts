/** The schemes of links that a published page keeps. */
const allowed = /^(?:https?|mailto|tel):/i;

const email = /^[^\s@:/?#]+@[^\s@:/?#]+\.[^\s@:/?#]+$/;

/** A name of a host, with a dot or a port, and what may follow it. */
const host =
  /^(?:[\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]{2,}(?::\d+)?(?:[/?#]\S*)?$|^[\p{L}\p{N}-]+:\d+(?:[/?#]\S*)?$/u;

/**
 * Returns the address that a person means by a text, or null if a link cannot have it. An address
 * without a scheme is one of the web: a published page has no place that it is relative to.
 */
export function linkAddress(text: string): string | null {
  const address = text.trim();
  if (address.startsWith('#') && !/\s/.test(address)) {
    return address;
  }
  if (allowed.test(address)) {
    return isWhole(address) ? address : null;
  }
  if (email.test(address)) {
    return `mailto:${address}`;
  }
  const name = address.replace(/^\/\//, '');
  return host.test(name) && isWhole(`https://${name}`) ? `https://${name}` : null;
}

/** Reports whether an address is more than its scheme. */
function isWhole(address: string): boolean {
  if (/\s/.test(address) || !URL.canParse(address)) {
    return false;
  }
  const { protocol, hostname, pathname } = new URL(address);
  return (protocol.startsWith('http') ? hostname : pathname) !== '';
}
