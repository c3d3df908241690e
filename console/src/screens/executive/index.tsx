import { Badge, Group, Stack, Text } from '@mantine/core';
import { ExecutiveScreenDocument, type ExecutiveScreenQuery } from '../../graph/executive/graphql';
import { useTranslator } from '../../i18n';
import { passageAddress, useNameInPath } from '../../ui/address';
import { DocumentRow } from '../../ui/documentRow';
import { EmptyPage, PageLinks, usePageCursor } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { Screen, useScreen } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import { SentimentBadge } from '../../ui/sentimentBadge';

type ExecutiveDetails = NonNullable<ExecutiveScreenQuery['executive']>;

/** An executive: what the documents prove them to say, each statement with its passage. */
export default function ExecutivePage() {
  const { t } = useTranslator();
  const result = useScreen(ExecutiveScreenDocument, {
    name: useNameInPath(),
    after: usePageCursor(),
  });
  const executive = result.data?.executive;
  const known = { ...result, data: result.data && !executive ? undefined : result.data };
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
  const { t, date } = useTranslator();
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
        <EmptyPage title={t('document.noSignals')} hint={t('document.noSignalsHint')} />
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
                    {[
                      signal.document.title,
                      signal.document.createdAt && date(signal.document.createdAt),
                    ]
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
        {executive.aliases && executive.aliases.length > 0 && (
          <Text size="sm">{t('executives.aliases', { names: executive.aliases.join(', ') })}</Text>
        )}
        {executive.lastCommunication && (
          <Text size="sm">
            {t('executives.lastSpoke', { when: ago(executive.lastCommunication) })}
          </Text>
        )}
        {executive.voice?.persona && (
          <Text size="sm">
            {t('executives.voice')}{' '}
            <ScreenLink to={`/personas/${executive.voice.persona.id}`}>
              {executive.voice.persona.name}
            </ScreenLink>
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
