import { Stack, Table, Text } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { type AudienceQuery, AudienceDocument } from '../../graph/audience/graphql';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { withParameter } from '../../ui/address';
import { EmptyPage, PageLinks, usePageCursor } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { RatingColumns } from '../../ui/ratingColumns';
import { Screen, useScreen } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import { SentimentBadge } from '../../ui/sentimentBadge';
import type { AudiencePersona, AudienceReaction } from './audience';
import { ReactionPanel } from './reactionPanel';
import { Summaries } from './summaries';

/**
 * How personas react: a matrix of personas by documents, the chosen reaction, and a summary per
 * audience.
 */
export default function Audience() {
  const { t } = useTranslator();
  const [search] = useSearchParams();
  const result = useScreen(AudienceDocument, { after: usePageCursor() });
  const mayAsk = useMay('ASK');
  const mayReview = useMay('REVIEW');
  const chosen = search.get('reaction'); // a reaction has an address
  return (
    <Screen
      title={t('nav.audience')}
      lead={
        <>
          {t('audience.lead')}{' '}
          <ScreenLink isInText to="/audience/groups">
            {t('groups.title')}
          </ScreenLink>
        </>
      }
      result={result}
    >
      {(data) => {
        const personas = data.personas?.nodes ?? [];
        return (
          <Stack gap="lg">
            <Panel title={t('audience.matrix')}>
              <Matrix personas={personas} chosen={chosen} />
              <ShownPart data={data} />
              <PageLinks page={data.personas?.pageInfo} />
            </Panel>
            <ReactionPanel personas={personas} chosen={chosen} mayWrite={mayReview} />
            <Summaries data={data} personas={personas} mayWrite={mayAsk} reload={result.retry} />
          </Stack>
        );
      }}
    </Screen>
  );
}

/** The number of documents in the matrix, and of reactions of each persona in the response. */
const columnLimit = 8;
const reactionLimit = 10;

interface ReactedDocument {
  readonly id: string;
  readonly title: string;
  readonly reactions: readonly AudienceReaction[];
}

/** Returns the documents with reactions, most reactions first. */
function reactedDocuments(personas: readonly AudiencePersona[]): ReactedDocument[] {
  const found = new Map<string, ReactedDocument>();
  for (const reaction of personas.flatMap((persona) => persona.reactions?.nodes ?? [])) {
    const { document } = reaction;
    if (document) {
      found.set(document.id, {
        ...document,
        reactions: [...(found.get(document.id)?.reactions ?? []), reaction],
      });
    }
  }
  return [...found.values()].sort((one, other) => other.reactions.length - one.reactions.length);
}

/**
 * A sentence about what the matrix leaves out: more personas, older reactions, documents with fewer
 * reactions.
 */
function ShownPart({ data }: { data: AudienceQuery }) {
  const { t } = useTranslator();
  const personas = data.personas?.nodes ?? [];
  const total = data.personas?.totalCount ?? 0;
  const documents = reactedDocuments(personas).length;
  const parts = [
    total > personas.length && t('audience.partPersonas', { shown: personas.length, count: total }),
    personas.some(({ reactions }) => reactions && reactions.totalCount > reactions.nodes.length) &&
      t('audience.partReactions', { shown: reactionLimit }),
    documents > columnLimit &&
      t('audience.partDocuments', { shown: columnLimit, count: documents }),
  ].filter((part): part is string => Boolean(part));
  if (parts.length === 0) {
    return null;
  }
  return (
    <Text size="sm" c="dimmed" px="md" py="sm">
      {t('audience.part', { parts: parts.join(', ') })}
    </Text>
  );
}

const ratingsOf = (reactions: readonly AudienceReaction[]) =>
  reactions.flatMap(({ rating }) => (rating == null ? [] : [rating]));

