import { Badge, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { CombinedError } from 'urql';
import type { PreviewSourceMutation } from '../../graph/sources/graphql';
import { useTranslator } from '../../i18n';
import { fieldProblem } from '../../problemText';
import { GuardedButton } from '../../ui/guardedButton';

type Groups = NonNullable<PreviewSourceMutation['previewSource']>['linkGroups'];

/** How many titles of a group are shown. */
const shownTitles = 3;

interface ChoiceProps {
  readonly groups: Groups;
  readonly isReadOnly: boolean;
  readonly isLooking: boolean;
  readonly error: CombinedError | undefined;
  /** Shows which links would come in. */
  readonly look: (linkPrefix: string) => void;
}

/** Asks which links of a page are its articles, by the beginning of their addresses. */
export function LinkChoice({ groups, isReadOnly, isLooking, error, look }: ChoiceProps) {
  const { t } = useTranslator();
  const [prefix, setPrefix] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    look(prefix.trim());
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Radio.Group
          label={t('source.linkGroups')}
          description={t('source.linkGroupsHint')}
          value={prefix}
          onChange={setPrefix}
        >
          <Stack gap="xs" mt="xs">
            {groups.map((group) => (
              <LinkGroup key={group.linkPrefix} group={group} isReadOnly={isReadOnly} />
            ))}
          </Stack>
        </Radio.Group>
        <TextInput
          type="url"
          label={t('source.linkPrefix')}
          description={t('source.linkPrefixHint')}
          value={prefix}
          readOnly={isReadOnly}
          onChange={(event) => setPrefix(event.currentTarget.value)}
          error={fieldProblem(error, 'linkPrefix')}
        />
        <Group>
          <GuardedButton
            allowed={!isReadOnly && prefix.trim() !== ''}
            reason={isReadOnly ? 'guard.write' : 'source.noPrefix'}
            type="submit"
            loading={isLooking}
            variant="light"
          >
            {t('source.lookLinks')}
          </GuardedButton>
        </Group>
      </Stack>
    </form>
  );
}

function LinkGroup({ group, isReadOnly }: { group: Groups[number]; isReadOnly: boolean }) {
  const { t } = useTranslator();
  const titles = group.links.slice(0, shownTitles).map(({ url, title }) => title ?? url);
  return (
    <Radio
      value={group.linkPrefix}
      disabled={isReadOnly}
      label={<bdi style={{ overflowWrap: 'anywhere' }}>{group.linkPrefix}</bdi>}
      description={
        <>
          {group.isProposed && (
            <Badge variant="light" me={6} tt="none">
              {t('source.proposed')}
            </Badge>
          )}
          <Text span size="sm">
            {t('source.linkCount', { count: group.linkCount })}
            {': '}
            <bdi>{titles.join(' · ')}</bdi>
            {group.linkCount > titles.length && ' …'}
          </Text>
        </>
      }
    />
  );
}
