import {
  Alert,
  Badge,
  Button,
  Group,
  NativeSelect,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { useLocation } from 'wouter';
import {
  CreateFilterDocument,
  type FiltersQuery,
  LinkTagDocument,
  ReplaceFiltersDocument,
  type ReplaceFiltersMutation,
} from '../../graph/filters/graphql';
import { useTranslator } from '../../i18n';
import { fieldProblem } from '../../problemText';
import { GuardedButton } from '../../ui/guardedButton';
import { useNotice } from '../../ui/notice';
import { EmptyPage, PageLinks } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { RefusalAlert } from '../../ui/refusalAlert';
import { ScreenLink } from '../../ui/screenLink';
import { useAction } from '../../ui/useAction';

type CommsFilters = NonNullable<FiltersQuery['commsFilters']>;

interface NamedTag {
  readonly id: string;
  readonly name: string;
}

type Effect = NonNullable<ReplaceFiltersMutation['replaceCommsFilters']>;

/**
 * The registry of filters. A change is tried first and shows what it would hide. Filters on later
 * pages stay as they are.
 */
export function Registry({
  tags: page,
  stored,
  linkable,
  mayWrite,
  reload,
}: {
  tags: CommsFilters['tags'] | undefined;
  stored: CommsFilters['filters'];
  linkable: readonly NamedTag[];
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
            <Text size="sm">
              <ScreenLink to={`/filters/${tag.id}`}>
                {t('filters.open', { name: tag.name })}
              </ScreenLink>
            </Text>
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
      {linkable.length > 0 && <LinkForm linkable={linkable} mayWrite={mayWrite} />}
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
  const [description, setDescription] = useState('');
  const [{ fetching, error }, create] = useMutation(CreateFilterDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await create({ name, description });
    if (data?.createFilterTag) {
      setName('');
      setDescription('');
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
        <TextInput
          label={t('filters.description')}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
          error={fieldProblem(error, 'description')}
          style={{ flex: '1 1 14rem' }}
        />
        <GuardedButton allowed={mayWrite} type="submit" variant="light" loading={fetching}>
          {t('filters.add')}
        </GuardedButton>
      </Group>
      <RefusalAlert error={error} fields={['name', 'description']} />
    </form>
  );
}

interface LinkFormProps {
  readonly linkable: readonly NamedTag[];
  readonly mayWrite: boolean | undefined;
}

/** Makes a filter of an auto-tag, and opens it: it is off, so that its values are chosen first. */
function LinkForm({ linkable, mayWrite }: LinkFormProps) {
  const { t } = useTranslator();
  const [, navigate] = useLocation();
  const [chosen, setChosen] = useState('');
  const { run, fetching } = useAction(LinkTagDocument);
  const autoTagId = linkable.find(({ id }) => id === chosen)?.id ?? linkable[0]?.id ?? '';
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const data = await run({ autoTagId });
    if (data?.linkTag) {
      navigate(`/filters/${data.linkTag.tag.id}`);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} style={{ padding: '0 1rem 1rem' }}>
      <Group align="flex-end">
        <NativeSelect
          label={t('filters.link')}
          description={t('filters.linkHint')}
          value={autoTagId}
          onChange={(event) => setChosen(event.currentTarget.value)}
          data={linkable.map(({ id, name }) => ({ value: id, label: name }))}
          style={{ flex: '1 1 10rem' }}
        />
        <GuardedButton allowed={mayWrite} type="submit" variant="light" loading={fetching}>
          {t('filters.linkAction')}
        </GuardedButton>
      </Group>
    </form>
  );
}
