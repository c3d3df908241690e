import { Button, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type CombinedError, useQuery } from 'urql';
import { ReviewMembersDocument } from '../../graph/draft/graphql';
import { useTranslator } from '../../i18n';
import { fieldProblem } from '../../problemText';
import { RefusalAlert } from '../../ui/refusalAlert';
import { FormButtons } from './formButtons';

interface Person {
  readonly id: string;
  readonly name: string;
}

/** What a form of a comment sends. */
export interface CommentValue {
  readonly text: string;
  readonly mentionedUserIds: string[];
}

interface CommentFormProps {
  readonly label: string;
  readonly action: string;
  /** The words that the comment is about. */
  readonly quote?: string | undefined;
  readonly text?: string;
  readonly mentions?: readonly Person[];
  readonly fetching: boolean;
  readonly error: CombinedError | undefined;
  /** Sends the comment and reports whether it is stored. */
  readonly send: (value: CommentValue) => Promise<boolean>;
  readonly close: () => void;
}

/** Asks for the words of a comment or a reply, and whom it mentions. */
export function CommentForm({
  label,
  action,
  quote,
  text: initial = '',
  mentions: before = [],
  fetching,
  error,
  send,
  close,
}: CommentFormProps) {
  const [text, setText] = useState(initial);
  const [mentions, setMentions] = useState(before);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await send({ text, mentionedUserIds: mentions.map(({ id }) => id) })) {
      close();
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="sm">
        {quote !== undefined && <CommentedWords words={quote} />}
        <Textarea
          label={label}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={fieldProblem(error, 'text')}
          autosize
          minRows={2}
          maxLength={10_000}
          data-autofocus
          autoFocus
          dir="auto"
        />
        <Mentions chosen={mentions} choose={setMentions} />
        <RefusalAlert error={error} fields={['text']} />
        <FormButtons action={action} fetching={fetching} isDisabled={!text.trim()} close={close} />
      </Stack>
    </form>
  );
}

/** The words that a comment is about, at most three lines of them. */
export function CommentedWords({ words }: { words: string }) {
  return (
    <Text size="sm" fs="italic" c="dimmed" lineClamp={3} dir="auto">
      “{words}”
    </Text>
  );
}

function Mentions({
  chosen,
  choose,
}: {
  chosen: readonly Person[];
  choose: (people: readonly Person[]) => void;
}) {
  const { t } = useTranslator();
  const [{ data }] = useQuery({ query: ReviewMembersDocument });
  const people = (data?.viewer?.workspace?.members?.nodes ?? []).flatMap(({ user }) =>
    user && !chosen.some(({ id }) => id === user.id) ? [user] : [],
  );
  if (people.length === 0 && chosen.length === 0) {
    return null;
  }
  return (
    <Stack gap={6}>
      <NativeSelect
        size="xs"
        label={t('comments.mention')}
        value=""
        onChange={(event) => {
          const person = people.find(({ id }) => id === event.currentTarget.value);
          if (person) {
            choose([...chosen, person]);
          }
        }}
        data={[
          { value: '', label: t('comments.nobody') },
          ...people.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      {chosen.length > 0 && (
        <Group gap={6}>
          {chosen.map((person) => (
            <Button
              key={person.id}
              size="compact-xs"
              variant="light"
              aria-label={t('comments.unmention', { name: person.name })}
              onClick={() => choose(chosen.filter(({ id }) => id !== person.id))}
            >
              @{person.name} ×
            </Button>
          ))}
        </Group>
      )}
    </Stack>
  );
}
