import {
  Badge,
  Button,
  Group,
  NativeSelect,
  Pill,
  Stack,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core';
import { useState } from 'react';
import type { DocumentsQuery } from '../../graph/documents/graphql';
import { useTranslator } from '../../i18n';
import {
  type Facet,
  type FacetRow,
  type Span,
  dayOf,
  facetLabels,
  facetRows,
  facets,
  isFiltered,
  orderNames,
  orderOf,
  spanLabels,
  spans,
  tagParameter,
  tagValues,
  toggledValues,
  visibilities,
} from './documentFilter';

/**
 * Sets a parameter of the address and shows the first page. Without values it removes the
 * parameter.
 */
export type ChangeFilter = (name: string, ...values: readonly string[]) => void;

interface FilterProps {
  readonly data: DocumentsQuery;
  readonly search: URLSearchParams;
  readonly change: ChangeFilter;
}

/** The order of the list. */
export function OrderSelect({ search, change }: Omit<FilterProps, 'data'>) {
  const { t } = useTranslator();
  return (
    <NativeSelect
      aria-label={t('documents.order')}
      value={orderOf(search)}
      data={orderNames(search).map((name) => ({ value: name, label: t(`order.${name}`) }))}
      onChange={(event) => change('sort', event.currentTarget.value)}
    />
  );
}

/** The values that the list can be filtered by, with their numbers of documents. */
export function Facets({ data, search, change }: FilterProps) {
  const { t, name } = useTranslator();
  const choices = (
    parameter: string,
    rows: readonly (FacetRow & { label: string; parameter?: string })[],
  ) =>
    rows.map(({ value, count, label, parameter: text = value }) => ({
      value: text,
      label,
      count,
      isChosen: search.getAll(parameter).includes(text),
      choose: () => change(parameter, ...toggledValues(search, parameter, text)),
    }));
  return (
    <Stack gap="md">
      {facets.map((facet) => (
        <FacetValues
          key={facet}
          title={t(facetLabels[facet])}
          choices={choices(
            facet,
            facetRows(data, facet).map((row) => ({
              ...row,
              label: facet === 'state' ? name('state', row.value) : row.value,
            })),
          )}
        />
      ))}
      {data.documentFacets?.autoTags.map(({ autoTagId, autoTag, values }) => (
        <FacetValues
          key={autoTagId}
          title={autoTag?.name ?? t('document.tagsTitle')}
          choices={choices(
            'tag',
            values.map((row) => ({
              ...row,
              label: row.value,
              parameter: tagParameter({ autoTagId, value: row.value }),
            })),
          )}
        />
      ))}
      <FacetValues
        title={t('documents.visibility')}
        choices={visibilities.map((value) => {
          const isChosen = search.get('visibility') === value;
          return {
            value,
            label: name('visibility', value),
            isChosen,
            choose: () => change('visibility', ...(isChosen ? [] : [value])),
          };
        })}
      />
      {spans.map((span) => (
        <SpanFields key={span} span={span} search={search} change={change} />
      ))}
    </Stack>
  );
}

interface Choice {
  readonly value: string;
  readonly label: string;
  readonly count?: number;
  readonly isChosen: boolean;
  readonly choose: () => void;
}

const shownChoices = 8;

function FacetValues({ title, choices }: { title: string; choices: readonly Choice[] }) {
  const { t, compact } = useTranslator();
  const [isWhole, setWhole] = useState(false);
  if (choices.length === 0) {
    return null;
  }
  return (
    <fieldset className="facet">
      <Text component="legend" size="sm" c="dimmed" fw={600} dir="auto">
        {title}
      </Text>
      {choices
        .slice(0, isWhole ? undefined : shownChoices)
        .map(({ value, label, count, isChosen, choose }) => (
          <UnstyledButton
            key={value}
            className="facet-value"
            aria-pressed={isChosen}
            onClick={choose}
          >
            <Text span size="sm" truncate>
              {label}
            </Text>
            {count !== undefined && (
              <Badge
                variant={isChosen ? 'filled' : 'light'}
                color={isChosen ? 'harbor' : 'gray'}
                size="sm"
              >
                {compact(count)}
              </Badge>
            )}
          </UnstyledButton>
        ))}
      {!isWhole && choices.length > shownChoices && (
        <Button
          size="compact-xs"
          variant="subtle"
          aria-label={`${t('action.more')}: ${title}`}
          onClick={() => setWhole(true)}
        >
          {t('action.more')}
        </Button>
      )}
    </fieldset>
  );
}

/** The first and the last day of a span. */
function SpanFields({ span, search, change }: Omit<FilterProps, 'data'> & { span: Span }) {
  const { t } = useTranslator();
  return (
    <fieldset className="facet">
      <Text component="legend" size="sm" c="dimmed" fw={600}>
        {t(spanLabels[span])}
      </Text>
      <Stack gap="xs">
        <DayField
          label={t('documents.from')}
          value={dayOf(search, `${span}From`) ?? ''}
          change={(day) => change(`${span}From`, ...day)}
        />
        <DayField
          label={t('documents.to')}
          value={dayOf(search, `${span}To`) ?? ''}
          change={(day) => change(`${span}To`, ...day)}
        />
      </Stack>
    </fieldset>
  );
}

/**
 * The earliest day to accept: browsers report a date after each typed digit, such as the year 0002.
 */
const earliestDay = '1900-01-01';

function DayField({
  label,
  value,
  change,
}: {
  label: string;
  value: string;
  change: (day: readonly string[]) => void;
}) {
  const [field, setField] = useState({ value, text: value });
  if (field.value !== value) {
    setField({ value, text: value });
  }
  const edit = (day: string) => {
    setField({ value, text: day });
    if (day !== value && (day === '' || day >= earliestDay)) {
      change(day ? [day] : []);
    }
  };
  return (
    <TextInput
      size="xs"
      type="date"
      label={label}
      value={field.text}
      onChange={(event) => edit(event.currentTarget.value)}
    />
  );
}

/** The filters of the list, each with a button that removes it. */
export function ChosenFilters({
  data,
  search,
  change,
  clear,
}: FilterProps & { clear: () => void }) {
  const { t, name, date } = useTranslator();
  if (!isFiltered(search)) {
    return null;
  }
  const tagName = (id: string) =>
    data.documentFacets?.autoTags.find(({ autoTagId }) => autoTagId === id)?.autoTag?.name ??
    t('document.tagsTitle');
  const pills = [
    ...facets.flatMap((facet: Facet) =>
      search.getAll(facet).map((value) => ({
        parameter: facet,
        value,
        label: `${t(facetLabels[facet])}: ${facet === 'state' ? name('state', value) : value}`,
      })),
    ),
    ...tagValues(search).map((tag) => ({
      parameter: 'tag',
      value: tagParameter(tag),
      label: `${tagName(tag.autoTagId)}: ${tag.value}`,
    })),
    ...search.getAll('visibility').map((value) => ({
      parameter: 'visibility',
      value,
      label: `${t('documents.visibility')}: ${name('visibility', value)}`,
    })),
    ...spans.flatMap((span) =>
      (['From', 'To'] as const).flatMap((end) => {
        const day = dayOf(search, span + end);
        return day
          ? [
              {
                parameter: span + end,
                value: day,
                label: `${t(spanLabels[span])} ${t(end === 'From' ? 'documents.from' : 'documents.to')} ${date(`${day}T00:00`)}`,
              },
            ]
          : [];
      }),
    ),
  ];
  return (
    <Group gap="xs">
      {pills.map(({ parameter, value, label }) => (
        <Pill
          key={parameter + value}
          size="md"
          withRemoveButton
          onRemove={() =>
            change(parameter, ...search.getAll(parameter).filter((one) => one !== value))
          }
          removeButtonProps={{
            'aria-label': t('documents.remove', { filter: label }),
            'aria-hidden': false,
            tabIndex: 0,
          }}
        >
          {label}
        </Pill>
      ))}
      <Button size="compact-sm" variant="subtle" onClick={clear}>
        {t('documents.clearAll')}
      </Button>
    </Group>
  );
}
