import {
  Badge,
  Button,
  Checkbox,
  Group,
  Stack,
  Switch,
  Table,
  Text,
  TextInput,
} from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useSearchParams } from 'wouter';
import {
  CompaniesDocument,
  type CompaniesQuery,
  MergeCompaniesDocument,
  OwnCompaniesDocument,
  SetOwnCompaniesDocument,
} from '../../graph/companies/graphql';
import { focusHeading } from '../../headingFocus';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { withParameter } from '../../ui/address';
import { GuardedButton } from '../../ui/guardedButton';
import { type Mergeable, MergePanel } from '../../ui/mergePanel';
import { useNotice } from '../../ui/notice';
import { EmptyPage, PageLinks, usePageCursor } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { Screen, useScreen } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import { useAction } from '../../ui/useAction';
import { useFreshRead } from '../../ui/useFreshRead';

/** The companies that documents and signals are attributed to; the same ones are merged here. */
export default function Companies() {
  const { t } = useTranslator();
  const [search] = useSearchParams();
  const name = search.get('name');
  const result = useScreen(CompaniesDocument, {
    after: usePageCursor(),
    filter: name ? { name } : null,
  });
  const mayWrite = useMay('EDIT');
  const [chosen, setChosen] = useState<readonly Mergeable[]>([]);
  return (
    <Screen title={t('nav.companies')} lead={t('companies.lead')} result={result}>
      {(data) => (
        <Stack gap="lg">
          <OwnForm mayWrite={mayWrite} reload={result.retry} />
          {mayWrite && <Merge chosen={chosen} clear={() => setChosen([])} reload={result.retry} />}
          <Panel title={t('nav.companies')} actions={<SearchForm key={name} name={name ?? ''} />}>
            <CompanyTable
              data={data}
              chosen={mayWrite ? chosen : null}
              choose={setChosen}
              reload={result.retry}
            />
            <PageLinks page={data.companies?.pageInfo} />
          </Panel>
        </Stack>
      )}
    </Screen>
  );
}

/** Returns a function that adds a company to the workspace's own ones, or leaves it out. */
function useOwnCompanies(reload: () => void) {
  const notify = useNotice();
  const { t } = useTranslator();
  const { read, isReading } = useFreshRead(OwnCompaniesDocument, {});
  const { run, fetching } = useAction(SetOwnCompaniesDocument);
  const setOwn = async (name: string, isOwn: boolean): Promise<boolean> => {
    const own = (await read())?.companies?.nodes.map((company) => company.name);
    if (!own) {
      return false;
    }
    const others = own.filter((one) => one !== name);
    const done = await run({ names: isOwn ? [...others, name] : others });
    if (done) {
      notify(t('drafts.stored'));
      reload();
    }
    return Boolean(done);
  };
  return { setOwn, isBusy: isReading || fetching };
}

function OwnForm({ mayWrite, reload }: { mayWrite: boolean | undefined; reload: () => void }) {
  const { t } = useTranslator();
  const [name, setName] = useState('');
  const { setOwn, isBusy } = useOwnCompanies(reload);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() && (await setOwn(name.trim(), true))) {
      setName('');
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="panel card">
      <Group align="flex-end">
        <TextInput
          label={t('companies.own')}
          description={t('companies.ownHint')}
          value={name}
          readOnly={!mayWrite}
          maxLength={500}
          onChange={(event) => setName(event.currentTarget.value)}
          style={{ flex: '1 1 16rem' }}
        />
        <GuardedButton allowed={mayWrite} type="submit" variant="light" loading={isBusy}>
          {t('companies.addOwn')}
        </GuardedButton>
      </Group>
    </form>
  );
}

interface ChosenProps {
  readonly chosen: readonly Mergeable[];
  readonly clear: () => void;
  readonly reload: () => void;
}

function Merge({ chosen, clear, reload }: ChosenProps) {
  const { t } = useTranslator();
  const notify = useNotice();
  const { run, fetching } = useAction(MergeCompaniesDocument);
  const merge = async (companyId: string, mergedIds: string[]) => {
    const data = await run({ companyId, mergedIds });
    if (data?.mergeCompanies) {
      notify(t('merge.done', { name: data.mergeCompanies.company.name }));
      clear();
      focusHeading();
      reload();
    }
  };
  return (
    <MergePanel
      rows={chosen}
      title="companies.merge"
      hint="companies.mergeHint"
      fetching={fetching}
      merge={merge}
    />
  );
}

