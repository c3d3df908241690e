import { Text } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { NearDuplicatesDocument, type NearDuplicatesQuery } from '../../graph/document/graphql';
import { useTranslator } from '../../i18n';
import { useDocumentDate } from '../../ui/documentDate';
import { Panel } from '../../ui/panel';
import { QueryButton } from '../../ui/queryButton';
import { EmptyState } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';

/** Offers a search for documents with nearly the same text. */
export function Duplicates({ documentId }: { documentId: string }) {
  const { t } = useTranslator();
  return (
    <QueryButton
      query={NearDuplicatesDocument}
      variables={{ id: documentId }}
      label={t('duplicates.ask')}
      icon={<IconCopy size={14} aria-hidden />}
    >
      {({ nearDuplicates }) => nearDuplicates && <DuplicateList documents={nearDuplicates} />}
    </QueryButton>
  );
}

function DuplicateList({
  documents,
}: {
  documents: NonNullable<NearDuplicatesQuery['nearDuplicates']>;
}) {
  const { t, percent } = useTranslator();
  const documentDate = useDocumentDate();
  return (
    <Panel title={t('duplicates.title')}>
      {documents.length === 0 && (
        <EmptyState title={t('duplicates.nothing')} hint={t('duplicates.nothingHint')} />
      )}
      <ul className="rows">
        {documents.map(({ documentId, document, similarity }) => (
          <li key={documentId}>
            <ScreenLink to={`/documents/${documentId}`} className="row-link">
              {document?.title || t('document.untitled')}
            </ScreenLink>
            <Text size="xs" c="dimmed">
              {[t('duplicates.similarity', { share: percent(similarity) }), documentDate(document)]
                .filter(Boolean)
                .join(' · ')}
            </Text>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
