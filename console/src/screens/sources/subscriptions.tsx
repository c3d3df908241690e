import { Group, Text } from '@mantine/core';
import {
  PauseSourceDocument,
  PollSourceDocument,
  type SourceRowFragment,
  type SourcesQuery,
} from '../../graph/sources/graphql';
import { useTranslator } from '../../i18n';
import { GuardedButton } from '../../ui/guardedButton';
import { useNotice } from '../../ui/notice';
import { EmptyPage, PageLinks } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { ScreenLink } from '../../ui/screenLink';
import { SourceBadge, SourceFacts } from '../../ui/sourceState';
import { useAction } from '../../ui/useAction';

/** The parameter with the cursor of the list of sources. */
export const sourceCursor = 'sources';

interface ListProps {
  readonly list: SourcesQuery['sources'];
  readonly mayEdit: boolean | undefined;
}

/** The sources that are polled, with what each has brought in. */
export function Subscriptions({ list, mayEdit }: ListProps) {
  const { t } = useTranslator();
  const rows = list?.nodes ?? [];
  return (
    <Panel title={t('source.list')}>
      {rows.length === 0 ? (
        <EmptyPage name={sourceCursor} title={t('source.none')} hint={t('source.noneHint')} />
      ) : (
        <ul className="rows">
          {rows.map((source) => (
            <Subscription key={source.id} source={source} mayEdit={mayEdit} />
          ))}
        </ul>
      )}
      <PageLinks name={sourceCursor} page={list?.pageInfo} />
    </Panel>
  );
}

interface RowProps {
  readonly source: SourceRowFragment;
  readonly mayEdit: boolean | undefined;
}

function Subscription({ source, mayEdit }: RowProps) {
  const { t } = useTranslator();
  const notify = useNotice();
  const poll = useAction(PollSourceDocument);
  const pause = useAction(PauseSourceDocument);
  const pollNow = async () => {
    if (await poll.run({ sourceId: source.id })) {
      notify(t('source.pollStarted'));
    }
  };
  return (
    <li data-source={source.id}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap={6}>
        <ScreenLink to={`/sources/${source.id}`} className="row-link">
          {source.name}
        </ScreenLink>
        <SourceBadge source={source} />
      </Group>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <bdi>{source.url}</bdi>
      </Text>
      <SourceFacts source={source} />
      <Group gap="xs" mt={4}>
        {!source.isPaused && (
          <GuardedButton
            allowed={mayEdit}
            size="compact-xs"
            variant="light"
            loading={poll.fetching}
            aria-label={t('source.pollOf', { name: source.name })}
            onClick={() => void pollNow()}
          >
            {t('source.poll')}
          </GuardedButton>
        )}
        <GuardedButton
          allowed={mayEdit}
          size="compact-xs"
          variant="subtle"
          loading={pause.fetching}
          aria-label={t(source.isPaused ? 'source.resumeOf' : 'source.pauseOf', {
            name: source.name,
          })}
          onClick={() => void pause.run({ sourceId: source.id, isPaused: !source.isPaused })}
        >
          {t(source.isPaused ? 'source.resume' : 'source.pause')}
        </GuardedButton>
      </Group>
    </li>
  );
}
