import { Badge, Checkbox, Group, Text } from '@mantine/core';
import { useState } from 'react';
import {
  StartTaggingDocument,
  type TaggingRowFragment,
  type TagScreenQuery,
} from '../../graph/tag/graphql';
import { useTranslator } from '../../i18n';
import { GuardedButton } from '../../ui/guardedButton';
import { JobRow } from '../../ui/jobRow';
import { useNotice } from '../../ui/notice';
import { EmptyPage, PageLinks } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { useAction } from '../../ui/useAction';
import type { Tag } from './tag';

interface ApplyProps {
  readonly tag: Tag;
  readonly data: TagScreenQuery;
  readonly mayWrite: boolean | undefined;
  readonly reload: () => void;
}

type ListedDocument = NonNullable<TagScreenQuery['documents']>['nodes'][number];

/** Applies the auto-tag to documents that are here already: each chosen one by a job of its own. */
export function ApplyForm({ tag, data, mayWrite, reload }: ApplyProps) {
  const { t } = useTranslator();
  const notify = useNotice();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [isStarting, setStarting] = useState(false);
  const { run } = useAction(StartTaggingDocument);
  const rows = data.documents?.nodes ?? [];
  const start = async () => {
    setStarting(true);
    let left = chosen;
    for (const documentId of chosen) {
      if (!(await run({ documentId, autoTagIds: [tag.id] }))) {
        break; // the refusal is shown, and the others stay chosen
      }
      left = left.filter((id) => id !== documentId);
      setChosen(left);
    }
    setStarting(false);
    if (left.length < chosen.length) {
      notify(t('tags.started', { count: chosen.length - left.length }));
      reload();
    }
  };
  return (
    <>
      <Panel
        title={t('tags.apply')}
        actions={
          <GuardedButton
            allowed={mayWrite && chosen.length > 0}
            reason={mayWrite ? 'tags.chooseTexts' : 'guard.write'}
            size="xs"
            loading={isStarting}
            onClick={() => void start()}
          >
            {t('tags.applyTo', { count: chosen.length })}
          </GuardedButton>
        }
      >
        <Text size="sm" c="dimmed" px="md" pt="sm">
          {t('tags.applyHint')}
        </Text>
        {rows.length === 0 ? (
          <EmptyPage
            name="documentsAfter"
            title={t('documents.none')}
            hint={t('documents.noneHint')}
          />
        ) : (
          <DocumentChoice
            rows={rows}
            tagId={tag.id}
            chosen={chosen}
            choose={setChosen}
            disabled={!mayWrite || isStarting}
          />
        )}
        <PageLinks name="documentsAfter" page={data.documents?.pageInfo} />
      </Panel>
      <TaggingJobs
        tag={tag}
        jobs={(data.jobs?.nodes ?? []).filter(({ parameters }) =>
          parameters && 'autoTagIds' in parameters ? parameters.autoTagIds.includes(tag.id) : false,
        )}
        mayWrite={mayWrite}
      />
    </>
  );
}

interface ChoiceProps {
  readonly rows: readonly ListedDocument[];
  readonly tagId: string;
  readonly chosen: readonly string[];
  readonly choose: (ids: readonly string[]) => void;
  readonly disabled: boolean;
}

/** The documents of a page, each with the value that it has. */
function DocumentChoice({ rows, tagId, chosen, choose, disabled }: ChoiceProps) {
  const { t } = useTranslator();
  const here = rows.filter(({ id }) => chosen.includes(id)).length;
  const others = chosen.filter((id) => !rows.some((row) => row.id === id));
  const isAll = here === rows.length;
  return (
    <ul className="rows">
      <li>
        <Checkbox
          label={t('tags.chooseAll', { count: rows.length })}
          checked={isAll}
          indeterminate={here > 0 && !isAll}
          disabled={disabled}
          onChange={() => choose(isAll ? others : [...others, ...rows.map(({ id }) => id)])}
        />
      </li>
      {rows.map(({ id, title, appliedAutoTags }) => {
        const value = appliedAutoTags?.find((one) => one.autoTagId === tagId)?.extractedValue;
        return (
          <li key={id} data-document={id}>
            <Group justify="space-between" wrap="nowrap">
              <Checkbox
                label={title || t('document.untitled')}
                checked={chosen.includes(id)}
                disabled={disabled}
                onChange={(event) =>
                  choose(
                    event.currentTarget.checked
                      ? [...chosen, id]
                      : chosen.filter((one) => one !== id),
                  )
                }
              />
              {value != null && (
                <Badge variant="light" color="gray" tt="none" style={{ flexShrink: 0 }} maw="50%">
                  {value}
                </Badge>
              )}
            </Group>
          </li>
        );
      })}
    </ul>
  );
}

interface TaggingJobsProps {
  readonly tag: Tag;
  readonly jobs: readonly TaggingRowFragment[];
  readonly mayWrite: boolean | undefined;
}

/** The jobs that apply the auto-tag, each with its progress and then its value. */
function TaggingJobs({ tag, jobs, mayWrite }: TaggingJobsProps) {
  const { t } = useTranslator();
  if (jobs.length === 0) {
    return null;
  }
  const ended = jobs.filter(({ completedAt }) => completedAt).length;
  return (
    <Panel title={t('tags.progress', { ended, count: jobs.length })}>
      <ul className="rows">
        {jobs.map((job) => (
          <TaggingJob key={job.id} job={job} tagId={tag.id} mayWrite={mayWrite} />
        ))}
      </ul>
    </Panel>
  );
}

function TaggingJob({
  job,
  tagId,
  mayWrite,
}: {
  job: TaggingRowFragment;
  tagId: string;
  mayWrite: boolean | undefined;
}) {
  const { t } = useTranslator();
  const result = job.result && 'values' in job.result ? job.result : null;
  const found = result?.values.find(({ autoTagId }) => autoTagId === tagId);
  return (
    <JobRow job={job} mayWrite={mayWrite}>
      {result && (
        <>
          <Text size="sm" dir="auto">
            {found ? t('tags.found', { value: found.extractedValue }) : t('tags.foundNone')}
          </Text>
          {result.warning && (
            <Text size="sm" c="dimmed">
              {result.warning}
            </Text>
          )}
        </>
      )}
    </JobRow>
  );
}
