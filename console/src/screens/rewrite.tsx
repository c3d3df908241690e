import { Alert, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { diffWordsWithSpace } from 'diff';
import { type RefObject, useMemo, useState } from 'react';
import { RewritePhraseDocument, RewriteSegmentDocument, type RewriteTextInput } from '../graph/draft/graphql';
import { useTranslator } from '../i18n';
import { useAction } from '../ui/action';
import type { Selected } from '../ui/editor';
import { Panel } from '../ui/panel';

/** A new wording of a part of the text; `start` is in UTF-16 units. */
interface Proposal {
  readonly start: number;
  readonly before: string;
  readonly after: string;
  readonly warning: string | null;
}

/** The proposal that waits for a decision, and the one that was accepted last. */
export interface Proposing {
  readonly current: Proposal | null;
  readonly accepted: Proposal | null;
  /** Reports whether the text still has the part that the proposal replaces. */
  readonly fits: boolean;
  offer(proposal: Proposal): void;
  accept(): void;
  reject(): void;
  undo(): void;
}

/** Returns where the text has a part that was at an offset; -1 if it no longer has it. */
function placeOf(content: string, part: string, start: number): number {
  return content.startsWith(part, start) ? start : content.indexOf(part);
}

export function useProposal(content: string, setContent: (content: string) => void, area: RefObject<HTMLTextAreaElement | null>): Proposing {
  const [current, setCurrent] = useState<Proposal | null>(null);
  const [accepted, setAccepted] = useState<Proposal | null>(null);
  const replace = (part: string, instead: string, start: number) => {
    const at = placeOf(content, part, start);
    setContent(content.slice(0, at) + instead + content.slice(at + part.length));
    requestAnimationFrame(() => {
      area.current?.focus({ preventScroll: true });
      area.current?.setSelectionRange(at, at + instead.length);
    });
  };
  return {
    current,
    accepted: accepted && placeOf(content, accepted.after, accepted.start) >= 0 ? accepted : null,
    fits: current !== null && placeOf(content, current.before, current.start) >= 0,
    offer(proposal) {
      setAccepted(null);
      setCurrent(proposal);
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
      area.current?.focus({ preventScroll: true });
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

/** A selection that ends a sentence or a line is rewritten as sentences, any other as words within a sentence. */
const endsSentence = /[.!?…。！？]|\n/;

/** Asks for a new wording of the selected words. */
export function RewriteSelection({ content, selected, proposal }: { content: string; selected: Selected; proposal: Proposing }) {
  const { t } = useTranslator();
  const [instruction, setInstruction] = useState<Instruction>('natural');
  const [own, setOwn] = useState('');
  const phrase = useAction(RewritePhraseDocument);
  const segment = useAction(RewriteSegmentDocument);
  const part = content.slice(selected.start, selected.end);
  const isReady = part.trim() !== '' && (instruction !== 'own' || own.trim() !== '');
  const run = async () => {
    const action = instruction === 'own' ? own.trim() : instruction === 'natural' ? null : t(`rewrite.${instruction}`);
    const from = content.indexOf(part) === selected.start ? 0 : selected.start; // the gateway takes the first occurrence of a part
    const input: RewriteTextInput = { fullDraft: content.slice(from), segments: [{ segmentText: part, actions: action ? [action] : [] }] };
    const text = endsSentence.test(part) ? (await segment.run({ input }))?.rewriteSegments?.text : (await phrase.run({ input }))?.rewritePhrases?.text;
    if (text) {
      const after = text.content.slice(selected.start - from, text.content.length - (content.length - selected.end));
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
      {instruction === 'own' && <TextInput size="xs" label={t('rewrite.ownLabel')} value={own} onChange={(event) => setOwn(event.currentTarget.value)} style={{ flex: '1 1 10rem' }} />}
      <Button size="xs" variant="light" loading={phrase.fetching || segment.fetching} disabled={!isReady} onClick={() => void run()}>
        {t('drafts.rewrite')}
      </Button>
      <Text size="xs" c="dimmed" pb={6}>
        {part.trim() ? t('rewrite.selected', { count: Array.from(part).length }) : t('drafts.select')}
      </Text>
    </Group>
  );
}

/** The proposal as changes of the words, to accept or to reject; of an unchanged part the reason. */
export function ProposalView({ proposal }: { proposal: Proposing }) {
  const { t } = useTranslator();
  const { current, accepted } = proposal;
  const changes = useMemo(() => (current ? diffWordsWithSpace(current.before, current.after) : []), [current]);
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
            {current.warning}
          </Text>
        )}
        {isChanged && (
          <div className="change" dir="auto" tabIndex={0} role="group" aria-label={t('rewrite.proposal')}>
            {changes.map(({ value, added, removed }, i) => (added ? <ins key={i}>{value}</ins> : removed ? <del key={i}>{value}</del> : <span key={i}>{value}</span>))}
          </div>
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
