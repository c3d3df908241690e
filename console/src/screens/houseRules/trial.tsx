import { Badge, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { TryHouseRulesDocument } from '../../graph/houseRules/graphql';
import { useTranslator } from '../../i18n';
import { FindingList } from '../../ui/houseFindings';
import { Panel } from '../../ui/panel';
import { RefusalAlert } from '../../ui/refusalAlert';
import { EmptyState } from '../../ui/screen';
import { useDebouncedQuery } from '../../ui/useDebouncedQuery';

/** A text to try the rules with, which is checked while it is written. */
export function Trial() {
  const { t } = useTranslator();
  const [content, setContent] = useState('');
  const isEmpty = content.trim() === '';
  const { data, error } = useDebouncedQuery(
    TryHouseRulesDocument,
    { input: { content } },
    null,
    !isEmpty,
  );
  const check = isEmpty ? null : data?.checkHouseRules;
  return (
    <Panel
      title={t('house.try')}
      actions={
        check && <Badge variant="light">{t('check.score', { score: String(check.score) })}</Badge>
      }
    >
      <Stack p="md" gap="sm">
        <Textarea
          label={t('house.tryText')}
          autosize
          minRows={6}
          maxLength={100_000}
          value={content}
          onChange={(event) => setContent(event.currentTarget.value)}
        />
        <RefusalAlert error={error} />
      </Stack>
      {check &&
        (check.findings.length === 0 ? (
          <EmptyState title={t('house.noFindings')} />
        ) : (
          <FindingList findings={check.findings} />
        ))}
    </Panel>
  );
}
