import { Alert, Anchor, Badge, Button, Group, Progress, SimpleGrid, Stack, Switch, Table, Text } from '@mantine/core';
import { Suspense, lazy, useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { DeleteLinkDocument, LinkScreenDocument, type LinkScreenQuery, SetLinkActiveDocument } from '../graph/link/graphql';
import { useTranslator } from '../i18n';
import { useAction } from '../ui/action';
import { Panel } from '../ui/panel';
import { EmptyState, Screen, useScreen } from '../ui/screen';

const OpensPlot = lazy(() => import('../ui/plot'));

export type Found = NonNullable<LinkScreenQuery['link']>;

/** A link: opens over time, its variants side by side, its visitors and what they submitted. */
export default function LinkPage() {
  const { t } = useTranslator();
  const { id = '' } = useParams();
  const result = useScreen(LinkScreenDocument, { id });
  const link = result.data?.link;
  const mayWrite = result.data?.viewer?.scopes.includes('WRITE') ?? false;
  const known = { ...result, data: result.data && !link ? undefined : result.data };
  return (
    <Screen
      title={link ? link.title || link.shortUrl : t('nav.links')}
      lead={
        link && (
          <Anchor href={link.shortUrl} target="_blank" rel="noreferrer">
            {link.shortUrl}
          </Anchor>
        )
      }
      result={known}
      actions={link && mayWrite && <Actions link={link} />}
    >
      {() => link && <Content link={link} />}
    </Screen>
  );
}

function Actions({ link }: { link: Found }) {
  const { t } = useTranslator();
  const [, navigate] = useLocation();
  const [confirming, setConfirming] = useState(false);
  const activate = useAction(SetLinkActiveDocument);
  const remove = useAction(DeleteLinkDocument);
  const erase = async () => {
    if (await remove.run({ linkId: link.id })) {
      navigate('/links');
    }
  };
  return (
    <>
      <Switch label={t('links.active')} checked={link.isActive} disabled={activate.fetching} onChange={(event) => void activate.run({ linkId: link.id, isActive: event.currentTarget.checked })} />
      <Button size="xs" variant="subtle" color="red" loading={remove.fetching} onClick={() => (confirming ? void erase() : setConfirming(true))}>
        {confirming ? t('document.confirm') : t('action.delete')}
      </Button>
    </>
  );
}

function Content({ link }: { link: Found }) {
  const { t, number, name } = useTranslator();
  return (
    <>
      {link.warnings?.map((warning) => (
        <Alert key={warning} color="orange">
          {warning}
        </Alert>
      ))}
      <SimpleGrid cols={{ base: 3 }} spacing="lg">
        {([['links.opens', link.openCount], ['links.conversions', link.conversionCount], ['links.submissions', link.submissionCount]] as const).map(([key, count]) => (
          <div className="panel card" key={key}>
            <Text size="sm" c="dimmed">
              {t(key)}
            </Text>
            <div className="figure">{number(count)}</div>
          </div>
        ))}
      </SimpleGrid>
      <Panel title={t('links.overTime')}>
        {link.sessions && link.sessions.nodes.length > 0 ? (
          <Suspense>
            <OpensPlot sessions={link.sessions.nodes} />
          </Suspense>
        ) : (
          <EmptyState title={t('links.noOpens')} hint={t('links.noOpensHint')} />
        )}
      </Panel>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Variants link={link} />
        <Panel title={t('links.conversions')}>
          {!link.conversionCounts || link.conversionCounts.length === 0 ? (
            <EmptyState title={t('links.noConversions')} />
          ) : (
            <ul className="rows">
              {link.conversionCounts.map((row) => (
                <li key={row.type}>
                  <Group justify="space-between">
                    <Text size="sm">{name('conversion', row.type)}</Text>
                    <Badge variant="light">{number(row.count)}</Badge>
                  </Group>
                </li>
              ))}
            </ul>
          )}
        </Panel>
      </SimpleGrid>
      {link.kind === 'PAGE' && <Page link={link} />}
      <Submissions link={link} />
    </>
  );
}

function Variants({ link }: { link: Found }) {
  const { t, number } = useTranslator();
  const variants = link.variants ?? [];
  const total = variants.reduce((sum, { openCount }) => sum + openCount, 0);
  return (
    <Panel title={t('links.variants')}>
      {variants.length === 0 ? (
        <EmptyState title={link.destinationUrl ?? t('links.noVariants')} hint={t('links.noVariants')} />
      ) : (
        <ul className="rows">
          {variants.map((variant) => (
            <li key={variant.id}>
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {variant.destinationUrl}
              </Text>
              <Progress value={(100 * variant.openCount) / Math.max(1, total)} size="lg" my={4} aria-label={variant.destinationUrl} />
              <Text size="xs" c="dimmed">
                {t('links.variantCounts', { opens: number(variant.openCount), conversions: number(variant.conversionCount), weight: number(variant.weight) })}
              </Text>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Page({ link }: { link: Found }) {
  const { t, name } = useTranslator();
  return (
    <Panel
      title={t('links.page')}
      actions={
        <Anchor href={link.shortUrl} target="_blank" rel="noreferrer">
          {t('links.preview')}
        </Anchor>
      }
    >
      <Stack p="md" gap="xs">
        <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
          {link.body}
        </Text>
        <Group gap={6}>
          {link.form?.fields.map((field) => (
            <Badge key={field.name} variant="light" color="gray" tt="none">
              {field.label || field.name} · {name('field', field.type)}
              {field.required && ' *'}
            </Badge>
          ))}
        </Group>
      </Stack>
    </Panel>
  );
}

function Submissions({ link }: { link: Found }) {
  const { t, dateTime } = useTranslator();
  const rows = link.submissions?.nodes ?? [];
  return (
    <Panel title={t('links.submissions')} actions={<Badge variant="light">{link.submissions?.totalCount ?? 0}</Badge>}>
      {rows.length === 0 ? (
        <EmptyState title={t('links.noSubmissions')} hint={t('links.noSubmissionsHint')} />
      ) : (
        <div className="wide" tabIndex={0} role="region" aria-label={t('links.submissions')}>
          <Table verticalSpacing="sm" horizontalSpacing="md">
            <Table.Tbody>
              {rows.map((row) => (
                <Table.Tr key={row.id}>
                  <Table.Td>{row.name || row.email}</Table.Td>
                  <Table.Td>{row.email}</Table.Td>
                  <Table.Td>
                    <code>{JSON.stringify(row.data)}</code>
                  </Table.Td>
                  <Table.Td>{dateTime(row.createdAt)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </Panel>
  );
}
