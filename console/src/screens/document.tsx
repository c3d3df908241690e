import { Alert, Anchor, Badge, Button, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconEyeOff, IconSparkles, IconTrash, IconUsers } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import { Link, useLocation, useParams, useSearchParams } from 'wouter';
import { CollectReactionsDocument, DeleteDocumentDocument, type DocumentScreenQuery, DocumentScreenDocument, FindSignalsDocument } from '../graph/document/graphql';
import { RetryDocumentDocument } from '../graph/graphql';
import { useTranslator } from '../i18n';
import { useMayWrite } from '../live';
import { useAction } from '../ui/action';
import { passageRange, withParameter } from '../ui/address';
import { ConfirmedButton } from '../ui/confirm';
import { GuardedButton } from '../ui/guard';
import { JobRow } from '../ui/job';
import { ScreenLink } from '../ui/link';
import { useNotice } from '../ui/notice';
import { EmptyPage, PageLinks, usePageCursor } from '../ui/pages';
import { Panel } from '../ui/panel';
import { MarkedText, type Passage } from '../ui/passage';
import { Sentiment } from '../ui/rating';
import { EmptyState, Screen, useScreen } from '../ui/screen';
import { Duplicates } from './duplicates';

type Found = NonNullable<DocumentScreenQuery['document']>;

/** A document: its text with what was found in it, why it is hidden, its reactions and its jobs. */
export default function DocumentPage() {
  const { t } = useTranslator();
  const { id = '' } = useParams();
  const cursors = { signalsAfter: usePageCursor('signalsAfter'), reactionsAfter: usePageCursor('reactionsAfter'), jobsAfter: usePageCursor('jobsAfter') };
  const result = useScreen(DocumentScreenDocument, { id, ...cursors });
  const document = result.data?.document;
  const mayWrite = useMayWrite();
  const known = { ...result, data: result.data && !document ? undefined : result.data };
  return (
    <Screen
      title={document ? document.title || t('document.untitled') : t('nav.documents')}
      result={known}
      lead={document && <Facts document={document} />}
      actions={document && <Actions document={document} mayWrite={mayWrite} reload={result.retry} />}
    >
      {() => document && <Content document={document} mayWrite={mayWrite} />}
    </Screen>
  );
}

function Facts({ document }: { document: Found }) {
  const { t, date, name } = useTranslator();
  const all = [
    document.companyName, document.author, document.communicationType, document.wordCount && t('document.words', { count: document.wordCount }),
    document.extractedDate ? date(document.extractedDate) : document.createdAt && date(document.createdAt), document.language,
  ];
  const facts = [...new Set(all)].filter((fact) => fact && fact !== document.executive?.name); // the company is often the author too
  return (
    <Group gap={8}>
      {document.executive && <ScreenLink to={`/executives/${encodeURIComponent(document.executive.name)}`}>{document.executive.name}</ScreenLink>}
      {facts.map((fact) => (
        <span key={fact}>· {fact}</span>
      ))}
      {document.visibility !== 'PUBLIC' && (
        <Badge variant="outline" color="gray">
          {name('visibility', document.visibility)}
          {document.embargoedUntil && ` → ${date(document.embargoedUntil)}`}
        </Badge>
      )}
      {document.sourceUrl && (
        <Anchor href={document.sourceUrl} rel="noreferrer noopener" target="_blank">
          {t('document.source')}
        </Anchor>
      )}
    </Group>
  );
}

function Actions({ document, mayWrite, reload }: { document: Found; mayWrite: boolean | undefined; reload: () => void }) {
  const { t } = useTranslator();
  const notify = useNotice();
  const [, navigate] = useLocation();
  const signals = useAction(FindSignalsDocument);
  const reactions = useAction(CollectReactionsDocument);
  const retry = useAction(RetryDocumentDocument);
  const remove = useAction(DeleteDocumentDocument);
  const variables = { documentId: document.id };
  const start = async (run: (given: typeof variables) => Promise<unknown>) => {
    if (await run(variables)) {
      notify(t('document.started'));
      reload();
    }
  };
  const erase = async () => {
    if (await remove.run(variables)) {
      notify(t('document.deleted'));
      navigate('/documents');
    }
  };
  return (
    <>
      {document.processingError?.retryable && (
        <GuardedButton allowed={mayWrite} size="xs" variant="light" loading={retry.fetching} onClick={() => void start(retry.run)}>
          {t('document.retry')}
        </GuardedButton>
      )}
      <GuardedButton allowed={mayWrite} size="xs" variant="light" leftSection={<IconSparkles size={14} aria-hidden />} loading={signals.fetching} onClick={() => void start(signals.run)}>
        {t('document.findSignals')}
      </GuardedButton>
      <GuardedButton allowed={mayWrite} size="xs" variant="light" leftSection={<IconUsers size={14} aria-hidden />} loading={reactions.fetching} onClick={() => void start(reactions.run)}>
        {t('document.collect')}
      </GuardedButton>
      <ConfirmedButton
        allowed={mayWrite}
        size="xs"
        variant="subtle"
        color="red"
        leftSection={<IconTrash size={14} aria-hidden />}
        loading={remove.fetching}
        subject={document.id}
        action={t('action.delete')}
        question={t('action.deleteQuestion', { name: document.title || t('document.untitled') })}
        run={erase}
      />
    </>
  );
}