/** Returns the most frequent themes of the reactions. */
function topThemes(reactions: readonly AudienceReaction[], limit: number): string[] {
  const counts = new Map<string, number>();
  for (const theme of reactions.flatMap(({ themes }) => themes)) {
    counts.set(theme, (counts.get(theme) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, limit)
    .map(([theme]) => theme);
}

function Matrix({
  personas,
  chosen,
}: {
  personas: readonly AudiencePersona[];
  chosen: string | null;
}) {
  const { t } = useTranslator();
  const documents = reactedDocuments(personas).slice(0, columnLimit);
  if (documents.length === 0) {
    return (
      <EmptyPage
        title={t('document.noReactions')}
        hint={t('audience.noneHint')}
        action={<ScreenLink to="/documents">{t('nav.documents')}</ScreenLink>}
      />
    );
  }
  return (
    <div className="wide" tabIndex={0} role="group" aria-label={t('audience.matrix')}>
      <Table verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('nav.personas')}</Table.Th>
            <Table.Th scope="col">{t('audience.distribution')}</Table.Th>
            {documents.map((document) => (
              <Table.Th key={document.id} scope="col" miw={130} maw={190}>
                <ScreenLink to={`/documents/${document.id}`}>
                  {document.title || t('document.untitled')}
                </ScreenLink>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {personas.map((persona) => (
            <PersonaCells
              key={persona.id}
              persona={persona}
              documents={documents}
              chosen={chosen}
            />
          ))}
        </Table.Tbody>
        <DocumentTotals documents={documents} />
      </Table>
    </div>
  );
}

function PersonaCells({
  persona,
  documents,
  chosen,
}: {
  persona: AudiencePersona;
  documents: readonly ReactedDocument[];
  chosen: string | null;
}) {
  const reactions = persona.reactions?.nodes ?? [];
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <ScreenLink to={`/personas/${persona.id}`} className="row-link">
          {persona.name}
        </ScreenLink>
        <Text size="xs" c="dimmed" fw={400} dir="auto">
          {persona.category}
        </Text>
      </Table.Th>
      <Table.Td miw={130}>
        <RatingColumns ratings={ratingsOf(reactions)} />
      </Table.Td>
      {documents.map((document) => (
        <Table.Td key={document.id}>
          <Cell
            reaction={reactions.find((one) => one.document?.id === document.id)}
            chosen={chosen}
          />
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

/** A reaction's rating and first theme; it opens the reaction below the matrix. */
function Cell({
  reaction,
  chosen,
}: {
  reaction: AudienceReaction | undefined;
  chosen: string | null;
}) {
  const { t } = useTranslator();
  const [search] = useSearchParams();
  if (!reaction) {
    return <Text c="dimmed">—</Text>;
  }
  return (
    <div data-reaction={reaction.id} aria-current={reaction.id === chosen || undefined}>
      <ScreenLink to={`/audience?${withParameter(search, 'reaction', reaction.id)}`}>
        {reaction.sentiment ? (
          <SentimentBadge value={reaction.sentiment} rating={reaction.rating} />
        ) : (
          t('audience.noRating')
        )}
      </ScreenLink>
      <Text size="xs" c="dimmed" lineClamp={2} dir="auto">
        {reaction.themes[0]}
      </Text>
    </div>
  );
}

/** The ratings and themes of each document's reactions. */
function DocumentTotals({ documents }: { documents: readonly ReactedDocument[] }) {
  const { t } = useTranslator();
  return (
    <Table.Tfoot>
      <Table.Tr>
        <Table.Th scope="row">{t('audience.distribution')}</Table.Th>
        <Table.Td />
        {documents.map(({ id, reactions }) => (
          <Table.Td key={id}>
            <RatingColumns ratings={ratingsOf(reactions)} />
          </Table.Td>
        ))}
      </Table.Tr>
      <Table.Tr>
        <Table.Th scope="row">{t('audience.themes')}</Table.Th>
        <Table.Td />
        {documents.map(({ id, reactions }) => (
          <Table.Td key={id}>
            <Text size="xs" dir="auto">
              {topThemes(reactions, 3).join(', ') || '—'}
            </Text>
          </Table.Td>
        ))}
      </Table.Tr>
    </Table.Tfoot>
  );
}
