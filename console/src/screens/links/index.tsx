import {
  Anchor,
  Badge,
  Button,
  Group,
  NativeSelect,
  SegmentedControl,
  Table,
  Text,
  TextInput,
} from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { useLocation, useSearchParams } from 'wouter';
import { CreateLinkDocument, LinksDocument, type LinksQuery } from '../../graph/links/graphql';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { fieldProblem } from '../../problemText';
import { LinkBadges } from '../../ui/linkBadges';
import { loadLater } from '../../ui/loadLater';
import { EmptyPage, PageLinks, usePageCursor } from '../../ui/pageLinks';
import { Panel } from '../../ui/panel';
import { RefusalAlert } from '../../ui/refusalAlert';
import { Screen, useScreen } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import { tagList } from '../../ui/tagList';

const LinkFileDialog = loadLater(() => import('./linkFileDialog'), { isFloating: true });

/** The short links, with counts that move as links are opened. */
export default function Links() {
  const { t } = useTranslator();
  const [{ q, tag }, setShown] = useShown();
  const filter = { ...(q && { q }), ...(tag && { tag }) };
  const result = useScreen(LinksDocument, { after: usePageCursor(), filter });
  const mayWrite = useMay('EDIT');
  const [isOpen, setOpen] = useState(false);
  return (
    <Screen title={t('nav.links')} lead={t('links.lead')} result={result}>
      {(data) => (
        <>
          {mayWrite && <LinkForm />}
          {mayWrite && (
            <Button variant="default" onClick={() => setOpen(true)} style={{ alignSelf: 'start' }}>
              {t('linkFile.title')}
            </Button>
          )}
          {isOpen && <LinkFileDialog close={() => setOpen(false)} />}
          <Panel
            title={t('nav.links')}
            actions={
              <LinkSearch
                key={q}
                q={q}
                tag={tag}
                setShown={setShown}
                tags={data.viewer?.workspace?.linkTags ?? []}
              />
            }
          >
            <LinkTable rows={data.links?.nodes ?? []} isFiltered={Boolean(q || tag)} />
            <PageLinks page={data.links?.pageInfo} />
          </Panel>
        </>
      )}
    </Screen>
  );
}

interface Shown {
  readonly q: string;
  readonly tag: string;
}

/** Returns which links are shown, which is in the address, and a function that changes it. */
function useShown() {
  const [search, setSearch] = useSearchParams();
  const shown: Shown = { q: search.get('q') ?? '', tag: search.get('tag') ?? '' };
  const set = (part: Partial<Shown>) => {
    const wanted = Object.entries({ ...shown, ...part }).filter(([, value]) => value);
    setSearch(Object.fromEntries(wanted), { replace: true });
  };
  return [shown, set] as const;
}

interface SearchProps extends Shown {
  readonly setShown: (part: Partial<Shown>) => void;
  readonly tags: readonly { readonly name: string; readonly linkCount: number }[];
}

/** Words and a tag that the shown links have. */
function LinkSearch({ q, tag, setShown, tags }: SearchProps) {
  const { t } = useTranslator();
  const [words, setWords] = useState(q);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setShown({ q: words.trim() });
  };
  const known = tags.some(({ name }) => name.toLowerCase() === tag.toLowerCase());
  return (
    <Group gap="xs" component="form" role="search" onSubmit={submit}>
      <TextInput
        size="xs"
        type="search"
        aria-label={t('links.search')}
        placeholder={t('links.search')}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
        onBlur={() => words !== q && setShown({ q: words.trim() })}
      />
      {(tags.length > 0 || tag) && (
        <NativeSelect
          size="xs"
          aria-label={t('links.filterTag')}
          value={tag}
          onChange={(event) => setShown({ tag: event.currentTarget.value })}
          data={[
            { value: '', label: t('links.allTags') },
            ...(tag && !known ? [{ value: tag, label: tag }] : []),
            ...tags.map(({ name, linkCount }) => ({
              value: name,
              label: `${name} (${linkCount})`,
            })),
          ]}
        />
      )}
    </Group>
  );
}

interface TableProps {
  readonly rows: NonNullable<LinksQuery['links']>['nodes'];
  readonly isFiltered: boolean;
}

