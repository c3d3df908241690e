// Starts GraphiQL with the workspace key from the bar, which is sent in X-API-Key of each request, and in connection_init of
// the socket.
import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import './style.css';
import { HISTORY_PLUGIN, GraphiQL } from 'graphiql';
import { type FormEvent, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { codePlugin } from './code';
import { examplesPlugin, firstExample } from './examples';
import { createFetcher } from './fetcher';
import { readShared } from './share';

const slot = 'rostrum:key';

// The key may come as #key=…; it is removed from the address so that it is not copied with it.
const fromAddress = new URLSearchParams(location.hash.slice(1)).get('key');
if (fromAddress) {
  sessionStorage.setItem(slot, fromAddress);
  history.replaceState(null, '', location.pathname + location.search);
}

const shared = readShared(location.search);

function KeyBar({ value, onUse }: { value: string; onUse: (key: string) => void }) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onUse(String(new FormData(event.currentTarget).get('key')).trim());
  };
  return (
    <form id="bar" onSubmit={submit}>
      <strong>Rostrum</strong>
      <label htmlFor="key">Workspace key</label>
      <input
        id="key"
        name="key"
        type="password"
        placeholder="rsk_…"
        autoComplete="off"
        spellCheck={false}
        defaultValue={value}
      />
      <button type="submit">Use key</button>
      <output>{value ? 'Requests are made with this key.' : 'Requests need a key.'}</output>
      <nav>
        <a href="/console/">Console</a> <a href="/guide/">Guide</a> <a href="/docs/">REST</a>
      </nav>
    </form>
  );
}

function Playground() {
  const [key, setKey] = useState(() => sessionStorage.getItem(slot) ?? '');
  const fetcher = useMemo(() => createFetcher(key), [key]);
  return (
    <>
      <KeyBar
        value={key}
        onUse={(next) => {
          sessionStorage.setItem(slot, next);
          setKey(next);
        }}
      />
      <main>
        <GraphiQL
          fetcher={fetcher}
          plugins={[examplesPlugin, HISTORY_PLUGIN, codePlugin]}
          defaultQuery={firstExample}
          defaultEditorToolsVisibility="variables"
          initialQuery={shared.query}
          initialVariables={shared.variables}
          inputValueDeprecation
        />
      </main>
    </>
  );
}

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(<Playground />);
}
