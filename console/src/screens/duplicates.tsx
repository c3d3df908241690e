import { Text } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { NearDuplicatesDocument, type NearDuplicatesQuery } from '../graph/document/graphql';
import { useTranslator } from '../i18n';
import { ScreenLink } from '../ui/link';
import { Offered } from '../ui/offered';
import { Panel } from '../ui/panel';
import { EmptyState } from '../ui/screen';

/** Offers the documents whose texts are nearly that of a document. */
export function Duplicates({ documentId }: { documentId: string }) {
  const { t } = useTranslator();
  return (
    <Offered query={NearDuplicatesDocument} variables={{ id: documentId }} label={t('duplicates.ask')} icon={<IconCopy size={14} aria-hidden />}>
      {({ nearDuplicates }) => nearDuplicates && <Found found={nearDuplicates} />}
    </Offered>
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
