import { Text } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { NearPassagesDocument, type NearPassagesQuery } from '../../graph/documents/graphql';
import { useTranslator } from '../../i18n';
import { passageAddress } from '../../ui/address';
import { Panel } from '../../ui/panel';
import { QueryButton } from '../../ui/queryButton';
import { EmptyState } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';

/**
 * Offers a search for passages with a similar meaning. It searches all documents, without the
 * list's filters.
 */
export function SimilarPassages({ search }: { search: string }) {
  const { t } = useTranslator();
  return (
    <QueryButton
      query={NearPassagesDocument}
      variables={{ search }}
      label={t('near.ask')}
      icon={<IconSparkles size={14} aria-hidden />}
    >
      {({ passages }) => passages && <PassageList passages={passages} />}
    </QueryButton>
  );
}

function PassageList({
  passages: { matches, pendingDocumentCount },
}: {
  passages: NonNullable<NearPassagesQuery['passages']>;
}) {
  const { t } = useTranslator();
  return (
    <Panel title={t('near.title')}>
      {matches.length === 0 && (
        <EmptyState title={t('near.nothing')} hint={t('near.nothingHint')} />
      )}
      <ul className="rows">
        {matches.map(({ documentId, document, text, start, end }) => (
          <li key={`${documentId}-${start}`}>
            <Text size="sm" component="div">
              <ScreenLink to={passageAddress({ documentId, findingId: 'passage', start, end })}>
                “{text}”
              </ScreenLink>
            </Text>
            <Text size="xs" c="dimmed" dir="auto">
              {document?.title}
            </Text>
          </li>
        ))}
      </ul>
      {pendingDocumentCount > 0 && (
        <Text size="xs" c="dimmed" p="md">
          {t('near.pending', { count: pendingDocumentCount })}
        </Text>
      )}
    </Panel>
  );
}
