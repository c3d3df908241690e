import { IconPencil, IconSparkles, IconTrash, IconUsers } from '@tabler/icons-react';
import { useLocation } from 'wouter';
import {
  CollectReactionsDocument,
  DeleteDocumentDocument,
  FindSignalsDocument,
} from '../../graph/document/graphql';
import { RetryDocumentDocument } from '../../graph/graphql';
import { RestoreDocumentDocument } from '../../graph/trash/graphql';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { ConfirmedButton } from '../../ui/confirmedButton';
import { GuardedButton } from '../../ui/guardedButton';
import { useNotice } from '../../ui/notice';
import { ModelHint } from '../../ui/modelHint';
import { useAction } from '../../ui/useAction';
import type { DocumentDetails } from './document';

/** The buttons of a document: write from it, find signals, collect reactions, retry, delete. */
export function DocumentActions({
  document,
  mayWrite,
  reload,
}: {
  document: DocumentDetails;
  mayWrite: boolean | undefined;
  reload: () => void;
}) {
  const { t } = useTranslator();
  const notify = useNotice();
  const mayAsk = useMay('ASK');
  const mayEdit = useMay('EDIT');
  const [, navigate] = useLocation();
  const signals = useAction(FindSignalsDocument);
  const reactions = useAction(CollectReactionsDocument);
  const retry = useAction(RetryDocumentDocument);
  const remove = useAction(DeleteDocumentDocument);
  const variables = { documentId: document.id };
  const start = async (run: (given: typeof variables) => Promise<unknown>) => {
    if (await run(variables)) {
      notify(t('document.started'));
      reload();
    }
  };
  const restore = useAction(RestoreDocumentDocument);
  const undo = async () => {
    if (await restore.run(variables)) {
      notify(t('trash.restored'));
      navigate(`/documents/${document.id}`);
    }
  };
  const erase = async () => {
    if (await remove.run(variables)) {
      notify(t('document.deleted'), false, { label: t('trash.undo'), run: () => void undo() });
      navigate('/documents');
    }
  };
  return (
    <>
      {document.processingError?.retryable && (
        <GuardedButton
          allowed={mayWrite}
          size="xs"
          variant="light"
          loading={retry.fetching}
          onClick={() => void start(retry.run)}
        >
          {t('document.retry')}
        </GuardedButton>
      )}
      <GuardedButton
        allowed={mayWrite}
        size="xs"
        variant="light"
        leftSection={<IconPencil size={14} aria-hidden />}
        onClick={() => navigate(`/drafts?from=${document.id}`)}
      >
        {t('brief.fromDocument')}
      </GuardedButton>
      <GuardedButton
        allowed={mayWrite}
        size="xs"
        variant="light"
        leftSection={<IconSparkles size={14} aria-hidden />}
        loading={signals.fetching}
        onClick={() => void start(signals.run)}
      >
        {t('document.findSignals')}
      </GuardedButton>
      <GuardedButton
        allowed={mayAsk}
        size="xs"
        variant="light"
        leftSection={<IconUsers size={14} aria-hidden />}
        loading={reactions.fetching}
        onClick={() => void start(reactions.run)}
      >
        {t('document.collect')}
      </GuardedButton>
      <ModelHint message="model.noOpinions" />
      <ConfirmedButton
        allowed={mayEdit}
        size="xs"
        variant="subtle"
        color="red"
        leftSection={<IconTrash size={14} aria-hidden />}
        loading={remove.fetching}
        subject={document.id}
        action={t('action.delete')}
        question={t('action.deleteQuestion', { name: document.title || t('document.untitled') })}
        run={erase}
      />
    </>
  );
}