/** Searches by name or alias; the name is in the address. */
function SearchForm({ name }: { name: string }) {
  const { t } = useTranslator();
  const [search, setSearch] = useSearchParams();
  const [text, setText] = useState(name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const words = text.trim();
    const first = withParameter(search, 'after');
    setSearch(words ? withParameter(first, 'name', words) : withParameter(first, 'name'));
  };
  return (
    <form onSubmit={submit} role="search">
      <Group gap="xs" align="flex-end">
        <TextInput
          type="search"
          size="xs"
          aria-label={t('companies.search')}
          placeholder={t('companies.search')}
          value={text}
          maxLength={200}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" size="xs" variant="default">
          {t('filters.search')}
        </Button>
      </Group>
    </form>
  );
}

type Company = NonNullable<CompaniesQuery['companies']>['nodes'][number];

interface TableProps {
  readonly data: CompaniesQuery;
  /** The companies to merge; null if the viewer may not merge. */
  readonly chosen: readonly Mergeable[] | null;
  readonly choose: (companies: readonly Mergeable[]) => void;
  readonly reload: () => void;
}

const columns = [
  ...(['names.name', 'companies.own', 'nav.documents'] as const),
  ...(['document.signalsTitle', 'nav.executives'] as const),
];

function CompanyTable({ data, chosen, choose, reload }: TableProps) {
  const { t } = useTranslator();
  const rows = data.companies?.nodes ?? [];
  if (rows.length === 0) {
    return <EmptyPage title={t('companies.none')} hint={t('companies.noneHint')} />;
  }
  return (
    <div className="wide" tabIndex={0} role="group" aria-label={t('nav.companies')}>
      <Table verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            {chosen && <Table.Th scope="col">{t('merge.choose')}</Table.Th>}
            {columns.map((key) => (
              <Table.Th key={key} scope="col">
                {t(key)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((company) => (
            <CompanyRow
              key={company.id}
              company={company}
              chosen={chosen}
              choose={choose}
              reload={reload}
            />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function CompanyRow({
  company,
  chosen,
  choose,
  reload,
}: Omit<TableProps, 'data'> & { company: Company }) {
  const { t, number } = useTranslator();
  const { setOwn, isBusy } = useOwnCompanies(reload);
  const { id, name, aliases, isOwn, executives } = company;
  const toggle = (isChosen: boolean) => {
    const others = chosen?.filter((one) => one.id !== id) ?? [];
    const documentCount = company.documents?.totalCount ?? 0;
    const signalCount = company.signals?.totalCount ?? 0;
    choose(isChosen ? [...others, { id, name, documentCount, signalCount }] : others);
  };
  return (
    <Table.Tr data-company={id}>
      {chosen && (
        <Table.Td>
          <Checkbox
            aria-label={t('merge.chooseOf', { name })}
            checked={chosen.some((one) => one.id === id)}
            onChange={(event) => toggle(event.currentTarget.checked)}
          />
        </Table.Td>
      )}
      <Table.Th scope="row">
        <ScreenLink to={`/companies/${encodeURIComponent(name)}`} className="row-link">
          {name}
        </ScreenLink>
        {aliases && aliases.length > 0 && (
          <Text size="xs" c="dimmed" fw={400} dir="auto">
            {aliases.join(', ')}
          </Text>
        )}
      </Table.Th>
      <Table.Td>
        {chosen ? (
          <Switch
            aria-label={t('companies.isOwnOf', { name })}
            checked={isOwn}
            disabled={isBusy}
            onChange={(event) => void setOwn(name, event.currentTarget.checked)}
          />
        ) : (
          isOwn && <Badge variant="light">{t('companies.isOwn')}</Badge>
        )}
      </Table.Td>
      <Table.Td>{number(company.documents?.totalCount ?? 0)}</Table.Td>
      <Table.Td>{number(company.signals?.totalCount ?? 0)}</Table.Td>
      <Table.Td>
        {executives?.nodes.map((executive) => executive.name).join(', ')}
        {executives &&
          executives.totalCount > executives.nodes.length &&
          ` +${number(executives.totalCount - executives.nodes.length)}`}
      </Table.Td>
    </Table.Tr>
  );
}
