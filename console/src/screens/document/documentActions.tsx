import { IconSparkles, IconTrash, IconUsers } from '@tabler/icons-react';
import { useLocation } from 'wouter';
import {
  CollectReactionsDocument,
  DeleteDocumentDocument,
  FindSignalsDocument,
} from '../../graph/document/graphql';
import { RetryDocumentDocument } from '../../graph/graphql';
import { useTranslator } from '../../i18n';
import { ConfirmedButton } from '../../ui/confirmedButton';
import { GuardedButton } from '../../ui/guardedButton';
import { useNotice } from '../../ui/notice';
import { ModelHint } from '../../ui/modelHint';
import { useAction } from '../../ui/useAction';
import type { DocumentDetails } from './document';

/** The buttons of a document: find signals, collect reactions, retry, delete. */
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
  const erase = async () => {
    if (await remove.run(variables)) {
      notify(t('document.deleted'));
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
        leftSection={<IconSparkles size={14} aria-hidden />}
        loading={signals.fetching}
        onClick={() => void start(signals.run)}
      >
        {t('document.findSignals')}
      </GuardedButton>
      <GuardedButton
        allowed={mayWrite}
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
        allowed={mayWrite}
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
