import {
  Alert,
  Badge,
  Button,
  Group,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import {
  CreateAutoTagDocument,
  CreateFilterDocument,
  FiltersDocument,
  type FiltersQuery,
  ReplaceFiltersDocument,
  type ReplaceFiltersMutation,
} from '../../graph/filters/graphql';
import { useTranslator } from '../../i18n';
import { useMayWrite } from '../../liveUpdates';
import { fieldProblem } from '../../problemText';
import { GuardedButton } from '../../ui/guardedButton';
import { useNotice } from '../../ui/notice';
import { EmptyPage, PageLinks, usePageCursor } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { RefusalAlert } from '../../ui/refusalAlert';
import { Screen, useScreen } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import { useAction } from '../../ui/useAction';
import { ReviewQueue } from './reviewQueue';

type CommsFilters = NonNullable<FiltersQuery['commsFilters']>;

/**
 * Which documents are hidden from communications, the auto-tags, and values that await a decision.
 */
export default function Filters() {
  const { t } = useTranslator();
  const result = useScreen(FiltersDocument, {
    filtersAfter: usePageCursor('filtersAfter'),
    tagsAfter: usePageCursor('tagsAfter'),
  });
  const mayWrite = useMayWrite();
  return (
    <Screen title={t('nav.filters')} lead={t('filters.lead')} result={result}>
      {(data) => (
        <Stack gap="lg">
          <ReviewQueue
            reviews={data.autoTagReviews?.nodes ?? []}
            total={data.autoTagReviews?.totalCount ?? 0}
            mayWrite={mayWrite}
            reload={result.retry}
          />
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
            <Registry
              key={data.commsFilters?.tags?.nodes
                .map(({ id, enabled }) => `${id}${enabled}`)
                .join()}
              tags={data.commsFilters?.tags}
              stored={data.commsFilters?.filters}
              mayWrite={mayWrite}
              reload={result.retry}
            />
            <AutoTags data={data} mayWrite={mayWrite} reload={result.retry} />
          </SimpleGrid>
        </Stack>
      )}
    </Screen>
  );
}

type Effect = NonNullable<ReplaceFiltersMutation['replaceCommsFilters']>;

/**
 * The registry of filters. A change is tried first and shows what it would hide. Filters on later
 * pages stay as they are.
 */
function Registry({
  tags: page,
  stored,
  mayWrite,
  reload,
}: {
  tags: CommsFilters['tags'] | undefined;
  stored: CommsFilters['filters'];
  mayWrite: boolean | undefined;
  reload: () => void;
}) {
  const { t } = useTranslator();
  const notify = useNotice();
  const tags = page?.nodes ?? [];
  const [enabled, setEnabled] = useState<Record<string, boolean>>(() =>
    Object.fromEntries(tags.map((tag) => [tag.autoTagId, tag.enabled])),
  );
  const [effect, setEffect] = useState<Effect | null>(null);
  const replace = useAction(ReplaceFiltersDocument);
  const changed = tags.some((tag) => enabled[tag.autoTagId] !== tag.enabled);
  const filters = {
    ...(stored as object),
    ...Object.fromEntries(
      tags.map((tag) => [
        tag.autoTagId,
        { enabled: enabled[tag.autoTagId] ?? false, values: tag.values },
      ]),
    ),
  };
  const preview = async () =>
    setEffect((await replace.run({ filters, dryRun: true }))?.replaceCommsFilters ?? null);
  const save = async () => {
    if (await replace.run({ filters, dryRun: false })) {
      notify(t('drafts.stored'));
      setEffect(null);
      reload();
    }
  };
  return (
    <Panel title={t('filters.registry')}>
      {tags.length === 0 && (
        <EmptyPage name="filtersAfter" title={t('filters.none')} hint={t('filters.noneHint')} />
      )}
      <ul className="rows">
        {tags.map((tag) => (
          <li key={tag.id}>
            <Group justify="space-between" wrap="nowrap">
              <Switch
                label={tag.name}
                description={tag.description || tag.values.join(', ')}
                checked={enabled[tag.autoTagId] ?? false}
                disabled={!mayWrite}
                onChange={(event) => {
                  const { checked } = event.currentTarget;
                  setEffect(null);
                  setEnabled((before) => ({ ...before, [tag.autoTagId]: checked }));
                }}
              />
              <Badge variant="light" color="gray" tt="none" style={{ flexShrink: 0 }}>
                {t('filters.hides', { count: tag.hiddenCount })}
              </Badge>
            </Group>
            <Titles documents={tag.hiddenDocuments?.nodes ?? []} />
          </li>
        ))}
      </ul>
      {mayWrite && changed && (
        <Stack p="md" gap="sm">
          {!effect ? (
            <Button variant="light" loading={replace.fetching} onClick={() => void preview()}>
              {t('filters.preview')}
            </Button>
          ) : (
            <>
              <Alert title={t('filters.wouldHide', { count: effect.hiddenDocuments?.length ?? 0 })}>
                <Titles documents={effect.hiddenDocuments ?? []} />
              </Alert>
              <Alert
                color="green"
                title={t('filters.wouldShow', { count: effect.shownDocuments?.length ?? 0 })}
              >
                <Titles documents={effect.shownDocuments ?? []} />
              </Alert>
              <Button loading={replace.fetching} onClick={() => void save()}>
                {t('action.save')}
              </Button>
            </>
          )}
        </Stack>
      )}
      <PageLinks name="filtersAfter" page={page?.pageInfo} />
      <FilterForm mayWrite={mayWrite} reload={reload} />
    </Panel>
  );
}

function Titles({ documents }: { documents: readonly { id: string; title: string }[] }) {
  return documents.map((document) => (
    <Text size="sm" key={document.id}>
      <ScreenLink to={`/documents/${document.id}`}>{document.title}</ScreenLink>
    </Text>
  ));
}

interface FormProps {
  readonly mayWrite: boolean | undefined;
  readonly reload: () => void;
}

function FilterForm({ mayWrite, reload }: FormProps) {
  const { t } = useTranslator();
  const [name, setName] = useState('');
  const [{ fetching, error }, create] = useMutation(CreateFilterDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await create({ name });
    if (data?.createFilterTag) {
      setName('');
      reload();
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate style={{ padding: '1rem' }}>
      <Group align="flex-end">
        <TextInput
          label={t('filters.new')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={fieldProblem(error, 'name')}
          style={{ flex: '1 1 10rem' }}
        />
        <GuardedButton allowed={mayWrite} type="submit" variant="light" loading={fetching}>
          {t('filters.add')}
        </GuardedButton>
      </Group>
      <RefusalAlert error={error} fields={['name']} />
    </form>
  );
}

function AutoTags({
  data,
  mayWrite,
  reload,
}: {
  data: FiltersQuery;
  mayWrite: boolean | undefined;
  reload: () => void;
}) {
  const { t, number } = useTranslator();
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
                <Text fw={550}>{tag.name}</Text>
                <Badge variant="outline" color="gray" size="sm" tt="none">
                  {tag.tagType}
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

const fields = ['name', 'tagType', 'description', 'allowedValues'] as const;

function AutoTagForm({ mayWrite, reload }: FormProps) {
  const { t } = useTranslator();
  const [values, setValues] = useState<Partial<Record<(typeof fields)[number], string>>>({});
  const [{ fetching, error }, create] = useMutation(CreateAutoTagDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const allowedValues = (values.allowedValues ?? '')
      .split(',')
      .map((value) => value.trim())
      .filter(Boolean);
    const { data } = await create({
      input: {
        name: values.name ?? '',
        tagType: values.tagType ?? '',
        description: values.description,
        allowedValues,
      },
    });
    if (data?.createAutoTag) {
      setValues({});
      reload();
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate style={{ padding: '1rem' }}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {fields.map((field) => (
            <TextInput
              key={field}
              label={t(`tags.${field}`)}
              value={values[field] ?? ''}
              onChange={(event) => {
                const { value } = event.currentTarget;
                setValues((before) => ({ ...before, [field]: value }));
              }}
              error={fieldProblem(error, field)}
            />
          ))}
        </SimpleGrid>
        <Group>
          <GuardedButton allowed={mayWrite} type="submit" variant="light" loading={fetching}>
            {t('tags.add')}
          </GuardedButton>
        </Group>
        <RefusalAlert error={error} fields={fields} />
      </Stack>
    </form>
  );
}
