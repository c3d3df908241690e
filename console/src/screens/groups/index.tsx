import { Badge, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { GroupsDocument } from '../../graph/groups/graphql';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { GuardedButton } from '../../ui/guardedButton';
import { EmptyPage, PageLinks, usePageCursor } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { Screen, useScreen } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import { CreateGroup, EditGroup } from './groupForm';
import type { AudienceGroup, GroupPersona } from './groups';
import { DeleteGroup, Members } from './members';

/** The audience groups: what they are called, in which order they stand, and who is in them. */
export default function Groups() {
  const { t } = useTranslator();
  const result = useScreen(GroupsDocument, { after: usePageCursor() });
  const mayWrite = useMay('EDIT');
  return (
    <Screen
      title={t('groups.title')}
      lead={
        <>
          <ScreenLink isInText to="/audience">
            {t('nav.audience')}
          </ScreenLink>{' '}
          · {t('groups.lead')}
        </>
      }
      result={result}
    >
      {(data) => {
        const groups = data.audienceGroups?.nodes ?? [];
        return (
          <Stack gap="lg">
            <CreateGroup mayWrite={mayWrite} reload={result.retry} />
            {groups.length === 0 && (
              <Panel title={t('groups.title')}>
                <EmptyPage title={t('groups.none')} hint={t('groups.noneHint')} />
              </Panel>
            )}
            {groups.map((group) => (
              <GroupPanel
                key={group.id}
                group={group}
                personas={data.personas?.nodes ?? []}
                mayWrite={mayWrite}
                reload={result.retry}
              />
            ))}
            <PageLinks page={data.audienceGroups?.pageInfo} />
          </Stack>
        );
      }}
    </Screen>
  );
}

interface GroupProps {
  readonly group: AudienceGroup;
  readonly personas: readonly GroupPersona[];
  readonly mayWrite: boolean | undefined;
  readonly reload: () => void;
}

function GroupPanel({ group, personas, mayWrite, reload }: GroupProps) {
  const { t, ago } = useTranslator();
  const [isEdited, setEdited] = useState(false);
  const title = group.displayName || group.name;
  const summary = group.summaries?.nodes[0];
  return (
    <Panel
      title={title}
      actions={
        <Group gap="xs">
          <Badge variant="light" tt="none">
            {t('groups.count', { count: group.personas?.totalCount ?? 0 })}
          </Badge>
          <GuardedButton
            allowed={mayWrite}
            size="compact-xs"
            variant="subtle"
            aria-expanded={isEdited}
            aria-label={t('groups.editOf', { name: title })}
            onClick={() => setEdited(!isEdited)}
          >
            {t('groups.edit')}
          </GuardedButton>
          <DeleteGroup group={group} mayWrite={mayWrite} reload={reload} />
        </Group>
      }
    >
      <Stack p="md" gap="sm">
        <Text size="sm" c="dimmed">
          {[
            t('groups.category', { name: group.name }),
            t('groups.order', { order: group.sortOrder }),
            summary?.generatedAt &&
              t('groups.summary', { grade: summary.grade ?? '—', when: ago(summary.generatedAt) }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
        {isEdited && <EditGroup group={group} close={() => setEdited(false)} reload={reload} />}
        <Members group={group} personas={personas} mayWrite={mayWrite} reload={reload} />
      </Stack>
    </Panel>
  );
}
