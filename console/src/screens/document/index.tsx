import { Alert, Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link, useParams, useSearchParams } from 'wouter';
import { DocumentScreenDocument } from '../../graph/document/graphql';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { passageRange, withParameter } from '../../ui/address';
import { useDocumentDate } from '../../ui/documentDate';
import { JobRow } from '../../ui/jobRow';
import { EmptyPage, PageLinks, usePageCursor } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { Screen, useScreen, useSubject } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import type { DocumentDetails } from './document';
import { Details } from './details';
import { DocumentActions } from './documentActions';
import { Reactions, Signals, Tags, passagesOf } from './findings';
import { Duplicates } from './nearDuplicates';
import { DocumentText } from './text';
import { UndecidedVisibility } from './undecided';
import { Versions } from './versions';
import { Original } from './original';

/** A document: its text with what was found in it, why it is hidden, its reactions and its jobs. */
export default function DocumentPage() {
  const { t } = useTranslator();
  const { id = '' } = useParams();
  const cursors = {
    signalsAfter: usePageCursor('signalsAfter'),
    reactionsAfter: usePageCursor('reactionsAfter'),
    jobsAfter: usePageCursor('jobsAfter'),
  };
  const result = useScreen(DocumentScreenDocument, { id, ...cursors });
  const [document, known] = useSubject(result, (data) => data.document);
  const mayWrite = useMay('WRITE');
  return (
    <Screen
      title={document ? document.title || t('document.untitled') : t('nav.documents')}
      result={known}
      lead={document && <Facts document={document} />}
      actions={
        document && (
          <DocumentActions document={document} mayWrite={mayWrite} reload={result.retry} />
        )
      }
    >
      {() => document && <Content document={document} mayWrite={mayWrite} />}
    </Screen>
  );
}

function Facts({ document }: { document: DocumentDetails }) {
  const { t, dateTime, name } = useTranslator();
  const documentDate = useDocumentDate();
  const all = [
    document.companyName,
    document.author,
    document.communicationType?.replaceAll('_', ' '),
    document.wordCount && t('document.words', { count: document.wordCount }),
    documentDate(document),
    document.language,
  ];
  // The company is often the author too, so facts are shown once.
  const facts = [...new Set(all)].filter((fact) => fact && fact !== document.executive?.name);
  return (
    <Group gap={8}>
      {document.executive && (
        <ScreenLink to={`/executives/${encodeURIComponent(document.executive.name)}`}>
          {document.executive.name}
        </ScreenLink>
      )}
      {facts.map((fact, i) => (
        <span key={fact}>
          {(document.executive || i > 0) && '· '}
          {fact}
        </span>
      ))}
      {document.visibility !== 'PUBLIC' && (
        <Badge variant="outline" color="gray">
          {name('visibility', document.visibility)}
          {document.embargoedUntil && ` → ${dateTime(document.embargoedUntil)}`}
        </Badge>
      )}
      {document.sourceUrl && (
        <Anchor href={document.sourceUrl} rel="noreferrer noopener" target="_blank">
          {t('document.source')}
        </Anchor>
      )}
      {document.original && <Original original={document.original} />}
    </Group>
  );
}

/** The id of the passage with the offsets of the address. */
const citedPassage = 'cited';

function Content({
  document,
  mayWrite,
}: {
  document: DocumentDetails;
  mayWrite: boolean | undefined;
}) {
  const { t } = useTranslator();
  const [search, setSearch] = useSearchParams();
  const current = search.get('at'); // a passage has an address
  const choose = (id: string) =>
    id === citedPassage
      ? undefined
      : setSearch((before) =>
          withParameter(withParameter(withParameter(before, 'from'), 'to'), 'at', id),
        );
  const cited = passageRange(search);
  const passages = useMemo(() => passagesOf(document), [document]);
  const marked = cited
    ? [{ id: citedPassage, label: t('document.cited'), color: 'orange', ...cited }, ...passages]
    : passages;
  return (
    <>
      <Warnings document={document} />
      <UndecidedVisibility document={document} mayWrite={mayWrite} />
      <div className="with-aside aside-end">
        <Stack gap="lg">
          <DocumentText
            document={document}
            mayWrite={mayWrite}
            passages={marked}
            current={cited ? citedPassage : current}
            choose={choose}
          />
          <Jobs document={document} mayWrite={mayWrite} />
        </Stack>
        <Stack gap="lg" component="aside" aria-label={t('document.found')}>
          <Details document={document} mayWrite={mayWrite} />
          <Signals document={document} current={current} choose={choose} />
          <Reactions document={document} current={current} choose={choose} />
          <Tags document={document} current={current} choose={choose} />
          <Related document={document} />
          <Duplicates key={document.id} documentId={document.id} />
          <Versions key={`versions of ${document.id}`} document={document} mayWrite={mayWrite} />
        </Stack>
      </div>
    </>
  );
}

function Warnings({ document }: { document: DocumentDetails }) {
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
                  <ScreenLink to={`/documents/${reason.nearestExample.document.id}`}>
                    {t('document.like', { title: reason.nearestExample.document.title })}
                  </ScreenLink>
                </>
              )}
            </Text>
          ))}
        </Alert>
      )}
    </>
  );
}

/** The documents that share most with this one, and what they share. */
function Related({ document }: { document: DocumentDetails }) {
  const { t, name } = useTranslator();
  const documentDate = useDocumentDate();
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
              {[...one.sharedBy.map((shared) => name('shared', shared)), documentDate(one.document)]
                .filter(Boolean)
                .join(' · ')}
            </Text>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Jobs({
  document,
  mayWrite,
}: {
  document: DocumentDetails;
  mayWrite: boolean | undefined;
}) {
  const { t, name } = useTranslator();
  const jobs = document.jobs?.nodes ?? [];
  return (
    <Panel
      title={t('document.jobsTitle')}
      actions={
        <Button component={Link} href="/" size="compact-xs" variant="subtle">
          {t('nav.home')}
        </Button>
      }
    >
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
                {name('jobStatus', event.state.status)} {event.state.progress}% {event.state.note}
              </li>
            ))}
          </ol>
        </details>
      )}
    </Panel>
  );
}
