import {
  ActionIcon,
  Anchor,
  Button,
  Group,
  NumberInput,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { failureCode } from '../../client';
import {
  type LinkVariantsFragment,
  SaveVariantsDocument,
  StoredVariantsDocument,
} from '../../graph/link/graphql';
import { useTranslator } from '../../i18n';
import { fieldProblem } from '../../problemText';
import { ConfirmedButton } from '../../ui/confirmedButton';
import { ConflictAlert } from '../../ui/conflictAlert';
import { useNotice } from '../../ui/notice';
import { Panel } from '../../ui/panel';
import { RefusalAlert } from '../../ui/refusalAlert';
import { Sparkline } from '../../ui/sparkline';
import { UnsavedWarning } from '../../ui/unsavedWarning';
import { useAction } from '../../ui/useAction';
import { useFormState } from '../../ui/useFormState';
import { useFreshRead } from '../../ui/useFreshRead';
import type { LinkDetails } from './link';

interface Props {
  readonly link: LinkDetails;
  readonly mayWrite: boolean | undefined;
}

type Variant = NonNullable<LinkDetails['variants']>[number];

/** The split test of a redirect: its variants side by side, and the form to start and change it. */
export function SplitTest({ link, mayWrite }: Props) {
  const { t } = useTranslator();
  const [editing, setEditing] = useState(false);
  const isRunning = (link.variants?.length ?? 0) > 0;
  if (!isRunning && !mayWrite) {
    return null;
  }
  const open = mayWrite && !editing && (
    <Button size="xs" variant="default" onClick={() => setEditing(true)}>
      {t(isRunning ? 'variants.change' : 'variants.start')}
    </Button>
  );
  return (
    <Panel title={t('links.variants')} actions={open}>
      {isRunning && <Verdict test={link.splitTest} />}
      {isRunning && <Sides link={link} mayWrite={mayWrite} />}
      {!isRunning && !editing && (
        <Text size="sm" c="dimmed" p="md">
          {t('variants.none')}
        </Text>
      )}
      {editing && <VariantForm link={link} close={() => setEditing(false)} />}
    </Panel>
  );
}

/** Whether one variant converts more than chance explains. */
function Verdict({ test }: { test: LinkDetails['splitTest'] }) {
  const { t } = useTranslator();
  return (
    test && (
      <Text size="sm" p="md" pb={0} style={{ overflowWrap: 'anywhere' }}>
        {t(`variants.verdict.${test.verdict}`, { address: test.bestVariant?.destinationUrl ?? '' })}
      </Text>
    )
  );
}

/** The variants next to each other, with their opens in the same spans of time. */
function Sides({ link, mayWrite }: Props) {
  const variants = link.variants ?? [];
  const weights = variants.reduce((sum, { weight }) => sum + weight, 0);
  return (
    <SimpleGrid cols={{ base: 1, sm: Math.min(variants.length, 3) }} spacing="lg" p="md">
      {variants.map((variant) => (
        <Side
          key={variant.id}
          link={link}
          variant={variant}
          opens={variant.activity?.map(({ openCount }) => openCount) ?? []}
          share={weights ? variant.weight / weights : 0}
          mayWrite={mayWrite}
        />
      ))}
    </SimpleGrid>
  );
}

interface SideProps extends Props {
  readonly variant: Variant;
  readonly opens: readonly number[];
  readonly share: number;
}

function Side({ link, variant, opens, share, mayWrite }: SideProps) {
  const { t, number, percent } = useTranslator();
  const rate = variant.conversionRate;
  const figures = [
    ['links.opens', number(variant.openCount)],
    ['links.conversions', number(variant.conversionCount)],
    ['variants.rate', rate ? percent(rate.rate) : '–'],
    ['links.share', percent(share)],
  ] as const;
  return (
    <Stack gap={6} data-side={variant.id} role="group" aria-label={variant.destinationUrl}>
      <Anchor
        size="sm"
        href={variant.destinationUrl}
        target="_blank"
        rel="noreferrer"
        style={{ overflowWrap: 'anywhere' }}
      >
        {variant.destinationUrl}
      </Anchor>
      <Sparkline
        values={opens}
        label={t('links.variantPlot', { address: variant.destinationUrl })}
      />
      <Group gap="lg">
        {figures.map(([key, value]) => (
          <div key={key}>
            <Text size="xs" c="dimmed">
              {t(key)}
            </Text>
            <Text fw={650} style={{ fontVariantNumeric: 'tabular-nums' }}>
              {value}
            </Text>
          </div>
        ))}
      </Group>
      {rate && (
        <Text size="xs" c="dimmed">
          {t('variants.interval', { low: percent(rate.low), high: percent(rate.high) })}
        </Text>
      )}
      {mayWrite && <EndButton linkId={link.id} destinationUrl={variant.destinationUrl} />}
    </Stack>
  );
}

/** Ends the test: all further viewers are sent to one destination. */
function EndButton({ linkId, destinationUrl }: { linkId: string; destinationUrl: string }) {
  const { t } = useTranslator();
  const save = useAction(SaveVariantsDocument);
  const end = () => save.run({ input: { linkId, destinationUrl, variants: [] } });
  return (
    <Group>
      <ConfirmedButton
        size="compact-xs"
        variant="subtle"
        loading={save.fetching}
        subject={`${linkId} ${destinationUrl}`}
        action={t('variants.end')}
        question={t('variants.endQuestion', { address: destinationUrl })}
        run={end}
      />
    </Group>
  );
}

/** A variant while it is edited. */
interface Row {
  readonly key: string;
  readonly destinationUrl: string;
  readonly weight: number;
}

const newRow = (destinationUrl = ''): Row => ({
  key: crypto.randomUUID(),
  destinationUrl,
  weight: 1,
});

/**
 * Returns the variants to edit. A new test has the link's destination and an empty second variant.
 */
function firstRows(link: LinkVariantsFragment): readonly Row[] {
  const variants = link.variants ?? [];
  return variants.length > 0
    ? variants.map(({ id, destinationUrl, weight }) => ({ key: id, destinationUrl, weight }))
    : [newRow(link.destinationUrl ?? ''), newRow()];
}

/** Returns the variants as lines of text: the destination and the weight. */
function rowsText(link: LinkVariantsFragment): string {
  return (link.variants ?? [])
    .map(({ destinationUrl, weight }) => `${destinationUrl} · ${weight}`)
    .join('\n');
}

/** Reports whether two lists of variants are stored as the same. */
function isSameRows(a: readonly Row[], b: readonly Row[]): boolean {
  const stored = (rows: readonly Row[]) =>
    JSON.stringify(rows.map(({ destinationUrl, weight }) => [destinationUrl, weight]));
  return stored(a) === stored(b);
}

/**
 * The edited variants. The stored ones are read before saving, and are a conflict if they have
 * changed.
 */
function useVariantRows(link: LinkDetails, close: () => void) {
  const { t } = useTranslator();
  const notify = useNotice();
  const { updatedAt } = link;
  const form = useFormState({ value: firstRows(link), updatedAt }, isSameRows);
  const { isReading, read } = useFreshRead(StoredVariantsDocument, { id: link.id });
  const [conflict, setConflict] = useState<LinkVariantsFragment | null>(null);
  const [{ fetching, error }, save] = useMutation(SaveVariantsDocument);
  const isStoredSame = (stored: LinkVariantsFragment, expected: readonly Row[]) =>
    isSameRows(firstRows(stored), expected) || isSameRows(firstRows(stored), form.value);
  const store = async (expected: readonly Row[]): Promise<void> => {
    const stored = (await read())?.link;
    if (!stored) {
      return;
    }
    if (form.isChanged && !isStoredSame(stored, expected)) {
      setConflict(stored);
      return;
    }
    const ids = new Set(stored.variants?.map(({ id }) => id));
    const variants = form.value.map(({ key, ...row }) =>
      ids.has(key) ? { id: key, ...row } : row,
    ); // with their ids, variants keep their counts
    // Nothing was changed here, so the stored variants stay, whatever they are now.
    const isDone = !form.isChanged && (stored.variants?.length ?? 0) > 0;
    const saved = isDone
      ? undefined
      : await save({ input: { linkId: link.id, ifVersion: [stored.version], variants } });
    if (saved && failureCode(saved) === 'precondition_failed') {
      return store(expected); // saved by somebody else between both
    }
    if (isDone || saved?.data?.updateLink) {
      notify(t('drafts.stored'));
      close();
    }
  };
  const takeStored = () => {
    if (conflict) {
      form.setBase({ value: firstRows(conflict), updatedAt: conflict.updatedAt });
    }
    setConflict(null);
  };
  const isOpen = conflict && form.isChanged && !isStoredSame(conflict, form.base.value);
  return {
    rows: form.value,
    setRows: form.change,
    base: form.base.value,
    isChanged: form.isChanged,
    fetching: fetching || isReading,
    error,
    conflict: isOpen ? conflict : null,
    store,
    takeStored,
  };
}

function VariantForm({ link, close }: { link: LinkDetails; close: () => void }) {
  const { t } = useTranslator();
  const { rows, setRows, base, isChanged, fetching, error, conflict, store, takeStored } =
    useVariantRows(link, close);
  const change = (key: string, part: Partial<Row>) =>
    setRows((before) => before.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void store(base);
  };
  return (
    <form className="card" noValidate aria-label={t('links.variants')} onSubmit={submit}>
      <Text size="sm" c="dimmed">
        {t('variants.hint')}
      </Text>
      {rows.map((row, i) => (
        <RowFields
          key={row.key}
          row={row}
          number={i + 1}
          problem={(member) => fieldProblem(error, `variants/${i}/${member}`)}
          change={(part) => change(row.key, part)}
          remove={() => setRows((before) => before.filter(({ key }) => key !== row.key))}
        />
      ))}
      <RefusalAlert
        error={error}
        fields={rows.flatMap((_, i) => [`variants/${i}/destinationUrl`, `variants/${i}/weight`])}
      />
      {conflict && (
        <ConflictAlert
          updatedAt={conflict.updatedAt}
          fields={[{ label: t('links.variants'), text: rowsText(conflict) }]}
          isSaving={fetching}
          takeStored={takeStored}
          saveMine={() => void store(firstRows(conflict))}
        />
      )}
      <UnsavedWarning isUnsaved={isChanged} />
      <Group>
        <Button
          size="xs"
          variant="default"
          onClick={() => setRows((before) => [...before, newRow()])}
        >
          {t('variants.add')}
        </Button>
        <Button size="xs" type="submit" loading={fetching}>
          {t('action.save')}
        </Button>
        <Button size="xs" variant="subtle" onClick={close}>
          {t('action.cancel')}
        </Button>
      </Group>
    </form>
  );
}

interface RowProps {
  readonly row: Row;
  readonly number: number;
  readonly problem: (member: string) => string | undefined;
  readonly change: (part: Partial<Row>) => void;
  readonly remove: () => void;
}

function RowFields({ row, number, problem, change, remove }: RowProps) {
  const { t } = useTranslator();
  return (
    <Group align="flex-start" role="group" aria-label={t('variants.variant', { number })}>
      <TextInput
        label={t('links.destinationUrl')}
        type="url"
        value={row.destinationUrl}
        onChange={(event) => change({ destinationUrl: event.currentTarget.value })}
        error={problem('destinationUrl')}
        style={{ flex: '1 1 14rem' }}
      />
      <NumberInput
        label={t('variants.weight')}
        min={0}
        max={10000}
        allowDecimal={false}
        value={row.weight}
        onChange={(value) => change({ weight: Number(value) })}
        error={problem('weight')}
        w="6rem"
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        mt={28}
        aria-label={t('variants.remove', { number })}
        onClick={remove}
      >
        <IconTrash size={16} />
      </ActionIcon>
    </Group>
  );
}
