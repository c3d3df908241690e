import { ActionIcon, Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconSend, IconThumbDown, IconThumbUp } from '@tabler/icons-react';
import {
  type Dispatch,
  type FormEvent,
  type KeyboardEvent,
  type SetStateAction,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useClient } from 'urql';
import { useConnected } from '../../connection';
import { refusalText } from '../../errorTranslation';
import {
  type AddPersonaFeedbackInput,
  AddFeedbackDocument,
  AskDocument,
  type AskPersonaInput,
  type AskSubscription,
  type FeedbackType,
  type InteractionRowFragment,
} from '../../graph/persona/graphql';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { problemText } from '../../problemText';
import { useNotice } from '../../ui/notice';
import { Panel } from '../../ui/panel';
import { EmptyState } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import { useAction } from '../../ui/useAction';
import type { PersonaDetails } from './persona';

/** A question, with the answer so far. */
interface Pending {
  readonly question: string;
  readonly answer: string;
}

interface Conversation {
  readonly turns: readonly InteractionRowFragment[];
  readonly pending: Pending | null;
  readonly followUps: readonly string[];
  readonly problem: string | null;
  readonly ask: (question: string) => void;
}

/**
 * Asks a persona over the screen's socket. The answer arrives in parts, then as a stored
 * interaction with sources. The stream has no positions: a dropped socket asks again, and the
 * answer begins again.
 */
function useConversation(persona: PersonaDetails): Conversation {
  const client = useClient();
  const translator = useTranslator();
  const { t } = translator;
  const [newTurns, setNewTurns] = useState<readonly InteractionRowFragment[]>([]);
  const [pending, setPending] = useState<Pending | null>(null);
  const [followUps, setFollowUps] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);
  useRestart(setPending);
  const end = (failure: string | null) => {
    stop.current?.();
    stop.current = null;
    setPending(null);
    setProblem(failure);
  };
  const receive = (event: AskSubscription['interactStream']) => {
    if (event.kind === 'DELTA') {
      setPending((before) => before && { ...before, answer: before.answer + (event.delta ?? '') });
    } else if (event.kind === 'FAILED') {
      end(event.failure ? refusalText(translator, event.failure.code, event.failure.message) : '');
    } else {
      const stored = event.interaction?.interaction;
      setNewTurns((before) => (stored ? [...before, stored] : before));
      setFollowUps(event.interaction?.followUpQuestions ?? []);
      end(event.interaction?.warning ?? null);
    }
  };
  const ask = (question: string) => {
    setProblem(null);
    setFollowUps([]);
    setPending({ question, answer: '' });
    const input: AskPersonaInput = {
      personaId: persona.id,
      inputContent: question,
      interactionType: 'CONVERSATION',
      enableFollowUpQuestions: true,
      sessionId: newTurns.at(-1)?.sessionId,
    };
    const subscription = client
      .subscription(AskDocument, { input })
      .subscribe(({ data, error }) => {
        if (error) {
          end(problemText(error, t));
        } else if (data) {
          receive(data.interactStream);
        }
      });
    stop.current = () => subscription.unsubscribe();
  };
  const earlier = (persona.interactions?.nodes ?? [])
    .filter(({ id }) => !newTurns.some((one) => one.id === id))
    .toReversed();
  return { turns: [...earlier, ...newTurns], pending, followUps, problem, ask };
}

/** Empties the answer so far when the socket drops. */
function useRestart(setPending: Dispatch<SetStateAction<Pending | null>>): void {
  const isConnected = useConnected();
  useEffect(() => {
    if (!isConnected) {
      setPending((before) => before && { ...before, answer: '' });
    }
  }, [isConnected, setPending]);
}

