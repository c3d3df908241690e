import { Button, FileButton, Group } from '@mantine/core';
import { useRef } from 'react';
import { type OperationResult, useClient } from 'urql';
import {
  HouseRuleSourcesDocument,
  type HouseRuleSourcesQuery,
  ImportHouseRulesDocument,
} from '../../graph/houseRules/graphql';
import { useTranslator } from '../../i18n';
import { problemText } from '../../problemText';
import { useNotice } from '../../ui/notice';
import { saveFile } from '../../ui/saveFile';
import { useAction } from '../../ui/useAction';
import { namedRules } from './ruleSource';

interface FilesProps {
  readonly mayEdit: boolean | undefined;
  readonly reload: () => void;
}

/** Reads rules from YAML files, and writes all rules to one. */
export function RuleFiles({ mayEdit, reload }: FilesProps) {
  const { t } = useTranslator();
  const notify = useNotice();
  const client = useClient();
  const read = useAction(ImportHouseRulesDocument);
  const reset = useRef<() => void>(null);
  const readAll = async (files: readonly File[]) => {
    const texts = await Promise.all(
      files.map(async (file) => namedRules(file.name, await file.text())),
    );
    reset.current?.();
    if (texts.length === 0) {
      return;
    }
    const found = (await read.run({ source: texts.join('\n---\n') }))?.importHouseRules;
    if (found) {
      notify(t('house.imported', { count: found.houseRules.length }));
      reload();
    }
  };
  const readPage = (after: string | null): Promise<OperationResult<HouseRuleSourcesQuery>> =>
    client
      .query(HouseRuleSourcesDocument, { after }, { requestPolicy: 'network-only' })
      .toPromise();
  const writeAll = async () => {
    const sources: string[] = [];
    let after: string | null = null;
    do {
      const { data, error }: OperationResult<HouseRuleSourcesQuery> = await readPage(after);
      const page: HouseRuleSourcesQuery['houseRules'] = data?.houseRules ?? null;
      if (!page) {
        if (error) {
          notify(problemText(error, t), true);
        }
        return;
      }
      sources.push(...page.nodes.map(({ source }) => source));
      after = page.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? null) : null;
    } while (after !== null);
    saveFile('house-rules.yml', new Blob([sources.join('---\n')], { type: 'application/yaml' }));
  };
  return (
    <Group gap="xs">
      {mayEdit && (
        <FileButton
          multiple
          accept=".yml,.yaml"
          resetRef={reset}
          onChange={(files) => void readAll(files)}
        >
          {(button) => (
            <Button {...button} size="xs" variant="light" loading={read.fetching}>
              {t('house.import')}
            </Button>
          )}
        </FileButton>
      )}
      <Button size="xs" variant="light" onClick={() => void writeAll()}>
        {t('house.export')}
      </Button>
    </Group>
  );
}
