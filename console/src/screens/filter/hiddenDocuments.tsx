import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useClient } from 'urql';
import {
  ExcludeDocumentDocument,
  ShownDocumentsDocument,
  type ShownDocumentsQuery,
  UnhideDocumentDocument,
} from '../../graph/filter/graphql';
import { focusHeading } from '../../headingFocus';
import { useTranslator } from '../../i18n';
import { problemText } from '../../problemText';
import { ConfirmedButton } from '../../ui/confirmedButton';
import { GuardedButton } from '../../ui/guardedButton';
import { useNotice } from '../../ui/notice';
import { EmptyPage, PageLinks } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { ScreenLink } from '../../ui/screenLink';
import { useAction } from '../../ui/useAction';
import type { Filter } from './filter';

interface PartProps {
  readonly filter: Filter;
  readonly mayWrite: boolean | undefined;
  readonly reload: () => void;
}

type HiddenDocument = NonNullable<Filter['hiddenDocuments']>['nodes'][number];

/** What the filter hides, each document with the reason and the way back. */
export function HiddenDocuments({ filter, mayWrite, reload }: PartProps) {
  const { t } = useTranslator();
  const page = filter.hiddenDocuments;
  const rows = page?.nodes ?? [];
  return (
    <Panel title={t('filters.hiddenTitle', { count: page?.totalCount ?? 0 })}>
      {rows.length === 0 ? (
        <EmptyPage
          name="hiddenAfter"
          title={t('filters.hidesNothing')}
          hint={t('filters.hidesNothingHint')}
        />
      ) : (
        <ul className="rows">
          {rows.map((document) => (
            <HiddenRow
              key={document.id}
              document={document}
              filter={filter}
              mayWrite={mayWrite}
              reload={reload}
            />
          ))}
        </ul>
      )}
      <PageLinks name="hiddenAfter" page={page?.pageInfo} />
    </Panel>
  );
}

function HiddenRow({
  document,
  filter,
  mayWrite,
  reload,
}: PartProps & { document: HiddenDocument }) {
  const { t } = useTranslator();
  const unhide = useAction(UnhideDocumentDocument);
  const title = document.title || t('document.untitled');
  const show = async () => {
    if (await unhide.run({ tagId: filter.autoTagId, documentId: document.id })) {
      focusHeading();
      reload();
    }
  };
  return (
    <li data-document={document.id}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <ScreenLink to={`/documents/${document.id}`} className="row-link">
          {title}
        </ScreenLink>
        <ConfirmedButton
          allowed={mayWrite ?? false}
          size="compact-xs"
          variant="light"
          loading={unhide.fetching}
          subject={document.id}
          action={t('filters.unhide')}
          question={t('filters.unhideQuestion', { title })}
          aria-label={t('filters.unhideOf', { title })}
          style={{ flexShrink: 0 }}
          run={show}
        />
      </Group>
      <Reason document={document} autoTagId={filter.autoTagId} />
    </li>
  );
}

/** Why the filter hides a document: its value, the passage, and the example that it is like. */
function Reason({ document, autoTagId }: { document: HiddenDocument; autoTagId: string }) {
  const { t, percent } = useTranslator();
  const reason = document.hiddenBy?.find((one) => one.autoTagId === autoTagId);
  if (!reason) {
    return null;
  }
  const example = reason.nearestExample?.document;
  const parts = [
    reason.extractedValue,
    reason.confidenceScore != null &&
      t('filters.sure', { percent: percent(reason.confidenceScore) }),
  ];
  return (
    <>
      <Text size="sm" c="dimmed" dir="auto">
        {parts.filter(Boolean).join(' · ')}
      </Text>
      {reason.quote && (
        <Text size="sm" c="dimmed" fs="italic" dir="auto" lineClamp={3}>
          {reason.quote}
        </Text>
      )}
      {example && example.id !== document.id && (
        <Text size="sm">
          <ScreenLink to={`/documents/${example.id}`}>
            {t('document.like', { title: example.title })}
          </ScreenLink>
        </Text>
      )}
    </>
  );
}

type Shown = NonNullable<ShownDocumentsQuery['documents']>['nodes'];

/** Finds a document that is shown, and hides it as an example for the filter. */
export function ExcludeForm({ filter, mayWrite, reload }: PartProps) {
  const { t } = useTranslator();
  const client = useClient();
  const notify = useNotice();
  const [q, setQ] = useState('');
  const [found, setFound] = useState<Shown | null>(null);
  const exclude = useAction(ExcludeDocumentDocument);
  const search = async (event: FormEvent) => {
    event.preventDefault();
    const { data, error } = await client
      .query(ShownDocumentsDocument, { q }, { requestPolicy: 'network-only' })
      .toPromise();
    setFound(data?.documents?.nodes ?? null);
    if (error) {
      notify(problemText(error, t), true);
    }
  };
  const hide = async (documentId: string) => {
    if (await exclude.run({ tagId: filter.autoTagId, documentId })) {
      setFound((before) => before?.filter(({ id }) => id !== documentId) ?? null);
      reload();
    }
  };
  return (
    <Panel title={t('filters.exclude')}>
      <Stack p="md" gap="sm">
        <Text size="sm" c="dimmed">
          {t('filters.excludeHint')}
        </Text>
        <form onSubmit={(event) => void search(event)}>
          <Group align="flex-end" gap="xs">
            <TextInput
              type="search"
              label={t('documents.search')}
              value={q}
              onChange={(event) => setQ(event.currentTarget.value)}
              style={{ flex: 1 }}
            />
            <Button type="submit" variant="default" disabled={!q.trim()}>
              {t('filters.search')}
            </Button>
          </Group>
        </form>
        <div role="status">{found?.length === 0 && t('documents.nothing')}</div>
      </Stack>
      {found && found.length > 0 && (
        <ul className="rows">
          {found.map(({ id, title }) => (
            <li key={id}>
              <Group justify="space-between" wrap="nowrap">
                <ScreenLink to={`/documents/${id}`}>{title || t('document.untitled')}</ScreenLink>
                <GuardedButton
                  allowed={mayWrite}
                  size="compact-xs"
                  variant="light"
                  loading={exclude.fetching}
                  aria-label={t('filters.hideOf', { title: title || t('document.untitled') })}
                  style={{ flexShrink: 0 }}
                  onClick={() => void hide(id)}
                >
                  {t('filters.hide')}
                </GuardedButton>
              </Group>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