/** The conversation with a persona. */
export function Chat({
  persona,
  mayWrite,
}: {
  persona: PersonaDetails;
  mayWrite: boolean | undefined;
}) {
  const { t } = useTranslator();
  const { turns, pending, followUps, problem, ask } = useConversation(persona);
  return (
    <Panel title={t('chat.title')}>
      <Stack p="md" gap="md">
        {turns.length === 0 && !pending && (
          <EmptyState title={t('chat.none', { name: persona.name })} hint={t('chat.noneHint')} />
        )}
        <Stack gap="md" role="log" aria-label={t('chat.title')} aria-live="polite">
          {turns.map((turn) => (
            <Turn
              key={turn.id}
              question={turn.inputContent}
              answer={turn.outputContent}
              turn={turn}
              persona={persona}
              mayWrite={mayWrite}
            />
          ))}
          {pending && (
            <Turn
              question={pending.question}
              answer={pending.answer || '…'}
              persona={persona}
              mayWrite={false}
            />
          )}
        </Stack>
        {problem && (
          <Alert color="orange" role="alert">
            {problem}
          </Alert>
        )}
        {followUps.length > 0 && !pending && (
          <Group gap="xs">
            {followUps.map((question) => (
              <Button
                key={question}
                size="xs"
                variant="light"
                onClick={() => ask(question)}
                styles={{
                  label: { whiteSpace: 'normal' },
                  root: { blockSize: 'auto', paddingBlock: 6 },
                }}
              >
                {question}
              </Button>
            ))}
          </Group>
        )}
        {mayWrite && <QuestionForm busy={pending !== null} ask={ask} name={persona.name} />}
      </Stack>
    </Panel>
  );
}

function QuestionForm({
  busy,
  ask,
  name,
}: {
  busy: boolean;
  ask: (question: string) => void;
  name: string;
}) {
  const { t } = useTranslator();
  const [text, setText] = useState('');
  const send = () => {
    if (text.trim() && !busy) {
      ask(text.trim());
      setText('');
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const sendOnEnter = (event: KeyboardEvent) => {
    // The Enter that confirms a word of an input method sends nothing.
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      send();
    }
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" wrap="nowrap" gap="xs">
        <Textarea
          label={t('chat.question', { name })}
          labelProps={{ style: { overflowWrap: 'anywhere' } }}
          placeholder={t('chat.placeholder')}
          autosize
          maxRows={8}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={sendOnEnter}
          style={{ flex: 1, minInlineSize: 0 }}
        />
        <ActionIcon type="submit" size={36} loading={busy} aria-label={t('chat.send')}>
          <IconSend size={18} className="mirrored" aria-hidden />
        </ActionIcon>
      </Group>
    </form>
  );
}

interface TurnProps {
  readonly question: string;
  readonly answer: string;
  readonly turn?: InteractionRowFragment;
  readonly persona: PersonaDetails;
  readonly mayWrite: boolean | undefined;
}

function Turn({ question, answer, turn, persona, mayWrite }: TurnProps) {
  const mayReview = useMay('REVIEW');
  const { t } = useTranslator();
  return (
    <Stack gap={6}>
      <div className="bubble own" dir="auto">
        {question}
      </div>
      <div className="bubble" dir="auto">
        {answer}
      </div>
      {turn && (
        <Group gap="xs" justify="space-between">
          <Text size="xs" c="dimmed" component="div">
            {turn.sources && turn.sources.length > 0 && (
              <>
                {t('chat.sources')}{' '}
                {turn.sources.map((source, i) => (
                  <span key={source.id}>
                    {i > 0 && ' · '}
                    <ScreenLink to={`/documents/${source.id}`}>{source.title}</ScreenLink>
                  </span>
                ))}
              </>
            )}
          </Text>
          {mayWrite && mayReview && <Feedback turn={turn} persona={persona} />}
        </Group>
      )}
    </Stack>
  );
}

function Feedback({ turn, persona }: { turn: InteractionRowFragment; persona: PersonaDetails }) {
  const { t } = useTranslator();
  const notify = useNotice();
  const feedback = useAction(AddFeedbackDocument);
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  const give = async (feedbackType: FeedbackType, description: string) => {
    const input: AddPersonaFeedbackInput = {
      personaId: persona.id,
      interactionId: turn.id,
      feedbackType,
      description,
      messageContent: turn.outputContent,
    };
    if (await feedback.run({ input })) {
      notify(t('chat.thanks'));
      setOpen(false);
    }
  };
  return (
    <Group gap={2}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('chat.good')}
        onClick={() => void give('POSITIVE', t('chat.good'))}
      >
        <IconThumbUp size={14} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('chat.bad')}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <IconThumbDown size={14} aria-hidden />
      </ActionIcon>
      {open && (
        <Group gap="xs" wrap="nowrap" align="flex-end">
          <Textarea
            autosize
            size="xs"
            label={t('chat.why')}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Button
            size="xs"
            disabled={!text.trim()}
            loading={feedback.fetching}
            onClick={() => void give('NEGATIVE', text)}
          >
            {t('action.save')}
          </Button>
        </Group>
      )}
    </Group>
  );
}
