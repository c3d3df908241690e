const typed = new Set<Node>();

document.addEventListener('input', ({ target }) => target instanceof Node && typed.add(target));

/** Reports whether the page shows a field that the user has typed into or changed. */
export function hasTypedInput(): boolean {
  typed.forEach((field) => {
    if (!field.isConnected) {
      typed.delete(field);
    }
  });
  return typed.size > 0;
}
