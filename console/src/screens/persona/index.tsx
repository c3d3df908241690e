import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { Link, useParams } from 'wouter';
import { PersonaScreenDocument } from '../../graph/persona/graphql';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { EmptyPage, PageLinks, usePageCursor } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { Screen, useScreen, useSubject } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import { SentimentBadge } from '../../ui/sentimentBadge';
import { Chat } from './chat';
import { Calibration, Health } from './health';
import { Knowledge, Reading } from './knowledge';
import type { PersonaDetails } from './persona';
import { Profile } from './profile';
import { Writing } from './writing';

/** The parameter of the address with the cursor of the list of reactions. */
const reactionsPage = 'reactionsAfter';

/** A persona: a conversation with it, what it knows, and how reliable it is. */
export default function PersonaPage() {
  const { t } = useTranslator();
  const { id = '' } = useParams();
  const result = useScreen(PersonaScreenDocument, {
    id,
    reactionsAfter: usePageCursor(reactionsPage),
  });
  const [persona, known] = useSubject(result, (data) => data.persona);
  const mayEdit = useMay('EDIT');
  const mayAsk = useMay('ASK');
  const mayWriteTexts = useMay('WRITE');
  return (
    <Screen
      title={persona?.name ?? t('nav.personas')}
      lead={persona && (persona.group?.displayName ?? persona.category)}
      result={known}
      actions={
        persona &&
        mayEdit && (
          <Button component={Link} href={`/personas?add&from=${persona.id}`} variant="default">
            {t('personas.copy')}
          </Button>
        )
      }
    >
      {(data) =>
        persona && (
          <div className="with-aside aside-end">
            <Chat persona={persona} mayWrite={mayAsk} />
            <Stack gap="lg" component="aside" aria-label={t('persona.about')}>
              <Profile persona={persona} mayWrite={mayEdit} />
              <Writing key={persona.id} persona={persona} mayWrite={mayWriteTexts} />
              <Health persona={persona} mayWrite={mayAsk} />
              <Calibration persona={persona} />
              <Knowledge persona={persona} mayWrite={mayEdit} />
              <Reading persona={persona} data={data} mayWrite={mayEdit} />
              <Reactions persona={persona} />
            </Stack>
          </div>
        )
      }
    </Screen>
  );
}

function Reactions({ persona }: { persona: PersonaDetails }) {
  const { t } = useTranslator();
  const reactions = persona.listedReactions?.nodes ?? [];
  return (
    <Panel
      title={t('document.reactionsTitle')}
      actions={<Badge variant="light">{persona.reactions?.totalCount ?? 0}</Badge>}
    >
      {reactions.length === 0 ? (
        <EmptyPage name={reactionsPage} title={t('persona.noReactions')} />
      ) : (
        <ul className="rows">
          {reactions.map((reaction) => (
            <li key={reaction.id}>
              <Group justify="space-between" wrap="nowrap" align="flex-start">
                {reaction.document ? (
                  <ScreenLink
                    to={`/documents/${reaction.document.id}?at=${reaction.id}`}
                    className="row-link"
                  >
                    {reaction.document.title}
                  </ScreenLink>
                ) : (
                  <span />
                )}
                <SentimentBadge value={reaction.sentiment} rating={reaction.rating} />
              </Group>
              <Text size="sm" c="dimmed" lineClamp={3} dir="auto">
                {reaction.text}
              </Text>
            </li>
          ))}
        </ul>
      )}
      <PageLinks name={reactionsPage} page={persona.listedReactions?.pageInfo} />
    </Panel>
  );
}
