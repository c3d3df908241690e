import { Alert, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import {
  DraftHistoryDocument,
  DraftVersionTextsDocument,
  type HistoryChangeFragment,
  type HistoryVersionFragment,
  RestoreDraftVersionDocument,
} from '../../graph/draft/graphql';
import { useTranslator } from '../../i18n';
import { problemText } from '../../problemText';
import { ConfirmedButton } from '../../ui/confirmedButton';
import { useNotice } from '../../ui/notice';
import { Panel } from '../../ui/panel';
import { QueryButton } from '../../ui/queryButton';
import { useAction } from '../../ui/useAction';
import { WordChanges } from '../../ui/wordChanges';
import type { DraftDetails } from './draft';

interface HistoryProps {
  readonly draft: DraftDetails;
  readonly mayWrite: boolean | undefined;
}

/** Offers the texts that a draft has and had, and what happened to each. */
export function History({ draft, mayWrite }: HistoryProps) {
  const { t } = useTranslator();
  return (
    <QueryButton
      query={DraftHistoryDocument}
      variables={{ id: draft.id }}
      label={t('history.ask')}
      icon={<IconHistory size={14} aria-hidden />}
    >
      {(data) =>
        data.draft?.versions && (
          <Panel title={t('history.title')}>
            <ul className="rows">
              {data.draft.versions.nodes.map((version, i, all) => (
                <li key={version.number}>
                  <Version
                    version={version}
                    others={all.filter(({ id }) => id !== version.id)}
                    before={all[i + 1]}
                    changes={(data.draft?.stateChanges?.nodes ?? []).filter(
                      (change) => change.version?.id === version.id,
                    )}
                    draft={draft}
                    mayWrite={mayWrite}
                  />
                </li>
              ))}
            </ul>
          </Panel>
        )
      }
    </QueryButton>
  );
}

interface VersionProps extends HistoryProps {
  readonly version: HistoryVersionFragment;
  readonly others: readonly HistoryVersionFragment[];
  /** The version before it; undefined for the first one. */
  readonly before: HistoryVersionFragment | undefined;
  readonly changes: readonly HistoryChangeFragment[];
}

function Version({ version, others, before, changes, draft, mayWrite }: VersionProps) {
  const { t, dateTime } = useTranslator();
  const [isOpen, setOpen] = useState(false);
  const isCurrent = draft.currentVersion?.id === version.id;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {[
          t('history.version', { number: version.number }),
          isCurrent && t('history.current'),
          version.author?.name ?? t('history.program'),
          dateTime(version.savedAt),
          version.restoredFrom &&
            t('history.restoredFrom', { number: version.restoredFrom.number }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </summary>
      <StateChanges changes={changes} />
      {isOpen && <Comparison version={version} others={others} before={before} />}
      {!isCurrent && (
        <Group gap="xs" mt="xs">
          <RestoreButton version={version} draft={draft} mayWrite={mayWrite} />
        </Group>
      )}
    </details>
  );
}

function StateChanges({ changes }: Pick<VersionProps, 'changes'>) {
  const { t, name, dateTime } = useTranslator();
  return changes.map((change) => (
    <Text key={change.id} size="sm" mt={6}>
      {[
        name('draftAction', change.action),
        change.by?.name ?? t('history.program'),
        dateTime(change.at),
        change.action === 'REVIEW_REQUESTED' &&
          change.assignee &&
          t('review.waitsFor', { name: change.assignee.name }),
      ]
        .filter(Boolean)
        .join(' · ')}
      {change.reason && (
        <Text component="span" size="sm" display="block" style={{ whiteSpace: 'pre-wrap' }}>
          {change.reason}
        </Text>
      )}
    </Text>
  ));
}

/** The words that a version changes in another one, at first in the one before it. */
function Comparison({
  version,
  others,
  before,
}: Omit<VersionProps, keyof HistoryProps | 'changes'>) {
  const { t } = useTranslator();
  const [chosen, setChosen] = useState(before?.number ?? others[0]?.number);
  const other = others.find(({ number }) => number === chosen);
  const [{ data, error }] = useQuery({
    query: DraftVersionTextsDocument,
    variables: { ids: other ? [other.id, version.id] : [] },
    pause: !other,
  });
  if (!other) {
    return (
      <Text size="sm" c="dimmed" my={6}>
        {t('history.first')}
      </Text>
    );
  }
  const label = t('history.changes', { number: version.number, before: other.number });
  const [old, present] = (data?.nodes ?? []).map((node) =>
    node && 'content' in node ? `${node.title}\n\n${node.content}` : null,
  );
  return (
    <Stack gap="xs" my={6}>
      <NativeSelect
        size="xs"
        label={t('history.compare')}
        value={String(other.number)}
        onChange={(event) => setChosen(Number(event.currentTarget.value))}
        data={others.map(({ number }) => ({
          value: String(number),
          label: t('history.version', { number }),
        }))}
      />
      {error && <Alert color="red">{problemText(error, t)}</Alert>}
      {typeof old === 'string' && typeof present === 'string' && (
        <WordChanges before={old} after={present} label={label} />
      )}
    </Stack>
  );
}

function RestoreButton({ version, draft, mayWrite }: HistoryProps & Pick<VersionProps, 'version'>) {
  const { t } = useTranslator();
  const notify = useNotice();
  const restore = useAction(RestoreDraftVersionDocument);
  const { number } = version;
  const run = async () => {
    const input = { draftId: draft.id, versionId: version.id };
    if (await restore.run({ input })) {
      notify(t('history.restored', { number }));
    }
  };
  return (
    <ConfirmedButton
      allowed={mayWrite}
      size="xs"
      variant="default"
      loading={restore.fetching}
      subject={version.id}
      action={t('history.restore')}
      question={t('history.restoreQuestion', { number })}
      run={run}
    />
  );
}
