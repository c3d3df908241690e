import { Badge, Button, Group, Text, UnstyledButton } from '@mantine/core';
import { RemoveMachineStyleDocument } from '../../graph/draft/graphql';
import { useTranslator } from '../../i18n';
import { problemText } from '../../problemText';
import { Panel } from '../../ui/panel';
import type { Quote } from '../../ui/passages';
import { EmptyState } from '../../ui/screen';
import { useAction } from '../../ui/useAction';
import type { ProposalState } from './rewriteProposal';
import type { DraftEditor } from './useDraftEditor';

interface MachineStyleProps {
  readonly editor: DraftEditor;
  readonly show: (quote: Quote) => void;
  readonly proposal: ProposalState;
  readonly mayWrite: boolean | undefined;
}

/** Phrases that are typical of generated text, with their offsets. A click selects one. */
export function MachineStyle({ editor, show, proposal, mayWrite }: MachineStyleProps) {
  const { t, number } = useTranslator();
  const { analysis, content } = editor;
  const restyle = useAction(RemoveMachineStyleDocument);
  const run = async () => {
    const found = (await restyle.run({ text: content }))?.removeMachineStyle;
    if (found) {
      proposal.offer({
        start: 0,
        before: content,
        after: found.text.content,
        warning: found.text.warning ?? null,
      });
    }
  };
  const markers = analysis?.styleMarkers ?? [];
  const isMeasured = analysis?.styleScore != null;
  const { error, isSending } = editor.live;
  const emptyTitle = isMeasured
    ? t('check.noMarkers')
    : analysis
      ? t('check.unmeasuredHint')
      : error
        ? problemText(error, t)
        : t(isSending ? 'check.checking' : 'check.noText');
  return (
    <Panel
      title={t('check.machine')}
      actions={
        analysis && (
          <Badge variant="light" color={isMeasured ? (markers.length ? 'grape' : 'green') : 'gray'}>
            {isMeasured
              ? t('check.score', { score: number(analysis.styleScore ?? 0) })
              : t('check.unmeasured')}
          </Badge>
        )
      }
    >
      {markers.length === 0 ? (
        <EmptyState title={emptyTitle} />
      ) : (
        <ul className="rows marker-list">
          {markers.map(({ passage }) => (
            <li key={passage.start}>
              <UnstyledButton className="quote" onClick={() => show(passage)}>
                <Text size="sm">
                  {passage.text}{' '}
                  <Text span size="xs" c="dimmed">
                    {t('check.span', { start: passage.start + 1, end: passage.end })}
                  </Text>
                </Text>
              </UnstyledButton>
            </li>
          ))}
        </ul>
      )}
      {mayWrite && markers.length > 0 && (
        <Group p="md" gap="xs">
          <Button size="xs" variant="light" loading={restyle.fetching} onClick={() => void run()}>
            {t('check.restyle')}
          </Button>
          {analysis && analysis.styleMarkerCount > markers.length && (
            <Text size="xs" c="dimmed">
              {t('check.moreMarkers', { count: analysis.styleMarkerCount - markers.length })}
            </Text>
          )}
        </Group>
      )}
    </Panel>
  );
}
