import { Group, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import {
  CorrectDocumentTextDocument,
  DocumentVersionsDocument,
  type DocumentVersionsQuery,
} from '../../graph/document/graphql';
import { useTranslator } from '../../i18n';
import { ConfirmedButton } from '../../ui/confirmedButton';
import { useNotice } from '../../ui/notice';
import { Panel } from '../../ui/panel';
import { QueryButton } from '../../ui/queryButton';
import { EmptyState } from '../../ui/screen';
import { useAction } from '../../ui/useAction';
import { WordChanges } from '../../ui/wordChanges';
import type { DocumentDetails } from './document';

type Earlier = NonNullable<
  NonNullable<NonNullable<DocumentVersionsQuery['document']>['versions']>['nodes']
>[number];

interface VersionsProps {
  readonly document: DocumentDetails;
  readonly mayWrite: boolean | undefined;
}

/** Offers the earlier texts of a document, which persons replaced. */
export function Versions({ document, mayWrite }: VersionsProps) {
  const { t } = useTranslator();
  return (
    <QueryButton
      query={DocumentVersionsDocument}
      variables={{ id: document.id }}
      label={t('versions.ask')}
      icon={<IconHistory size={14} aria-hidden />}
    >
      {(data) =>
        data.document?.versions && (
          <Panel title={t('versions.title')}>
            {data.document.versions.nodes.length === 0 && (
              <EmptyState title={t('versions.nothing')} hint={t('versions.nothingHint')} />
            )}
            <ul className="rows">
              {data.document.versions.nodes.map((version) => (
                <li key={version.id}>
                  <Version version={version} document={document} mayWrite={mayWrite} />
                </li>
              ))}
            </ul>
          </Panel>
        )
      }
    </QueryButton>
  );
}

/** An earlier text: what the present one changes in it, and a way back. */
function Version({ version, document, mayWrite }: VersionsProps & { version: Earlier }) {
  const { t, date } = useTranslator();
  const notify = useNotice();
  const restore = useAction(CorrectDocumentTextDocument);
  const name = version.replacedBy?.name;
  const at = date(version.replacedAt);
  const run = async () => {
    const input = { documentId: document.id, content: version.content };
    if (await restore.run({ input })) {
      notify(t('document.textSaved'));
    }
  };
  return (
    <details>
      <summary>
        {name ? t('versions.replacedBy', { name, at }) : t('versions.replaced', { at })}
      </summary>
      <Text size="xs" c="dimmed" my={6}>
        {t('versions.changes')}
      </Text>
      <WordChanges
        before={version.content}
        after={document.content ?? ''}
        label={t('versions.changes')}
      />
      <Group gap="xs" mt="xs">
        <ConfirmedButton
          allowed={mayWrite}
          size="xs"
          variant="default"
          loading={restore.fetching}
          subject={version.id}
          action={t('versions.restore')}
          question={t('versions.restoreQuestion')}
          run={run}
        />
      </Group>
    </details>
  );
}
