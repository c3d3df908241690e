import { Alert, Badge, Group, Stack, Text } from '@mantine/core';
import { useLocation, useParams } from 'wouter';
import {
  DeleteSourceDocument,
  PauseSourceDocument,
  PollSourceDocument,
  SourceScreenDocument,
  type SourceScreenQuery,
} from '../../graph/source/graphql';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { ConfirmedButton } from '../../ui/confirmedButton';
import { DocumentRow } from '../../ui/documentRow';
import { EditPanel } from '../../ui/editForm';
import { GuardedButton } from '../../ui/guardedButton';
import { useNotice } from '../../ui/notice';
import { EmptyPage, PageLinks, usePageCursor } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { Screen, useScreen, useSubject } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import { SourceBadge, SourceFacts } from '../../ui/sourceState';
import { useAction } from '../../ui/useAction';
import { SourceEditor } from './sourceEditor';

export type FoundSource = NonNullable<SourceScreenQuery['source']>;

/** A source: its state, its settings, and the documents that came by it. */
export default function SourcePage() {
  const { t } = useTranslator();
  const { id = '' } = useParams();
  const result = useScreen(SourceScreenDocument, { id, after: usePageCursor() });
  const [source, known] = useSubject(result, (data) => data.source);
  const mayEdit = useMay('EDIT');
  return (
    <Screen
      title={source?.name ?? t('nav.sources')}
      lead={
        <>
          <ScreenLink isInText to="/sources">
            {t('nav.sources')}
          </ScreenLink>
          {source && (
            <>
              {' · '}
              <bdi style={{ overflowWrap: 'anywhere' }}>{source.url}</bdi>
            </>
          )}
        </>
      }
      result={known}
      actions={source && <Actions source={source} mayEdit={mayEdit} />}
    >
      {() =>
        source && (
          <Stack gap="lg">
            {source.pausedReason === 'GONE' && <Alert color="red">{t('source.goneHint')}</Alert>}
            {source.pausedReason === 'REFUSED' && (
              <Alert color="red">{t('source.refusedHint')}</Alert>
            )}
            <EditPanel
              title={t('source.settings')}
              mayWrite={mayEdit}
              facts={<Facts source={source} />}
              form={(close) => <SourceEditor key={source.id} source={source} close={close} />}
            />
            <Documents source={source} />
          </Stack>
        )
      }
    </Screen>
  );
}

function Actions({ source, mayEdit }: { source: FoundSource; mayEdit: boolean | undefined }) {
  const { t } = useTranslator();
  const notify = useNotice();
  const [, navigate] = useLocation();
  const poll = useAction(PollSourceDocument);
  const pause = useAction(PauseSourceDocument);
  const remove = useAction(DeleteSourceDocument);
  const sourceId = source.id;
  const pollNow = async () => {
    if (await poll.run({ sourceId })) {
      notify(t('source.pollStarted'));
    }
  };
  const erase = async () => {
    if (await remove.run({ sourceId })) {
      navigate('/sources');
    }
  };
  return (
    <>
      {!source.isPaused && (
        <GuardedButton
          allowed={mayEdit}
          size="xs"
          variant="light"
          loading={poll.fetching}
          onClick={() => void pollNow()}
        >
          {t('source.poll')}
        </GuardedButton>
      )}
      <GuardedButton
        allowed={mayEdit}
        size="xs"
        variant="light"
        loading={pause.fetching}
        onClick={() => void pause.run({ sourceId, isPaused: !source.isPaused })}
      >
        {t(source.isPaused ? 'source.resume' : 'source.pause')}
      </GuardedButton>
      <ConfirmedButton
        allowed={mayEdit ?? false}
        size="xs"
        variant="subtle"
        color="red"
        loading={remove.fetching}
        subject={sourceId}
        action={t('action.delete')}
        question={t('source.deleteQuestion', { name: source.name })}
        run={erase}
      />
    </>
  );
}

function Facts({ source }: { source: FoundSource }) {
  const { t, name } = useTranslator();
  const badges = [
    name('sourceKind', source.kind),
    name('visibility', source.visibility),
    source.mediaProvenance && name('provenance', source.mediaProvenance),
    ...source.tags,
  ].filter((text): text is string => Boolean(text));
  return (
    <Stack p="md" gap={6}>
      <Group gap={6}>
        <SourceBadge source={source} />
        {badges.map((text) => (
          <Badge key={text} variant="light" color="gray" tt="none">
            {text}
          </Badge>
        ))}
      </Group>
      <SourceFacts source={source} />
      {source.linkPrefix && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t('source.linksFrom', { prefix: source.linkPrefix })}
        </Text>
      )}
      {source.titleIncludes.length > 0 && (
        <Text size="sm">{t('source.mustHave', { words: source.titleIncludes.join(', ') })}</Text>
      )}
      {source.titleExcludes.length > 0 && (
        <Text size="sm">{t('source.mustLack', { words: source.titleExcludes.join(', ') })}</Text>
      )}
      {source.createdBy && (
        <Text size="sm" c="dimmed">
          {t('source.createdBy', { name: source.createdBy.name })}
        </Text>
      )}
    </Stack>
  );
}

function Documents({ source }: { source: FoundSource }) {
  const { t } = useTranslator();
  const list = source.documents;
  return (
    <Panel title={t('source.itsDocuments', { count: list?.totalCount ?? 0 })}>
      {!list || list.nodes.length === 0 ? (
        <EmptyPage title={t('source.noDocuments')} hint={t('source.noDocumentsHint')} />
      ) : (
        <ul className="rows">
          {list.nodes.map((document) => (
            <DocumentRow key={document.id} document={document} />
          ))}
        </ul>
      )}
      <PageLinks page={list?.pageInfo} />
    </Panel>
  );
}
