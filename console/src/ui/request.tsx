import { Button, Code, CopyButton, Modal, SegmentedControl, Stack, Text } from '@mantine/core';
import { stringifyDocument } from '@urql/core';
import { useState } from 'react';
import { useTranslator } from '../i18n';
import type { AskedOperation } from './asked';

/** Shows the request of a screen as GraphQL and as a curl command, to copy. */
export default function RequestDialog({ asked, close }: { asked: AskedOperation; close: () => void }) {
  const { t } = useTranslator();
  const [form, setForm] = useState('graphql');
  const text = form === 'curl' ? curlCommand(asked) : graphText(asked);
  return (
    <Modal opened onClose={close} title={t('asked.title')} size="lg" closeButtonProps={{ 'aria-label': t('action.close') }}>
      <Stack>
        <Text size="sm" c="dimmed">
          {t('asked.hint')}
        </Text>
        <SegmentedControl value={form} onChange={setForm} data={[{ value: 'graphql', label: 'GraphQL' }, { value: 'curl', label: 'curl' }]} />
        <Code block className="code" tabIndex={0}>
          {text}
        </Code>
        <CopyButton value={text}>{({ copied, copy }) => <Button onClick={copy}>{copied ? t('action.copied') : t('action.copy')}</Button>}</CopyButton>
      </Stack>
    </Modal>
  );
}

function graphText({ query, variables }: AskedOperation): string {
  const text = stringifyDocument(query);
  const given = JSON.stringify(variables ?? {}, null, 2);
  return given === '{}' ? text : `${text}\n\n# variables\n${given.replace(/^/gm, '# ')}`;
}

/** Returns a command for a POSIX shell; the key is the shell's variable KEY. */
function curlCommand({ query, variables }: AskedOperation): string {
  const body = JSON.stringify({ query: stringifyDocument(query), variables: variables ?? {} }).replaceAll("'", "'\\''");
  return `curl ${window.location.origin}/graphql \\\n  -H "X-API-Key: $KEY" \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'`;
}
