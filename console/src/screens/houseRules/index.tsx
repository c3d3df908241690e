import { Badge, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import {
  DeleteHouseRuleDocument,
  type HouseRuleRowFragment,
  HouseRulesDocument,
} from '../../graph/houseRules/graphql';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { ConfirmedButton } from '../../ui/confirmedButton';
import { levelColors } from '../../ui/houseFindings';
import { GuardedButton } from '../../ui/guardedButton';
import { EmptyPage, PageLinks, usePageCursor } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { Screen, useScreen } from '../../ui/screen';
import { useAction } from '../../ui/useAction';
import { RuleFiles } from './ruleFiles';
import { NewRule, SourceForm } from './ruleForms';
import { Trial } from './trial';

/** The rules that the workspace's texts keep to, and a text to try them with. */
export default function HouseRules() {
  const { t } = useTranslator();
  const result = useScreen(HouseRulesDocument, { after: usePageCursor() });
  const mayEdit = useMay('EDIT');
  return (
    <Screen title={t('house.title')} lead={t('house.lead')} result={result}>
      {(data) => (
        <div className="with-aside aside-end">
          <Stack gap="lg" style={{ minInlineSize: 0 }}>
            <Panel
              title={t('house.rules')}
              actions={<RuleFiles mayEdit={mayEdit} reload={result.retry} />}
            >
              {data.houseRules?.nodes.length === 0 ? (
                <EmptyPage title={t('house.none')} hint={t('house.noneHint')} />
              ) : (
                <ul className="rows">
                  {data.houseRules?.nodes.map((rule) => (
                    <RuleRow key={rule.id} rule={rule} mayEdit={mayEdit} reload={result.retry} />
                  ))}
                </ul>
              )}
              <PageLinks page={data.houseRules?.pageInfo} />
            </Panel>
            <NewRule mayEdit={mayEdit} reload={result.retry} />
          </Stack>
          <Trial />
        </div>
      )}
    </Screen>
  );
}

interface RowProps {
  readonly rule: HouseRuleRowFragment;
  readonly mayEdit: boolean | undefined;
  readonly reload: () => void;
}

function RuleRow({ rule, mayEdit, reload }: RowProps) {
  const { t, name: nameOf } = useTranslator();
  const [isEdited, setEdited] = useState(false);
  const remove = useAction(DeleteHouseRuleDocument);
  const { id, name } = rule;
  const erase = async () => {
    if (await remove.run({ houseRuleId: id })) {
      reload();
    }
  };
  return (
    <li data-rule={id}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap={6}>
        <Text fw={600} dir="auto" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Badge variant="light" color={levelColors[rule.level]} style={{ flexShrink: 0 }}>
          {nameOf('houseLevel', rule.level)}
        </Badge>
      </Group>
      <Text size="sm" dir="auto" style={{ overflowWrap: 'anywhere' }}>
        {rule.message}
      </Text>
      <Text size="sm" c="dimmed">
        {[nameOf('houseKind', rule.kind), rule.language].filter(Boolean).join(' · ')}
      </Text>
      {isEdited ? (
        <SourceForm rule={rule} close={() => setEdited(false)} />
      ) : (
        <Group gap="xs" mt={4}>
          <GuardedButton
            allowed={mayEdit}
            size="compact-xs"
            variant="light"
            aria-label={t('house.editOf', { name })}
            onClick={() => setEdited(true)}
          >
            {t('action.edit')}
          </GuardedButton>
          <ConfirmedButton
            allowed={mayEdit ?? false}
            size="compact-xs"
            variant="subtle"
            color="red"
            loading={remove.fetching}
            subject={id}
            aria-label={t('house.deleteOf', { name })}
            action={t('action.delete')}
            question={t('action.deleteQuestion', { name })}
            run={() => void erase()}
          />
        </Group>
      )}
    </li>
  );
}
