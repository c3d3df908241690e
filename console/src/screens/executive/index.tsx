import { Badge, Group, Stack, Switch, Text } from '@mantine/core';
import { useLocation } from 'wouter';
import {
  AddExecutiveAliasDocument,
  CreateVoiceDocument,
  ExecutiveScreenDocument,
  type ExecutiveScreenQuery,
  RemoveExecutiveAliasDocument,
  RenameExecutiveDocument,
  SetVoiceEnabledDocument,
} from '../../graph/executive/graphql';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { passageAddress, useNameInPath } from '../../ui/address';
import { DocumentRow } from '../../ui/documentRow';
import { GuardedButton } from '../../ui/guardedButton';
import { NamesPanel } from '../../ui/namesPanel';
import { useNotice } from '../../ui/notice';
import { EmptyPage, PageLinks, usePageCursor } from '../../ui/pageLinks';
import { useDocumentDate } from '../../ui/documentDate';
import { Panel } from '../../ui/panel';
import { Screen, useScreen, useSubject } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import { SentimentBadge } from '../../ui/sentimentBadge';
import { useAction } from '../../ui/useAction';

type ExecutiveDetails = NonNullable<ExecutiveScreenQuery['executive']>;

/** An executive: what the documents prove them to say, each statement with its passage. */
export default function ExecutivePage() {
  const { t } = useTranslator();
  const result = useScreen(ExecutiveScreenDocument, {
    name: useNameInPath(),
    after: usePageCursor(),
  });
  const [, navigate] = useLocation();
  const mayWrite = useMay('EDIT');
  const [executive, known] = useSubject(result, (data) => data.executive);
  return (
    <Screen
      title={executive?.name ?? t('nav.executives')}
      lead={executive?.companies?.nodes.map((company) => company.name).join(' · ')}
      result={known}
    >
      {() =>
        executive && (
          <div className="with-aside aside-end">
            <Statements executive={executive} />
            <Stack gap="lg" component="aside" aria-label={t('persona.about')}>
              <Profile executive={executive} />
              <NamesPanel
                of={executive}
                mayWrite={mayWrite}
                rename={RenameExecutiveDocument}
                addAlias={AddExecutiveAliasDocument}
                removeAlias={RemoveExecutiveAliasDocument}
                renamed={(name) =>
                  navigate(`/executives/${encodeURIComponent(name)}`, { replace: true })
                }
              />
              <Voice executive={executive} mayWrite={mayWrite} reload={result.retry} />
              <Panel
                title={t('nav.documents')}
                actions={<Badge variant="light">{executive.documents?.totalCount ?? 0}</Badge>}
              >
                <ul className="rows">
                  {executive.documents?.nodes.map((document) => (
                    <DocumentRow key={document.id} document={document} />
                  ))}
                </ul>
                <Text size="sm" p="md">
                  <ScreenLink
                    to={`/documents?${new URLSearchParams({ executive: executive.name })}`}
                  >
                    {t('action.all')}
                  </ScreenLink>
                </Text>
              </Panel>
            </Stack>
          </div>
        )
      }
    </Screen>
  );
}

function Statements({ executive }: { executive: ExecutiveDetails }) {
  const { t } = useTranslator();
  const documentDate = useDocumentDate();
  const signals = executive.signals?.nodes ?? [];
  return (
    <Panel
      title={t('executives.statements')}
      actions={
        <Badge color="blue" variant="light">
          {executive.signals?.totalCount ?? 0}
        </Badge>
      }
    >
      <Text size="sm" c="dimmed" px="md" pt="sm">
        {t('executives.proof')}
      </Text>
      {signals.length === 0 ? (
        <EmptyPage title={t('document.noSignals')} hint={t('executives.noSignalsHint')} />
      ) : (
        <ul className="rows">
          {signals.map((signal) => (
            <li key={signal.id}>
              <Group justify="space-between" wrap="nowrap" align="flex-start">
                <Text fw={550} dir="auto" component="div">
                  {signal.document ? (
                    <ScreenLink
                      to={passageAddress({
                        ...signal,
                        documentId: signal.document.id,
                        findingId: signal.id,
                      })}
                    >
                      “{signal.quote}”
                    </ScreenLink>
                  ) : (
                    `“${signal.quote}”`
                  )}
                </Text>
                <SentimentBadge value={signal.stance} />
              </Group>
              {signal.paraphrase && (
                <Text size="sm" c="dimmed" dir="auto">
                  {t('document.paraphrase', { text: signal.paraphrase })}
                </Text>
              )}
              <Group gap="xs">
                <Badge variant="light" color="gray" tt="none" size="sm">
                  {signal.theme}
                </Badge>
                {signal.document && (
                  <Text size="sm" c="dimmed" dir="auto">
                    {[signal.document.title, documentDate(signal.document)]
                      .filter(Boolean)
                      .join(' · ')}
                  </Text>
                )}
              </Group>
            </li>
          ))}
        </ul>
      )}
      <PageLinks page={executive.signals?.pageInfo} />
    </Panel>
  );
}

function Profile({ executive }: { executive: ExecutiveDetails }) {
  const { t, ago } = useTranslator();
  return (
    <Panel title={t('persona.about')}>
      <Stack gap="xs" p="md">
        {executive.lastCommunication && (
          <Text size="sm">
            {t('executives.lastSpoke', { when: ago(executive.lastCommunication) })}
          </Text>
        )}
        <Group gap={6}>
          {executive.profile?.themesMentioned.slice(0, 12).map((theme) => (
            <Badge key={theme} variant="light" color="gray" tt="none">
              {theme}
            </Badge>
          ))}
        </Group>
      </Stack>
    </Panel>
  );
}

interface VoiceProps {
  readonly executive: ExecutiveDetails;
  readonly mayWrite: boolean | undefined;
  readonly reload: () => void;
}

/** The executive's voice, in which drafts may be written: made from the documents, on or off. */
function Voice({ executive, mayWrite, reload }: VoiceProps) {
  const { t } = useTranslator();
  const notify = useNotice();
  const create = useAction(CreateVoiceDocument);
  const enable = useAction(SetVoiceEnabledDocument);
  const { voice } = executive;
  const personaId = voice?.persona?.id;
  const make = async () => {
    if (await create.run({ executive: executive.name })) {
      notify(t('executives.voiceMade', { name: executive.name }));
      reload();
    }
  };
  return (
    <Panel title={t('executives.voiceTitle')}>
      <Stack p="md" gap="sm" align="flex-start">
        {voice && personaId ? (
          <>
            <Switch
              label={t('executives.voiceOn')}
              description={t('executives.voiceHint')}
              checked={voice.enabled}
              disabled={!mayWrite || enable.fetching}
              onChange={(event) =>
                void enable.run({ personaId, enabled: event.currentTarget.checked })
              }
            />
            <Text size="sm">
              {t('executives.voice')}{' '}
              <ScreenLink isInText to={`/personas/${personaId}`}>
                {voice.persona?.name}
              </ScreenLink>
            </Text>
            {!voice.tuned && (
              <Text size="sm" c="dimmed">
                {t('executives.voiceUntuned')}
              </Text>
            )}
          </>
        ) : (
          <>
            <Text size="sm" c="dimmed">
              {t('executives.voiceNone')}
            </Text>
            <GuardedButton
              allowed={mayWrite}
              size="xs"
              variant="light"
              loading={create.fetching}
              onClick={() => void make()}
            >
              {t('executives.voiceMake')}
            </GuardedButton>
          </>
        )}
      </Stack>
    </Panel>
  );
}
