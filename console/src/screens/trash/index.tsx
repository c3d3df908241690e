import { Group, Text } from '@mantine/core';
import { useLocation } from 'wouter';
import {
  EraseDocumentDocument,
  RestoreDocumentDocument,
  TrashDocument,
  type TrashQuery,
} from '../../graph/trash/graphql';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { ConfirmedButton } from '../../ui/confirmedButton';
import { GuardedButton } from '../../ui/guardedButton';
import { useNotice } from '../../ui/notice';
import { EmptyPage, PageLinks, usePageCursor } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { Screen, useScreen } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import { useAction } from '../../ui/useAction';

type Deleted = NonNullable<TrashQuery['deletedDocuments']>['nodes'][number];

/** The deleted documents, which can be restored or erased. */
export default function Trash() {
  const { t } = useTranslator();
  const result = useScreen(TrashDocument, { after: usePageCursor() });
  const mayEdit = useMay('EDIT');
  return (
    <Screen
      title={t('trash.title')}
      lead={
        <>
          <ScreenLink isInText to="/documents">
            {t('nav.documents')}
          </ScreenLink>{' '}
          · {t('trash.lead')}
        </>
      }
      result={result}
    >
      {({ deletedDocuments }) => (
        <Panel title={t('trash.title')}>
          {deletedDocuments?.nodes.length === 0 && (
            <EmptyPage title={t('trash.nothing')} hint={t('trash.nothingHint')} />
          )}
          <ul className="rows">
            {deletedDocuments?.nodes.map((document) => (
              <DeletedRow
                key={document.documentId}
                document={document}
                mayEdit={mayEdit}
                reload={result.retry}
              />
            ))}
          </ul>
          <PageLinks page={deletedDocuments?.pageInfo} />
        </Panel>
      )}
    </Screen>
  );
}

interface RowProps {
  readonly document: Deleted;
  readonly mayEdit: boolean | undefined;
  readonly reload: () => void;
}

function DeletedRow({ document, mayEdit, reload }: RowProps) {
  const { t, date } = useTranslator();
  const notify = useNotice();
  const [, navigate] = useLocation();
  const restore = useAction(RestoreDocumentDocument);
  const erase = useAction(EraseDocumentDocument);
  const variables = { documentId: document.documentId };
  const bringBack = async () => {
    if (await restore.run(variables)) {
      notify(t('trash.restored'));
      navigate(`/documents/${document.documentId}`);
    }
  };
  const eraseFinally = async () => {
    if (await erase.run(variables)) {
      notify(t('trash.erased'));
      reload();
    }
  };
  const title = document.title || t('document.untitled');
  return (
    <li>
      <Group justify="space-between" wrap="wrap">
        <div>
          <Text dir="auto">{title}</Text>
          <Text size="xs" c="dimmed">
            {[
              t('trash.deleted', { at: date(document.deletedAt) }),
              document.deletedBy?.name,
              t('trash.until', { at: date(document.restorableUntil) }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        </div>
        <Group gap="xs">
          <GuardedButton
            allowed={mayEdit}
            size="xs"
            variant="light"
            loading={restore.fetching}
            aria-label={t('trash.restoreNamed', { name: title })}
            onClick={() => void bringBack()}
          >
            {t('trash.restore')}
          </GuardedButton>
          <ConfirmedButton
            allowed={mayEdit}
            size="xs"
            variant="subtle"
            color="red"
            loading={erase.fetching}
            subject={document.documentId}
            action={t('trash.erase')}
            question={t('trash.eraseQuestion', { name: title })}
            run={eraseFinally}
          />
        </Group>
      </Group>
    </li>
  );
}
