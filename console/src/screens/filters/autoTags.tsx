import { Badge, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { CreateAutoTagDocument, type FiltersQuery } from '../../graph/filters/graphql';
import { useTranslator } from '../../i18n';
import {
  AutoTagFields,
  autoTagFieldNames,
  autoTagInput,
  emptyAutoTag,
} from '../../ui/autoTagFields';
import { GuardedButton } from '../../ui/guardedButton';
import { EmptyPage, PageLinks } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { RefusalAlert } from '../../ui/refusalAlert';
import { ScreenLink } from '../../ui/screenLink';

/** The auto-tags with their most frequent values, and the form of a new one. */
export function AutoTags({
  data,
  mayWrite,
  reload,
}: {
  data: FiltersQuery;
  mayWrite: boolean | undefined;
  reload: () => void;
}) {
  const { t, name, number } = useTranslator();
  const tags = data.autoTags?.nodes ?? [];
  return (
    <Panel title={t('tags.title')}>
      {tags.length === 0 ? (
        <EmptyPage name="tagsAfter" title={t('tags.none')} hint={t('tags.noneHint')} />
      ) : (
        <ul className="rows">
          {tags.map((tag) => (
            <li key={tag.id}>
              <Group justify="space-between">
                <ScreenLink to={`/filters/tags/${tag.id}`} className="row-link">
                  {tag.name}
                </ScreenLink>
                <Badge variant="outline" color="gray" size="sm" tt="none">
                  {tag.enabled ? name('tagType', tag.tagType) : t('tags.off')}
                </Badge>
              </Group>
              <Text size="sm" c="dimmed">
                {tag.description}
              </Text>
              <Group gap={6} mt={4}>
                {tag.values?.nodes.map((row) => (
                  <Badge key={row.value} variant="light" color="gray" tt="none">
                    {row.value} · {number(row.documentCount)}
                  </Badge>
                ))}
              </Group>
            </li>
          ))}
        </ul>
      )}
      <PageLinks name="tagsAfter" page={data.autoTags?.pageInfo} />
      <AutoTagForm mayWrite={mayWrite} reload={reload} />
    </Panel>
  );
}

interface FormProps {
  readonly mayWrite: boolean | undefined;
  readonly reload: () => void;
}

function AutoTagForm({ mayWrite, reload }: FormProps) {
  const { t } = useTranslator();
  const [values, setValues] = useState(emptyAutoTag);
  const [{ fetching, error }, create] = useMutation(CreateAutoTagDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await create({ input: autoTagInput(values) });
    if (data?.createAutoTag) {
      setValues(emptyAutoTag);
      reload();
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate style={{ padding: '1rem' }}>
      <Stack gap="sm">
        <AutoTagFields
          values={values}
          change={(changed) => setValues((before) => ({ ...before, ...changed }))}
          error={error}
        />
        <Group>
          <GuardedButton allowed={mayWrite} type="submit" variant="light" loading={fetching}>
            {t('tags.add')}
          </GuardedButton>
        </Group>
        <RefusalAlert error={error} fields={autoTagFieldNames} />
      </Stack>
    </form>
  );
}