/** The passage whose offsets are in the address. */
const citedPassage = 'cited';

function passagesOf(document: Found): Passage[] {
  const signals = document.signals?.nodes.map((one) => ({ id: one.id, label: `${one.theme}: ${one.statement}`, color: 'blue', start: one.start, end: one.end })) ?? [];
  const quotes =
    document.reactions?.nodes.flatMap((one) =>
      one.quotes.map((quote) => ({ id: one.id, label: `${one.persona?.name ?? ''}: ${quote.text}`, color: one.sentiment === 'NEGATIVE' ? 'red' : 'green', start: quote.start, end: quote.end })),
    ) ?? [];
  const tags =
    document.appliedAutoTags?.flatMap((one) =>
      one.start == null || one.end == null ? [] : [{ id: one.id, label: `${one.name}: ${one.extractedValue}`, color: 'yellow', start: one.start, end: one.end }],
    ) ?? [];
  return [...signals, ...quotes, ...tags];
}

function Content({ document, mayWrite }: { document: Found; mayWrite: boolean | undefined }) {
  const { t } = useTranslator();
  const [search, setSearch] = useSearchParams();
  const current = search.get('at'); // a passage has an address
  const choose = (id: string) => (id === citedPassage ? undefined : setSearch((before) => withParameter(withParameter(withParameter(before, 'from'), 'to'), 'at', id)));
  const cited = passageRange(search);
  const passages = useMemo(() => passagesOf(document), [document]);
  const marked = cited ? [{ id: citedPassage, label: t('document.cited'), color: 'orange', ...cited }, ...passages] : passages;
  return (
    <>
      <Warnings document={document} />
      <div className="with-aside aside-end">
        <Stack gap="lg">
          <Panel title={t('document.text')}>
            <div style={{ padding: '1rem' }}>
              {document.content ? (
                <MarkedText text={document.content} passages={marked} current={cited ? citedPassage : current} choose={choose} />
              ) : (
                <EmptyState title={t('document.noText')} hint={t('document.noTextHint')} />
              )}
            </div>
          </Panel>
          <Jobs document={document} mayWrite={mayWrite} />
        </Stack>
        <Stack gap="lg" component="aside" aria-label={t('document.found')}>
          <Signals document={document} current={current} choose={choose} />
          <Reactions document={document} current={current} choose={choose} />
          <Tags document={document} current={current} choose={choose} />
          <Related document={document} />
          <Duplicates key={document.id} documentId={document.id} />
        </Stack>
      </div>
    </>
  );
}

function Warnings({ document }: { document: Found }) {
  const { t } = useTranslator();
  return (
    <>
      {document.processingError && <Alert color="red">{document.processingError.message}</Alert>}
      {document.hiddenBy && document.hiddenBy.length > 0 && (
        <Alert color="gray" icon={<IconEyeOff aria-hidden />} title={t('document.hidden')}>
          {document.hiddenBy.map((reason) => (
            <Text size="sm" key={reason.name + reason.extractedValue}>
              {t('document.hiddenBy', { name: reason.name, value: reason.extractedValue })}
              {reason.nearestExample?.document && (
                <>
                  {' · '}
                  <ScreenLink to={`/documents/${reason.nearestExample.document.id}`}>{t('document.like', { title: reason.nearestExample.document.title })}</ScreenLink>
                </>
              )}
            </Text>
          ))}
        </Alert>
      )}
    </>
  );
}

interface FoundProps {
  readonly document: Found;
  readonly current: string | null;
  readonly choose: (id: string) => void;
}

/** A row of the findings; a click marks its passage in the text. */
function Finding({ id, current, choose, head, children }: { id: string; current: string | null; choose: (id: string) => void; head: ReactNode; children: ReactNode }) {
  return (
    <li>
      <UnstyledButton onClick={() => choose(id)} aria-pressed={current === id} style={{ display: 'block', inlineSize: '100%' }}>
        <Group gap={6} justify="space-between" wrap="nowrap" align="flex-start">
          {head}
        </Group>
        <Text size="sm" component="div" dir="auto">
          {children}
        </Text>
      </UnstyledButton>
    </li>
  );
}

