import { Button, CopyButton, Group, Text } from '@mantine/core';
import { useMutation } from 'urql';
import { useLocation } from 'wouter';
import { SaveDraftDocument } from '../../graph/draft/graphql';
import { useTranslator } from '../../i18n';
import { GuardedButton } from '../../ui/guardedButton';
import { useNotice } from '../../ui/notice';
import { RefusalAlert } from '../../ui/refusalAlert';
import { discardUnsaved } from '../../unsavedChanges';
import type { DraftDetails } from './draft';
import { copyInput } from './draftFields';
import type { DraftEditor } from './useDraftEditor';

interface KeepProps {
  readonly draft: DraftDetails;
  readonly editor: DraftEditor;
  readonly mayWrite: boolean | undefined;
}

/** What can be done with the text of a draft that was deleted while it was edited. */
export function KeepDeleted({ draft, editor, mayWrite }: KeepProps) {
  const { t } = useTranslator();
  const notify = useNotice();
  const [, navigate] = useLocation();
  const [{ fetching, error }, save] = useMutation(SaveDraftDocument);
  const keep = async () => {
    const { data } = await save({ input: copyInput(draft, editor.fields) });
    const id = data?.saveDraft?.draft?.id;
    if (id) {
      discardUnsaved();
      notify(t('drafts.stored'));
      navigate(`/drafts/${id}`, { replace: true });
    }
  };
  return (
    <>
      <Text size="sm" role="status" data-draft-state>
        {t('drafts.wasDeleted')}
      </Text>
      <RefusalAlert error={error} />
      <Group gap="xs">
        <GuardedButton allowed={mayWrite} loading={fetching} onClick={() => void keep()}>
          {t('drafts.saveAsNew')}
        </GuardedButton>
        <CopyButton value={editor.content}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? t('action.copied') : t('drafts.copyText')}
            </Button>
          )}
        </CopyButton>
      </Group>
    </>
  );
}
