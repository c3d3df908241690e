import { Alert, Group, NativeSelect, Stack, Text, TextInput, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation, useQuery } from 'urql';
import {
  ApproveDraftDocument,
  RequestDraftReviewDocument,
  ReturnDraftDocument,
  ReviewMembersDocument,
} from '../../graph/draft/graphql';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { fieldProblem } from '../../problemText';
import { DraftStateBadge, useDue } from '../../ui/draftState';
import { GuardedButton } from '../../ui/guardedButton';
import { useNotice } from '../../ui/notice';
import { Panel } from '../../ui/panel';
import { RefusalAlert } from '../../ui/refusalAlert';
import { useAction } from '../../ui/useAction';
import { localTime } from '../../ui/visibilityFields';
import type { DraftDetails } from './draft';
import { FormButtons } from './formButtons';
import { Publication } from './publication';

interface ReviewProps {
  readonly draft: DraftDetails;
  readonly mayWrite: boolean | undefined;
  /** True if the fields have words that are not saved. */
  readonly isChanged: boolean;
}

/** How far a draft is, and what the viewer can do next. */
export function Review({ draft, mayWrite, isChanged }: ReviewProps) {
  const { t } = useTranslator();
  const due = useDue();
  const mayReview = useMay('REVIEW');
  const [form, setForm] = useState<'ask' | 'return' | null>(null);
  const close = () => setForm(null);
  const { state, assignee, dueAt } = draft;
  return (
    <Panel title={t('review.draftTitle')} actions={<DraftStateBadge state={state} />}>
      <Stack gap="sm" p="md">
        {(assignee || dueAt) && (
          <Text size="sm">
            {[assignee && t('review.waitsFor', { name: assignee.name }), dueAt && due(dueAt)]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        )}
        {state === 'DRAFT' && <Return draft={draft} />}
        {isChanged && (
          <Text size="sm" c="dimmed">
            {t('review.saveFirst')}
          </Text>
        )}
        {form === 'ask' && <RequestForm draft={draft} close={close} />}
        {form === 'return' && <ReturnForm draft={draft} close={close} />}
        {form === null && state !== 'PUBLISHED' && (
          <Group gap="xs">
            {(state === 'DRAFT' || state === 'IN_REVIEW') && (
              <GuardedButton
                size="xs"
                variant="default"
                allowed={mayWrite}
                disabled={isChanged}
                onClick={() => setForm('ask')}
              >
                {state === 'DRAFT' ? t('review.ask') : t('review.changeRequest')}
              </GuardedButton>
            )}
            {state === 'IN_REVIEW' && (
              <ApproveButton draft={draft} mayReview={mayReview} isChanged={isChanged} />
            )}
            {(state === 'IN_REVIEW' || state === 'APPROVED') && (
              <GuardedButton
                size="xs"
                variant="default"
                allowed={mayReview}
                disabled={isChanged}
                onClick={() => setForm('return')}
              >
                {t('review.draftReturn')}
              </GuardedButton>
            )}
          </Group>
        )}
        <Publication draft={draft} isChanged={isChanged} />
      </Stack>
    </Panel>
  );
}

/** Who returned the draft, and what is to be changed; nothing if that was not its last change. */
function Return({ draft }: Pick<ReviewProps, 'draft'>) {
  const { t, ago } = useTranslator();
  const change = draft.stateChanges?.nodes[0];
  if (change?.action !== 'RETURNED') {
    return null;
  }
  const name = change.by?.name ?? t('history.program');
  return (
    <Alert color="orange" title={t('review.returnedBy', { name, when: ago(change.at) })}>
      <Text size="sm" style={{ whiteSpace: 'pre-wrap' }} dir="auto">
        {change.reason}
      </Text>
    </Alert>
  );
}

function ApproveButton({
  draft,
  mayReview,
  isChanged,
}: Pick<ReviewProps, 'draft' | 'isChanged'> & { readonly mayReview: boolean | undefined }) {
  const { t } = useTranslator();
  const notify = useNotice();
  const approve = useAction(ApproveDraftDocument);
  const version = draft.currentVersion;
  const run = async () => {
    if (version && (await approve.run({ input: { draftId: draft.id, versionId: version.id } }))) {
      notify(t('review.draftApproved', { number: version.number }));
    }
  };
  return (
    <GuardedButton
      size="xs"
      allowed={mayReview}
      disabled={isChanged}
      loading={approve.fetching}
      onClick={() => void run()}
    >
      {t('review.draftApprove')}
    </GuardedButton>
  );
}

interface FormProps {
  readonly draft: DraftDetails;
  readonly close: () => void;
}

/** Asks who is to review the text, and until when. */
function RequestForm({ draft, close }: FormProps) {
  const { t, name } = useTranslator();
  const notify = useNotice();
  const isAsked = draft.state === 'IN_REVIEW';
  const [assigneeId, setAssignee] = useState((isAsked && draft.assignee?.id) || '');
  const [due, setDue] = useState(localTime(draft.dueAt));
  const [{ data }] = useQuery({ query: ReviewMembersDocument });
  const [{ fetching, error }, request] = useMutation(RequestDraftReviewDocument);
  const reviewers = (data?.viewer?.workspace?.members?.nodes ?? []).filter(({ role }) =>
    ['OWNER', 'EDITOR', 'REVIEWER', 'MEMBER'].includes(role),
  );
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const input = {
      draftId: draft.id,
      versionId: draft.currentVersion?.id ?? null,
      assigneeId: assigneeId || null,
      ...(due !== localTime(draft.dueAt) && { dueAt: due ? new Date(due).toISOString() : null }),
    };
    if ((await request({ input })).data?.requestDraftReview) {
      notify(t('review.asked'));
      close();
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="sm">
        <NativeSelect
          autoFocus
          label={t('review.assignee')}
          value={assigneeId}
          onChange={(event) => setAssignee(event.currentTarget.value)}
          error={fieldProblem(error, 'assigneeId')}
          data={[
            { value: '', label: t('review.anyone') },
            ...reviewers.flatMap(({ user, role }) =>
              user ? [{ value: user.id, label: `${user.name} · ${name('role', role)}` }] : [],
            ),
          ]}
        />
        <TextInput
          type="datetime-local"
          label={t('review.due')}
          value={due}
          onChange={(event) => setDue(event.currentTarget.value)}
          error={fieldProblem(error, 'dueAt')}
        />
        <RefusalAlert error={error} fields={['assigneeId', 'dueAt']} />
        <FormButtons action={t('review.ask')} fetching={fetching} close={close} />
      </Stack>
    </form>
  );
}

/** Asks for the reason of a return. */
function ReturnForm({ draft, close }: FormProps) {
  const { t } = useTranslator();
  const notify = useNotice();
  const [reason, setReason] = useState('');
  const [{ fetching, error }, giveBack] = useMutation(ReturnDraftDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const versionId = draft.currentVersion?.id ?? '';
    const { data } = await giveBack({ input: { draftId: draft.id, versionId, reason } });
    if (data?.returnDraft) {
      notify(t('review.draftReturned'));
      close();
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="sm">
        <Textarea
          autoFocus
          label={t('review.reason')}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={fieldProblem(error, 'reason')}
          autosize
          minRows={2}
          dir="auto"
        />
        <RefusalAlert error={error} fields={['reason']} />
        <FormButtons
          action={t('review.draftReturn')}
          fetching={fetching}
          isDisabled={!reason.trim()}
          close={close}
        />
      </Stack>
    </form>
  );
}
