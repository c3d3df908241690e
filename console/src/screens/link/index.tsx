import {
  Alert,
  Anchor,
  Badge,
  Group,
  SegmentedControl,
  SimpleGrid,
  Switch,
  Text,
} from '@mantine/core';
import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import {
  DeleteLinkDocument,
  LinkScreenDocument,
  SetLinkActiveDocument,
} from '../../graph/link/graphql';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { ConfirmedButton } from '../../ui/confirmedButton';
import { useOpening } from '../../ui/draftState';
import { loadLater } from '../../ui/loadLater';
import { Panel } from '../../ui/panel';
import { LinkBadges } from '../../ui/linkBadges';
import { EmptyState, Screen, useScreen, useSubject } from '../../ui/screen';
import { ScreenLink } from '../../ui/screenLink';
import { useAction } from '../../ui/useAction';
import { discardUnsaved } from '../../unsavedChanges';
import { warningText } from '../../warningText';
import type { LinkDimension } from '../../graph/link/graphql';
import { type Period, periodNames, periodVariables } from './activityPeriod';
import { Breakdown, dimensions } from './breakdown';
import type { LinkDetails } from './link';
import { LinkSettings } from './linkSettings';
import { PageEditor } from './pageEditor';
import { CampaignBuilder, QrCode } from './shareLink';
import { SplitTest } from './splitTest';
import { Submissions } from './submissions';

const OpensPlot = loadLater(() => import('./opensPlot'));

/** A link: opens over time, its variants side by side, its page, and what visitors submitted. */
export default function LinkPage() {
  const { t } = useTranslator();
  const { id = '' } = useParams();
  const [period, setPeriod] = useState<Period>('month');
  const [dimension, setDimension] = useState<LinkDimension>(dimensions[0]);
  const [openedAt] = useState(() => Date.now());
  const result = useScreen(LinkScreenDocument, {
    id,
    dimension,
    ...periodVariables(period, openedAt),
  });
  const [link, known] = useSubject(result, (data) => data.link);
  const mayWrite = useMay('EDIT');
  return (
    <Screen
      title={link ? link.title || link.shortUrl : t('nav.links')}
      lead={
        link && (
          <Group gap={8} component="span">
            <Anchor href={link.shortUrl} target="_blank" rel="noreferrer">
              {link.shortUrl}
            </Anchor>
            <LinkBadges link={link} />
          </Group>
        )
      }
      result={known}
      actions={link && mayWrite && <Actions link={link} />}
    >
      {() =>
        link && (
          <Content
            key={link.id}
            link={link}
            mayWrite={mayWrite}
            period={period}
            setPeriod={setPeriod}
            dimension={dimension}
            setDimension={setDimension}
          />
        )
      }
    </Screen>
  );
}

function Actions({ link }: { link: LinkDetails }) {
  const { t } = useTranslator();
  const [, navigate] = useLocation();
  const activate = useAction(SetLinkActiveDocument);
  const remove = useAction(DeleteLinkDocument);
  const erase = async () => {
    if (await remove.run({ linkId: link.id })) {
      discardUnsaved();
      navigate('/links');
    }
  };
  return (
    <>
      <Switch
        label={t('links.active')}
        checked={link.isActive}
        disabled={activate.fetching}
        onChange={(event) =>
          void activate.run({ linkId: link.id, isActive: event.currentTarget.checked })
        }
      />
      <ConfirmedButton
        size="xs"
        variant="subtle"
        color="red"
        loading={remove.fetching}
        subject={link.id}
        action={t('action.delete')}
        question={t('action.deleteQuestion', { name: link.title || link.shortUrl })}
        run={erase}
      />
    </>
  );
}

interface PeriodProps {
  readonly link: LinkDetails;
  readonly period: Period;
  readonly setPeriod: (period: Period) => void;
}

interface ContentProps extends PeriodProps {
  readonly mayWrite: boolean | undefined;
  readonly dimension: LinkDimension;
  readonly setDimension: (dimension: LinkDimension) => void;
}

