import { Badge, Button, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import {
  ChangeCommentDocument,
  type CommentWordsFragment,
  DeleteCommentDocument,
  type DiscussionFragment,
  ReopenCommentDocument,
  ReplyToCommentDocument,
  ResolveCommentDocument,
} from '../../graph/draft/graphql';
import { useTranslator } from '../../i18n';
import { useFrame, useMay } from '../../liveUpdates';
import { ConfirmedButton } from '../../ui/confirmedButton';
import { GuardedButton } from '../../ui/guardedButton';
import type { Quote } from '../../ui/passages';
import { useAction } from '../../ui/useAction';
import { CommentedWords, CommentForm } from './commentForm';
import { commentQuote } from './commentPassages';
import type { DraftDetails } from './draft';

interface DiscussionProps {
  readonly draft: DraftDetails;
  readonly comment: DiscussionFragment;
  readonly isActive: boolean;
  /** Called with the comment when its passage is chosen. */
  readonly show: (quote: Quote) => void;
}

/** The id of the element of a comment, which gets the focus when its passage is chosen. */
export const commentElement = (id: string) => `comment-${id}`;

/** A comment, the passage that it is about, and the replies. */
export function Discussion({ draft, comment, isActive, show }: DiscussionProps) {
  const { t } = useTranslator();
  const [isReplying, setReplying] = useState(false);
  const place = commentQuote(draft.content ?? '', comment);
  const { replies, quote } = comment;
  const more = (replies?.totalCount ?? 0) - (replies?.nodes.length ?? 0);
  return (
    <li
      id={commentElement(comment.id)}
      tabIndex={-1}
      className="comment"
      aria-current={isActive ? 'true' : undefined}
    >
      <Stack gap="xs">
        {quote != null &&
          (place ? (
            <UnstyledButton
              className="quote"
              aria-label={t('comments.showPassage', { words: place.text })}
              onClick={() => show(place)}
            >
              <CommentedWords words={place.text} />
            </UnstyledButton>
          ) : (
            <div>
              <CommentedWords words={quote} />
              <Text size="xs" c="dimmed">
                {t('comments.gone')}
              </Text>
            </div>
          ))}
        <Words draft={draft} comment={comment} />
        {replies && replies.nodes.length > 0 && (
          <ul className="comment-replies" aria-label={t('comments.replies')}>
            {replies.nodes.map((reply) => (
              <li key={reply.id} id={commentElement(reply.id)} tabIndex={-1} className="comment">
                <Words draft={draft} comment={reply} />
              </li>
            ))}
          </ul>
        )}
        {more > 0 && (
          <Text size="xs" c="dimmed">
            {t('comments.moreReplies', { count: more })}
          </Text>
        )}
        {isReplying ? (
          <ReplyForm draft={draft} comment={comment} close={() => setReplying(false)} />
        ) : (
          <DiscussionActions draft={draft} comment={comment} reply={() => setReplying(true)} />
        )}
      </Stack>
    </li>
  );
}

function DiscussionActions({
  draft,
  comment,
  reply,
}: Pick<DiscussionProps, 'draft' | 'comment'> & { readonly reply: () => void }) {
  const { t, dateTime } = useTranslator();
  const mayAsk = useMay('ASK');
  const resolve = useAction(ResolveCommentDocument);
  const reopen = useAction(ReopenCommentDocument);
  const input = { draftId: draft.id, commentId: comment.id };
  return (
    <Group gap="xs">
      <GuardedButton size="compact-xs" variant="default" allowed={mayAsk} onClick={reply}>
        {t('comments.reply')}
      </GuardedButton>
      {comment.resolvedAt ? (
        <>
          <GuardedButton
            size="compact-xs"
            variant="default"
            allowed={mayAsk}
            loading={reopen.fetching}
            onClick={() => void reopen.run({ input })}
          >
            {t('comments.reopen')}
          </GuardedButton>
          <Badge variant="light" color="green">
            {t('comments.resolvedBy', {
              name: comment.resolvedBy?.name ?? t('history.program'),
              when: dateTime(comment.resolvedAt),
            })}
          </Badge>
        </>
      ) : (
        <GuardedButton
          size="compact-xs"
          variant="default"
          allowed={mayAsk}
          loading={resolve.fetching}
          onClick={() => void resolve.run({ input })}
        >
          {t('comments.resolve')}
        </GuardedButton>
      )}
    </Group>
  );
}

function ReplyForm({
  draft,
  comment,
  close,
}: Pick<DiscussionProps, 'draft' | 'comment'> & { readonly close: () => void }) {
  const { t } = useTranslator();
  const [{ fetching, error }, reply] = useMutation(ReplyToCommentDocument);
  return (
    <CommentForm
      label={t('comments.yourReply')}
      action={t('comments.reply')}
      fetching={fetching}
      error={error}
      send={async (value) => {
        const input = { draftId: draft.id, commentId: comment.id, ...value };
        return Boolean((await reply({ input })).data?.replyToDraftComment);
      }}
      close={close}
    />
  );
}

interface WordsProps {
  readonly draft: DraftDetails;
  readonly comment: CommentWordsFragment;
}

/** Who wrote what and when; its author can change it, and owners can delete it too. */
function Words({ draft, comment }: WordsProps) {
  const { t, ago, dateTime } = useTranslator();
  const [isEdited, setEdited] = useState(false);
  const { author, createdAt, editedAt, mentions } = comment;
  if (isEdited) {
    return <ChangeForm draft={draft} comment={comment} close={() => setEdited(false)} />;
  }
  return (
    <div>
      <Text size="xs" c="dimmed">
        <Text span size="sm" fw={600} c="var(--mantine-color-text)">
          {author?.name ?? t('history.program')}
        </Text>{' '}
        <time dateTime={createdAt} title={dateTime(createdAt)}>
          {ago(createdAt)}
        </time>
        {editedAt && ` · ${t('comments.edited')}`}
      </Text>
      <Text size="sm" style={{ whiteSpace: 'pre-wrap' }} dir="auto">
        {comment.text}
      </Text>
      {mentions && mentions.length > 0 && (
        <Text size="xs" c="dimmed">
          {t('comments.mentions', { names: mentions.map(({ name }) => name).join(', ') })}
        </Text>
      )}
      <OwnActions draft={draft} comment={comment} edit={() => setEdited(true)} />
    </div>
  );
}

function OwnActions({ draft, comment, edit }: WordsProps & { readonly edit: () => void }) {
  const { t } = useTranslator();
  const viewer = useFrame()?.viewer;
  const remove = useAction(DeleteCommentDocument);
  const isOwn = viewer?.user != null && viewer.user.id === comment.author?.id;
  if (!isOwn && !viewer?.can.includes('MANAGE')) {
    return null;
  }
  return (
    <Group gap="xs" mt={4}>
      {isOwn && (
        <Button size="compact-xs" variant="subtle" onClick={edit}>
          {t('action.edit')}
        </Button>
      )}
      <ConfirmedButton
        size="compact-xs"
        variant="subtle"
        color="red"
        loading={remove.fetching}
        subject={comment.id}
        action={t('action.delete')}
        question={t('comments.deleteQuestion')}
        run={() => remove.run({ input: { draftId: draft.id, commentId: comment.id } })}
      />
    </Group>
  );
}

function ChangeForm({ draft, comment, close }: WordsProps & { readonly close: () => void }) {
  const { t } = useTranslator();
  const [{ fetching, error }, change] = useMutation(ChangeCommentDocument);
  return (
    <CommentForm
      label={t('comments.yourComment')}
      action={t('action.save')}
      text={comment.text}
      mentions={comment.mentions ?? []}
      fetching={fetching}
      error={error}
      send={async (value) => {
        const input = { draftId: draft.id, commentId: comment.id, ...value };
        return Boolean((await change({ input })).data?.updateDraftComment);
      }}
      close={close}
    />
  );
}
