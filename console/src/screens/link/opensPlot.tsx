import '@mantine/charts/styles.css';
import { AreaChart } from '@mantine/charts';
import { VisuallyHidden } from '@mantine/core';
import { useTranslator } from '../../i18n';
import type { Period } from './activityPeriod';
import type { LinkDetails } from './link';

interface OpensPlotProps {
  readonly spans: NonNullable<LinkDetails['activity']>;
  readonly period: Period;
}

/** Opens and conversions over time. Screen readers get a table. */
export default function OpensPlot({ spans, period }: OpensPlotProps) {
  const { t, language, number } = useTranslator();
  const ofHour = new Intl.DateTimeFormat(language, {
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
  const ofDay = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' });
  const rows = spans.map(({ startsAt, openCount, conversionCount }) => ({
    time: (period === 'day' ? ofHour : ofDay).format(new Date(startsAt)),
    opens: openCount,
    conversions: conversionCount,
  }));
  return (
    <div style={{ padding: '1rem' }}>
      <div role="img" aria-label={t('links.overTime')}>
        <AreaChart
          h={240}
          data={rows}
          dataKey="time"
          withLegend
          yAxisProps={{ allowDecimals: false, width: 36 }}
          areaProps={{ isAnimationActive: false }}
          series={[
            { name: 'opens', label: t('links.opens'), color: 'harbor.6' },
            { name: 'conversions', label: t('links.conversions'), color: 'orange.6' },
          ]}
          curveType="monotone"
        />
      </div>
      <VisuallyHidden>
        <table>
          <caption>{t('links.overTime')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('links.time')}</th>
              <th scope="col">{t('links.opens')}</th>
              <th scope="col">{t('links.conversions')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, i) => (
              <tr key={i}>
                <th scope="row">{row.time}</th>
                <td>{number(row.opens)}</td>
                <td>{number(row.conversions)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </div>
  );
}