function Content({ link, mayWrite, period, setPeriod, dimension, setDimension }: ContentProps) {
  const translator = useTranslator();
  const { t, number } = translator;
  return (
    <>
      {link.warnings?.map((warning) => (
        <Alert key={warning} color="orange">
          {warningText(translator, warning)}
        </Alert>
      ))}
      {!link.isActive && <Alert color="gray">{t('links.paused')}</Alert>}
      {link.endedReason && <Alert color="gray">{t(`links.ended.${link.endedReason}`)}</Alert>}
      <PublishedDraft link={link} />
      <SimpleGrid cols={{ base: 3 }} spacing={{ base: 'xs', sm: 'lg' }}>
        {(
          [
            ['links.opens', link.openCount],
            ['links.conversions', link.conversionCount],
            ['links.submissions', link.submissionCount],
          ] as const
        ).map(([key, count]) => (
          <div
            className="panel card"
            key={key}
            style={{ overflowWrap: 'normal', paddingInline: '0.75rem' }}
          >
            <Text fz={{ base: 'xs', sm: 'sm' }} c="dimmed">
              {t(key)}
            </Text>
            <div className="figure">{number(count)}</div>
          </div>
        ))}
      </SimpleGrid>
      <OverTime link={link} period={period} setPeriod={setPeriod} />
      <Breakdown link={link} dimension={dimension} setDimension={setDimension} />
      {mayWrite && <LinkSettings link={link} />}
      <QrCode link={link} />
      {link.destinationUrl && (
        <CampaignBuilder link={link} destination={link.destinationUrl} mayWrite={mayWrite} />
      )}
      {link.kind === 'REDIRECT' && <SplitTest link={link} mayWrite={mayWrite} />}
      <Conversions link={link} />
      <Scrolls link={link} />
      {link.kind === 'PAGE' && <PageEditor link={link} mayWrite={mayWrite} />}
      <Submissions link={link} />
    </>
  );
}

/** The draft that a page shows, and whether visitors can read it. */
function PublishedDraft({ link }: { link: LinkDetails }) {
  const { t, dateTime } = useTranslator();
  const { draft, embargoedUntil, withdrawnAt, withdrawalReason } = link;
  const opening = useOpening()(embargoedUntil);
  return (
    <>
      {draft && (
        <Text size="sm">
          {t('links.draft')}{' '}
          <ScreenLink to={`/drafts/${draft.id}`}>
            {draft.title || t('document.untitled')}
          </ScreenLink>
        </Text>
      )}
      {withdrawnAt && (
        <Alert color="gray">
          {t('links.withdrawn', { at: dateTime(withdrawnAt), reason: withdrawalReason ?? '' })}
        </Alert>
      )}
      {!withdrawnAt && opening && <Alert color="gray">{opening}</Alert>}
    </>
  );
}

/** Opens and conversions in the spans of a period, of all sessions. */
function OverTime({ link, period, setPeriod }: PeriodProps) {
  const { t } = useTranslator();
  const choice = (
    <SegmentedControl
      size="xs"
      aria-label={t('links.period')}
      value={period}
      onChange={setPeriod}
      data={periodNames.map((value) => ({ value, label: t(`links.period.${value}`) }))}
    />
  );
  return (
    <Panel title={t('links.overTime')} actions={link.openCount > 0 && choice}>
      {link.openCount > 0 ? (
        <OpensPlot spans={link.activity ?? []} period={period} />
      ) : (
        <EmptyState title={t('links.noOpens')} hint={t('links.noOpensHint')} />
      )}
    </Panel>
  );
}

/** How many viewers saw each part of the page; that is no conversion. */
function Scrolls({ link }: { link: LinkDetails }) {
  const { t, number } = useTranslator();
  const rows = link.scrollCounts ?? [];
  return (
    rows.length > 0 && (
      <Panel title={t('links.scrolls')}>
        <ul className="rows">
          {rows.map((row) => (
            <li key={row.percent}>
              <Group justify="space-between">
                <Text size="sm">{t('links.scrolledTo', { percent: row.percent })}</Text>
                <Badge variant="light">{number(row.sessions)}</Badge>
              </Group>
            </li>
          ))}
        </ul>
      </Panel>
    )
  );
}

/** What the count of conversions consists of. */
function Conversions({ link }: { link: LinkDetails }) {
  const { t, name, number } = useTranslator();
  const rows = (link.conversionCounts ?? []).map((row) => ({
    label: name('conversion', row.type),
    count: row.count,
  }));
  if (link.submissionCount > 0) {
    rows.push({ label: t('links.submissions'), count: link.submissionCount });
  }
  return (
    <Panel title={t('links.conversions')}>
      {rows.length === 0 ? (
        <EmptyState title={t('links.noConversions')} />
      ) : (
        <ul className="rows">
          {rows.map((row) => (
            <li key={row.label}>
              <Group justify="space-between">
                <Text size="sm">{row.label}</Text>
                <Badge variant="light">{number(row.count)}</Badge>
              </Group>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
