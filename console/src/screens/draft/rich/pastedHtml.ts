const blocks =
  'address,article,aside,blockquote,dd,div,dl,dt,figure,footer,h1,h2,h3,h4,h5,h6,header,hr,li,ol,p,pre,section,table,tbody,td,tfoot,th,thead,tr,ul';

const isElement = (node: Node): node is Element => node.nodeType === 1;

/** The lines of a cell while its content is read. */
class Lines {
  private lines: Node[][] = [[]];

  /** Adds what is in a node: blocks and line breaks begin a line. */
  add(parent: Node): void {
    for (const child of [...parent.childNodes]) {
      if (!isElement(child)) {
        this.current().push(child);
      } else if (child.matches('br')) {
        this.lines.push([]);
      } else if (child.matches(blocks)) {
        this.begin();
        this.add(child);
        this.begin();
      } else if (child.querySelector(`br,${blocks}`)) {
        this.addWithin(child);
      } else {
        this.current().push(child);
      }
    }
  }

  /** Adds an element whose words are in several lines; each line has the element. */
  private addWithin(element: Element): void {
    const inner = new Lines();
    inner.add(element);
    inner.lines.forEach((line, i) => {
      if (i > 0) {
        this.lines.push([]);
      }
      const part = element.cloneNode(false);
      line.forEach((node) => part.appendChild(node));
      this.current().push(part);
    });
  }

  private current(): Node[] {
    return this.lines.at(-1) as Node[];
  }

  private begin(): void {
    if (this.current().some((node) => node.textContent?.trim())) {
      this.lines.push([]);
    }
  }

  /** Returns the lines without the empty ones at the end. */
  filled(): readonly Node[][] {
    const last = this.lines.findLastIndex((line) => line.some((node) => node.textContent?.trim()));
    return this.lines.slice(0, last + 1);
  }
}

/** Makes the blocks of a cell lines of one paragraph, which is what a cell of Markdown can have. */
function flatten(cell: Element): void {
  const lines = new Lines();
  lines.add(cell);
  const paragraph = cell.ownerDocument.createElement('p');
  lines.filled().forEach((line, i) => {
    if (i > 0) {
      paragraph.append(cell.ownerDocument.createElement('br'));
    }
    paragraph.append(...line);
  });
  cell.replaceChildren(paragraph);
}

const spanOf = (cell: Element, name: string) =>
  Math.min(Math.max(Number.parseInt(cell.getAttribute(name) ?? '', 10) || 1, 1), 100);

/** Puts empty cells where a cell spans columns or rows, so that the others keep their columns. */
function unspan(table: HTMLTableElement): void {
  const taken: number[] = []; // how many further rows a cell above takes of each column
  for (const row of table.rows) {
    let column = 0;
    const fill = (before: Element | null) => {
      for (; (taken[column] ?? 0) > 0; column += 1) {
        taken[column] = (taken[column] ?? 0) - 1;
        row.insertBefore(row.ownerDocument.createElement('td'), before);
      }
    };
    for (const cell of [...row.cells]) {
      fill(cell);
      const [columns, rows] = [spanOf(cell, 'colspan'), spanOf(cell, 'rowspan')];
      for (let i = 0; i < columns; i += 1, column += 1) {
        taken[column] = rows - 1;
        if (i > 0) {
          const empty = row.ownerDocument.createElement(cell.localName);
          row.insertBefore(empty, cell.nextSibling);
        }
      }
      cell.removeAttribute('colspan');
      cell.removeAttribute('rowspan');
    }
    fill(null);
  }
}

/** Returns pasted HTML whose tables are as Markdown can have them. */
function plainTables(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const cell of body.querySelectorAll('td,th')) {
    if (!cell.parentElement?.closest('td,th')) {
      flatten(cell);
    }
  }
  body.querySelectorAll('table').forEach(unspan);
  return body.innerHTML;
}

/** Returns pasted HTML without what Markdown does not have, such as the notes of Word. */
export function cleanHtml(html: string): string {
  const clean = html.replace(/<!--[\s\S]*?-->/g, '').replace(/<\/?o:p>/g, '');
  return /<table\b/i.test(clean) ? plainTables(clean) : clean;
}