function Signals({ document, current, choose }: FoundProps) {
  const { t } = useTranslator();
  const signals = document.signals?.nodes ?? [];
  return (
    <Panel title={t('document.signalsTitle')} actions={<Badge color="blue" variant="light">{document.signals?.totalCount ?? 0}</Badge>}>
      {signals.length === 0 ? (
        <EmptyPage name="signalsAfter" title={t('document.noSignals')} hint={t('document.noSignalsHint')} />
      ) : (
        <ul className="rows">
          {signals.map((signal) => (
            <Finding key={signal.id} id={signal.id} current={current} choose={choose} head={<><Text size="sm" fw={600}>{signal.theme}</Text><Sentiment value={signal.stance} /></>}>
              {signal.statement}
              {signal.executiveName && <Text size="xs" c="dimmed">{signal.executiveName}</Text>}
            </Finding>
          ))}
        </ul>
      )}
      <PageLinks name="signalsAfter" page={document.signals?.pageInfo} />
    </Panel>
  );
}

function Reactions({ document, current, choose }: FoundProps) {
  const { t } = useTranslator();
  const reactions = document.reactions?.nodes ?? [];
  return (
    <Panel title={t('document.reactionsTitle')} actions={<Badge color="green" variant="light">{document.reactions?.totalCount ?? 0}</Badge>}>
      {reactions.length === 0 ? (
        <EmptyPage name="reactionsAfter" title={t('document.noReactions')} hint={t('document.noReactionsHint')} />
      ) : (
        <ul className="rows">
          {reactions.map((reaction) => (
            <Finding key={reaction.id} id={reaction.id} current={current} choose={choose} head={<><Text size="sm" fw={600}>{reaction.persona?.name}</Text><Sentiment value={reaction.sentiment} rating={reaction.rating} /></>}>
              {reaction.text}
            </Finding>
          ))}
        </ul>
      )}
      <PageLinks name="reactionsAfter" page={document.reactions?.pageInfo} />
    </Panel>
  );
}

function Tags({ document, current, choose }: FoundProps) {
  const { t, percent } = useTranslator();
  const tags = document.appliedAutoTags ?? [];
  if (tags.length === 0) {
    return null;
  }
  return (
    <Panel title={t('document.tagsTitle')}>
      <ul className="rows">
        {tags.map((tag) => (
          <Finding key={tag.id} id={tag.id} current={current} choose={choose} head={<><Text size="sm" fw={600}>{tag.name}</Text>{tag.confidenceScore != null && <Text size="xs" c="dimmed">{percent(tag.confidenceScore)}</Text>}</>}>
            {tag.extractedValue}
          </Finding>
        ))}
      </ul>
    </Panel>
  );
}

/** The documents that share most with this one, and what they share. */
function Related({ document }: { document: Found }) {
  const { t, name, date } = useTranslator();
  const related = document.related ?? [];
  if (related.length === 0) {
    return null;
  }
  return (
    <Panel title={t('document.relatedTitle')}>
      <ul className="rows">
        {related.map((one) => (
          <li key={one.documentId}>
            <ScreenLink to={`/documents/${one.documentId}`} className="row-link">
              {one.document?.title || t('document.untitled')}
            </ScreenLink>
            <Text size="xs" c="dimmed">
              {[...one.sharedBy.map((shared) => name('shared', shared)), one.document?.createdAt && date(one.document.createdAt)].filter(Boolean).join(' · ')}
            </Text>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Jobs({ document, mayWrite }: { document: Found; mayWrite: boolean | undefined }) {
  const { t, name } = useTranslator();
  const jobs = document.jobs?.nodes ?? [];
  return (
    <Panel title={t('document.jobsTitle')} actions={<Button component={Link} href="/" size="compact-xs" variant="subtle">{t('nav.home')}</Button>}>
      {jobs.length === 0 ? (
        <EmptyPage name="jobsAfter" title={t('document.noJobs')} />
      ) : (
        <ul className="rows">
          {jobs.map((job) => (
            <JobRow key={job.id} job={{ ...job, document: null }} mayWrite={mayWrite} />
          ))}
        </ul>
      )}
      <PageLinks name="jobsAfter" page={document.jobs?.pageInfo} />
      {jobs[0]?.events && (
        <details style={{ padding: '0 1rem 0.75rem' }}>
          <summary>{t('document.log')}</summary>
          <ol className="code">
            {jobs[0].events.nodes.map((event) => (
              <li key={event.position}>
                {name('jobStatus', event.job.status)} {event.job.progress}% {event.job.note}
              </li>
            ))}
          </ol>
        </details>
      )}
    </Panel>
  );
}
