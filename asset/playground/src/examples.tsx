import { type GraphiQLPlugin, useGraphiQL, useGraphiQLActions } from '@graphiql/react';

interface Example {
  name: string;
  description: string;
  query: string;
  variables: string;
}

interface Area {
  title: string;
  examples: Example[];
}

/**
 * Reads an area: its title, then operations with a comment above each. A line "# variables: {…}" has the variables. TestDocs
 * of test/e2e reads the files in the same way and runs each operation on the demo.
 */
function readArea(text: string): Area {
  const [title = '', ...parts] = text.trim().split(/\n\n(?=# )/);
  return { title: title.replace('# ', ''), examples: parts.map(readExample) };
}

function readExample(part: string): Example {
  const lines = part.split('\n');
  const comments = lines.filter((line) => line.startsWith('# ')).map((line) => line.slice(2));
  const [variables] = comments.filter((line) => line.startsWith('variables: '));
  return {
    name: /^(?:query|mutation|subscription) (\w+)/m.exec(part)?.[1] ?? '',
    description: comments.filter((line) => line !== variables).join(' '),
    query: `${lines.filter((line) => !line.startsWith('# variables: ')).join('\n')}\n`,
    variables: variables
      ? JSON.stringify(JSON.parse(variables.replace('variables: ', '')), null, 2)
      : '',
  };
}

const files = import.meta.glob<string>('../examples/*.graphql', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const areas = Object.keys(files)
  .sort()
  .map((path) => readArea(files[path] ?? ''));

/** The operation of a first visit. */
export const firstExample = areas[0]?.examples[0]?.query ?? '';

function Examples() {
  const { addTab } = useGraphiQLActions();
  const queryEditor = useGraphiQL((state) => state.queryEditor);
  const variableEditor = useGraphiQL((state) => state.variableEditor);
  const open = (example: Example) => {
    addTab();
    queryEditor?.setValue(example.query);
    variableEditor?.setValue(example.variables);
  };
  return (
    <section aria-label="Examples" className="panel">
      <h2 className="graphiql-doc-explorer-title">Examples</h2>
      <p>Each opens in a tab of its own, and runs on the demo workspace.</p>
      {areas.map((area) => (
        <section key={area.title} aria-label={area.title}>
          <h3>{area.title}</h3>
          <ul>
            {area.examples.map((example) => (
              <li key={example.name}>
                <button type="button" onClick={() => open(example)}>
                  {example.name}
                </button>
                <p>{example.description}</p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
}

const Icon = () => (
  <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
    <path d="M4 5h16M4 10h10M4 15h16M4 20h10" />
  </svg>
);

export const examplesPlugin: GraphiQLPlugin = { title: 'Examples', icon: Icon, content: Examples };
