import { Alert, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { type RefObject, useState } from 'react';
import { RewritePhraseDocument, RewriteSegmentDocument } from '../../graph/draft/graphql';
import { useTranslator } from '../../i18n';
import { Panel } from '../../ui/panel';
import { useAction } from '../../ui/useAction';
import { WordChanges } from '../../ui/wordChanges';
import { warningText } from '../../warningText';
import type { TextEditor, TextSelection } from './markedEditor';
import { type Proposal, hasSentenceEnd, placeOf, rewriteInput, rewrittenPart } from './rewriteText';

/** The proposal that waits for a decision, and the one that was accepted last. */
export interface ProposalState {
  readonly current: Proposal | null;
  readonly accepted: Proposal | null;
  /** Reports whether the text still has the part that the proposal replaces. */
  readonly fits: boolean;
  readonly offer: (proposal: Proposal) => void;
  /** Takes a proposal into the text at once. */
  readonly apply: (proposal: Proposal) => void;
  readonly accept: () => void;
  readonly reject: () => void;
  readonly undo: () => void;
}

export function useProposal(content: string, text: RefObject<TextEditor | null>): ProposalState {
  const [current, setCurrent] = useState<Proposal | null>(null);
  const [accepted, setAccepted] = useState<Proposal | null>(null);
  const replace = (part: string, instead: string, start: number) => {
    const at = placeOf(content, part, start);
    text.current?.replace(at, at + part.length, instead);
  };
  return {
    current,
    accepted: accepted && placeOf(content, accepted.after, accepted.start) >= 0 ? accepted : null,
    fits: current !== null && placeOf(content, current.before, current.start) >= 0,
    offer(proposal) {
      setAccepted(null);
      setCurrent(proposal);
    },
    apply(proposal) {
      replace(proposal.before, proposal.after, proposal.start);
      setAccepted(proposal);
      setCurrent(null);
    },
    accept() {
      if (current) {
        replace(current.before, current.after, current.start);
        setAccepted(current);
        setCurrent(null);
      }
    },
    reject() {
      setCurrent(null);
      text.current?.focus();
    },
    undo() {
      if (accepted) {
        replace(accepted.after, accepted.before, accepted.start);
        setAccepted(null);
      }
    },
  };
}

const instructions = ['natural', 'plainer', 'shorter', 'own'] as const;
type Instruction = (typeof instructions)[number];

/** Asks for a new wording of the selected words. */
export function RewriteSelection({
  content,
  selected,
  proposal,
}: {
  content: string;
  selected: TextSelection;
  proposal: ProposalState;
}) {
  const { t } = useTranslator();
  const [instruction, setInstruction] = useState<Instruction>('natural');
  const [own, setOwn] = useState('');
  const phrase = useAction(RewritePhraseDocument);
  const segment = useAction(RewriteSegmentDocument);
  const part = content.slice(selected.start, selected.end);
  const isReady = part.trim() !== '' && (instruction !== 'own' || own.trim() !== '');
  const run = async () => {
    const action =
      instruction === 'own'
        ? own.trim()
        : instruction === 'natural'
          ? null
          : t(`rewrite.${instruction}`);
    const input = rewriteInput(content, selected, action);
    const text = hasSentenceEnd(part)
      ? (await segment.run({ input }))?.rewriteSegments?.text
      : (await phrase.run({ input }))?.rewritePhrases?.text;
    if (text) {
      const after = rewrittenPart(content, selected, text.content);
      proposal.offer({ start: selected.start, before: part, after, warning: text.warning ?? null });
    }
  };
  return (
    <Group gap="xs" align="flex-end">
      <NativeSelect
        size="xs"
        label={t('rewrite.instruction')}
        data={instructions.map((value) => ({ value, label: t(`rewrite.${value}`) }))}
        value={instruction}
        onChange={(event) => setInstruction(event.currentTarget.value as Instruction)}
      />
      {instruction === 'own' && (
        <TextInput
          size="xs"
          label={t('rewrite.ownLabel')}
          value={own}
          onChange={(event) => setOwn(event.currentTarget.value)}
          style={{ flex: '1 1 10rem' }}
        />
      )}
      <Button
        size="xs"
        variant="light"
        loading={phrase.fetching || segment.fetching}
        disabled={!isReady}
        onClick={() => void run()}
      >
        {t('drafts.rewrite')}
      </Button>
      <Text size="xs" c="dimmed" pb={6}>
        {part.trim()
          ? t('rewrite.selected', { count: Array.from(part).length })
          : t('drafts.select')}
      </Text>
    </Group>
  );
}

/** Shows the proposal as changed words, to accept or reject. An unchanged part shows the reason. */
export function ProposalView({ proposal }: { proposal: ProposalState }) {
  const translator = useTranslator();
  const { t } = translator;
  const { current, accepted } = proposal;
  if (!current) {
    return (
      accepted && (
        <Alert color="green" role="status">
          <Group justify="space-between">
            <Text size="sm">{t('rewrite.accepted')}</Text>
            <Button size="xs" variant="light" onClick={proposal.undo}>
              {t('rewrite.undo')}
            </Button>
          </Group>
        </Alert>
      )
    );
  }
  const isChanged = current.after !== current.before;
  return (
    <Panel title={isChanged ? t('rewrite.proposal') : t('rewrite.unchanged')}>
      <Stack p="md" gap="sm" role="status">
        {current.warning && (
          <Text size="sm" c={isChanged ? 'dimmed' : undefined}>
            {warningText(translator, current.warning)}
          </Text>
        )}
        {isChanged && (
          <WordChanges
            before={current.before}
            after={current.after}
            label={t('rewrite.proposal')}
          />
        )}
        {!proposal.fits && <Text size="sm">{t('rewrite.stale')}</Text>}
        <Group gap="xs">
          {isChanged && (
            <Button size="xs" disabled={!proposal.fits} onClick={proposal.accept}>
              {t('rewrite.accept')}
            </Button>
          )}
          <Button size="xs" variant="default" onClick={proposal.reject}>
            {isChanged ? t('rewrite.reject') : t('action.close')}
          </Button>
        </Group>
      </Stack>
    </Panel>
  );
}
