import { Alert, Button, Text } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import { NearDuplicatesDocument, type NearDuplicatesQuery } from '../graph/document/graphql';
import { useTranslator } from '../i18n';
import { problemText } from '../problem';
import { ScreenLink } from '../ui/link';
import { Panel } from '../ui/panel';
import { EmptyState } from '../ui/screen';

/** Offers the documents whose texts are nearly that of a document. */
export function Duplicates({ documentId }: { documentId: string }) {
  const { t } = useTranslator();
  const [isAsked, setAsked] = useState(false);
  const [{ data, error, fetching }, repeat] = useQuery({ query: NearDuplicatesDocument, variables: { id: documentId }, pause: !isAsked, requestPolicy: 'network-only' });
  const ask = () => (isAsked ? repeat({ requestPolicy: 'network-only' }) : setAsked(true));
  if (isAsked && data?.nearDuplicates) {
    return <Found found={data.nearDuplicates} />;
  }
  return (
    <div>
      <Button size="xs" variant="default" loading={fetching} leftSection={<IconCopy size={14} aria-hidden />} onClick={ask}>
        {t('duplicates.ask')}
      </Button>
      {error && <Alert color="red">{problemText(error, t)}</Alert>}
    </div>
  );
}

function Found({ found }: { found: NonNullable<NearDuplicatesQuery['nearDuplicates']> }) {
  const { t, date, percent } = useTranslator();
  return (
    <Panel title={t('duplicates.title')}>
      {found.length === 0 && <EmptyState title={t('duplicates.nothing')} hint={t('duplicates.nothingHint')} />}
      <ul className="rows">
        {found.map(({ documentId, document, similarity }) => (
          <li key={documentId}>
            <ScreenLink to={`/documents/${documentId}`} className="row-link">
              {document?.title || t('document.untitled')}
            </ScreenLink>
            <Text size="xs" c="dimmed">
              {[t('duplicates.similarity', { share: percent(similarity) }), document?.createdAt && date(document.createdAt)].filter(Boolean).join(' · ')}
            </Text>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