function LinkTable({ rows, isFiltered }: TableProps) {
  const { t, number, name } = useTranslator();
  if (rows.length === 0) {
    return isFiltered ? (
      <EmptyPage title={t('links.noneFound')} hint={t('links.noneFoundHint')} />
    ) : (
      <EmptyPage title={t('links.none')} hint={t('links.noneHint')} />
    );
  }
  return (
    <div className="wide" tabIndex={0} role="group" aria-label={t('nav.links')}>
      <Table verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            {(
              [
                'drafts.title',
                'links.address',
                'links.kind',
                'links.opens',
                'links.conversions',
                'links.submissions',
              ] as const
            ).map((key) => (
              <Table.Th key={key} scope="col">
                {t(key)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((link) => (
            <Table.Tr key={link.id} data-link={link.id}>
              <Table.Td>
                <Group gap={6} wrap="nowrap">
                  <ScreenLink to={`/links/${link.id}`} className="row-link">
                    {link.title || link.shortUrl}
                  </ScreenLink>
                  {!link.isActive && (
                    <Badge size="xs" color="gray" variant="outline">
                      {t('persona.inactive')}
                    </Badge>
                  )}
                  <LinkBadges link={link} />
                </Group>
                {link.tags && link.tags.length > 0 && (
                  <Text size="xs" c="dimmed" dir="auto">
                    {link.tags.join(' · ')}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <Anchor href={link.shortUrl} target="_blank" rel="noreferrer">
                  {new URL(link.shortUrl).pathname}
                </Anchor>
              </Table.Td>
              <Table.Td>{name('linkKind', link.kind)}</Table.Td>
              <Table.Td className="count">{number(link.openCount)}</Table.Td>
              <Table.Td>{number(link.conversionCount)}</Table.Td>
              <Table.Td>{number(link.submissionCount)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

const fields = {
  REDIRECT: ['title', 'destinationUrl', 'slug', 'tags', 'expiresAt', 'maxOpens', 'password'],
  PAGE: ['title', 'slug', 'tags', 'expiresAt', 'maxOpens', 'password'],
} as const;
type Kind = keyof typeof fields;
type Field = (typeof fields)['REDIRECT'][number];

const types: Partial<Record<Field, string>> = { expiresAt: 'datetime-local', maxOpens: 'number' };

/**
 * Creates a short link to an address, or a hosted page. The page is paused until it has content.
 */
function LinkForm() {
  const { t, name } = useTranslator();
  const [, navigate] = useLocation();
  const [kind, setKind] = useState<Kind>('REDIRECT');
  const [values, setValues] = useState<Partial<Record<Field, string>>>({});
  const [{ fetching, error }, create] = useMutation(CreateLinkDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const shared = {
      title: values.title,
      slug: values.slug || undefined,
      ...(values.tags && { tags: tagList(values.tags) }),
      ...(values.expiresAt && { expiresAt: new Date(values.expiresAt).toISOString() }),
      ...(values.maxOpens && { maxOpens: Number(values.maxOpens) }),
      ...(values.password && { password: values.password }),
    };
    const { data } = await create({
      input:
        kind === 'PAGE'
          ? { ...shared, kind, body: '', isActive: false }
          : { ...shared, destinationUrl: values.destinationUrl || undefined },
    });
    if (data?.createLink) {
      navigate(`/links/${data.createLink.link.id}`);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="panel card" noValidate>
      <SegmentedControl
        size="xs"
        value={kind}
        onChange={setKind}
        data={(['REDIRECT', 'PAGE'] as const).map((value) => ({
          value,
          label: name('linkKind', value),
        }))}
        aria-label={t('links.kind')}
        style={{ alignSelf: 'flex-start' }}
      />
      <Group align="flex-start">
        {fields[kind].map((field) => (
          <TextInput
            key={field}
            label={t(`links.${field}`)}
            type={types[field]}
            autoComplete="off"
            value={values[field] ?? ''}
            onChange={(event) => {
              const { value } = event.currentTarget;
              setValues((before) => ({ ...before, [field]: value }));
            }}
            error={fieldProblem(error, field)}
            style={{ flex: '1 1 12rem' }}
          />
        ))}
        <Button type="submit" loading={fetching} mt={25}>
          {t('links.add')}
        </Button>
      </Group>
      <RefusalAlert error={error} fields={fields[kind]} />
    </form>
  );
}
