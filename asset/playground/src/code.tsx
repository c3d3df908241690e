import {
  type GraphiQLPlugin,
  useGraphiQL,
  useOperationsEditorState,
  useVariablesEditorState,
} from '@graphiql/react';
import { useState } from 'react';
import { curlOf, typeScriptOf } from './program';
import { shareAddress } from './share';

function Snippet({ title, text }: { title: string; text: string }) {
  const [copied, setCopied] = useState('');
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(text);
  };
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <button type="button" className="graphiql-button" onClick={() => void copy()}>
        Copy {title}
      </button>{' '}
      <output>{copied === text ? 'Copied.' : ''}</output>
      <pre tabIndex={0}>{text}</pre>
    </section>
  );
}

function Code() {
  const [query] = useOperationsEditorState();
  const [variables] = useVariablesEditorState();
  const operationName = useGraphiQL((state) => state.operationName);
  const operations = useGraphiQL((state) => state.operations);
  const operation =
    operations?.find(({ name }) => name?.value === operationName) ?? operations?.[0];
  const request = {
    endpoint: new URL('/graphql', location.href).href,
    query,
    variables,
    operationName: (operations?.length ?? 0) > 1 ? operationName : undefined,
    isSubscription: operation?.operation === 'subscription',
  };
  return (
    <section aria-label="Code" className="panel">
      <h2 className="graphiql-doc-explorer-title">Code</h2>
      <p>The operation of this tab. The key is not part of it: set ROSTRUM_KEY.</p>
      <Snippet title="curl" text={curlOf(request)} />
      <Snippet title="TypeScript" text={typeScriptOf(request)} />
      <Snippet title="link" text={shareAddress(location.origin, { query, variables })} />
    </section>
  );
}

const Icon = () => (
  <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
    <path d="m8 7-5 5 5 5m8-10 5 5-5 5M14 4l-4 16" />
  </svg>
);

export const codePlugin: GraphiQLPlugin = { title: 'Code', icon: Icon, content: Code };
