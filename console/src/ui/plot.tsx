import '@mantine/charts/styles.css';
import { AreaChart } from '@mantine/charts';
import { useTranslator } from '../i18n';

interface Session {
  readonly openedAt: string;
  readonly conversions?: { readonly nodes: readonly unknown[] } | null;
}

const hour = 3_600_000;
const day = 24 * hour;

/** Counts sessions by hour if all are of two days, else by day, without gaps. */
function countByTime(sessions: readonly Session[], format: (at: Date, step: number) => string) {
  const times = sessions.map(({ openedAt }) => new Date(openedAt).getTime());
  const step = Date.now() - Math.min(...times) < 2 * day ? hour : day;
  const first = Math.floor(Math.min(...times) / step);
  const last = Math.floor(Date.now() / step);
  return Array.from({ length: last - first + 1 }, (_, i) => {
    const within = sessions.filter((_, at) => Math.floor((times[at] ?? 0) / step) === first + i);
    return {
      time: format(new Date((first + i) * step), step),
      opens: within.length,
      conversions: within.reduce((sum, { conversions }) => sum + (conversions?.nodes.length ?? 0), 0),
    };
  });
}

/** Opens and conversions over time, from the newest sessions. */
export default function OpensPlot({ sessions }: { sessions: readonly Session[] }) {
  const { t, language } = useTranslator();
  const ofHour = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' });
  const ofDay = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' });
  const rows = countByTime(sessions, (at, step) => (step === hour ? ofHour : ofDay).format(at));
  return (
    <div style={{ padding: '1rem' }} role="img" aria-label={t('links.plot', { count: sessions.length })}>
      <AreaChart
        h={240}
        data={rows}
        dataKey="time"
        withLegend
        areaProps={{ isAnimationActive: false }}
        series={[
          { name: 'opens', label: t('links.opens'), color: 'harbor.6' },
          { name: 'conversions', label: t('links.conversions'), color: 'orange.6' },
        ]}
        curveType="monotone"
      />
    </div>
  );
}
