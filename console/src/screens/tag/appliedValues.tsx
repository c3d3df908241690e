import { Badge, Group, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { useMutation } from 'urql';
import { type AppliedValueFragment, CorrectAppliedValueDocument } from '../../graph/tag/graphql';
import { useTranslator } from '../../i18n';
import { passageAddress } from '../../ui/address';
import { CorrectionForm } from '../../ui/correctionForm';
import { GuardedButton } from '../../ui/guardedButton';
import { useNotice } from '../../ui/notice';
import { EmptyPage, PageLinks } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { ScreenLink } from '../../ui/screenLink';
import type { Tag } from './tag';

interface ValuesProps {
  readonly tag: Tag;
  readonly mayWrite: boolean | undefined;
  readonly reload: () => void;
}

/** The values that the auto-tag has in documents; a person may correct each. */
export function AppliedValues({ tag, mayWrite, reload }: ValuesProps) {
  const { t, number } = useTranslator();
  const page = tag.appliedValues;
  const rows = page?.nodes ?? [];
  return (
    <Panel title={t('tags.values', { count: page?.totalCount ?? 0 })}>
      {tag.values && tag.values.nodes.length > 0 && (
        <Group gap={6} p="md">
          {tag.values.nodes.map(({ value, documentCount }) => (
            <Badge key={value} variant="light" color="gray" tt="none">
              {value} · {number(documentCount)}
            </Badge>
          ))}
        </Group>
      )}
      {rows.length === 0 ? (
        <EmptyPage name="valuesAfter" title={t('tags.noValues')} hint={t('tags.noValuesHint')} />
      ) : (
        <ul className="rows">
          {rows.map((row) => (
            <ValueRow key={row.id} row={row} tag={tag} mayWrite={mayWrite} reload={reload} />
          ))}
        </ul>
      )}
      <PageLinks name="valuesAfter" page={page?.pageInfo} />
    </Panel>
  );
}

function ValueRow({ row, tag, mayWrite, reload }: ValuesProps & { row: AppliedValueFragment }) {
  const { t, name, percent } = useTranslator();
  const notify = useNotice();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const [{ fetching, error }, correct] = useMutation(CorrectAppliedValueDocument);
  const save = async (value: string) => {
    const { data } = await correct({ reviewId: row.id, value });
    if (data?.correctAutoTagValue) {
      setOpen(false);
      button.current?.focus();
      notify(t('drafts.stored'));
      reload();
    }
  };
  const { document } = row;
  const title = document?.title || t('document.untitled');
  return (
    <li data-value={row.id}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text fw={550} dir="auto">
          {row.extractedValue}
        </Text>
        <GuardedButton
          ref={button}
          allowed={mayWrite}
          size="compact-xs"
          variant="subtle"
          aria-expanded={isOpen}
          aria-label={t('tags.correctOf', { title })}
          style={{ flexShrink: 0 }}
          onClick={() => setOpen(!isOpen)}
        >
          {t('review.correct')}
        </GuardedButton>
      </Group>
      {document && (
        <ScreenLink to={passageAddress({ ...row, documentId: document.id, findingId: row.id })}>
          {title}
        </ScreenLink>
      )}
      <Text size="sm" c="dimmed">
        {[
          name('tagSource', row.source),
          row.confidenceScore != null && percent(row.confidenceScore),
        ]
          .filter(Boolean)
          .join(' · ')}
      </Text>
      {row.quote && (
        <Text size="sm" c="dimmed" fs="italic" dir="auto" lineClamp={3}>
          {row.quote}
        </Text>
      )}
      {isOpen && (
        <CorrectionForm
          extracted={row.extractedValue}
          tag={tag}
          fetching={fetching}
          error={error}
          correct={(value) => void save(value)}
        />
      )}
    </li>
  );
}
