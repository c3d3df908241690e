import { Badge } from '@mantine/core';
import { useTranslator } from '../i18n';

const colors: Record<string, string> = {
  POSITIVE: 'green',
  NEGATIVE: 'red',
  MIXED: 'orange',
  NEUTRAL: 'gray',
};

/** A stance or a sentiment in its colour, with the rating if there is one. */
export function SentimentBadge({
  value,
  rating,
}: {
  value: string | null | undefined;
  rating?: number | null | undefined;
}) {
  const { name, number } = useTranslator();
  if (!value) {
    return null;
  }
  return (
    <Badge variant="light" color={colors[value] ?? 'gray'} size="sm" style={{ flexShrink: 0 }}>
      {rating != null ? `${number(Math.round(rating * 10) / 10)} · ` : ''}
      {name('stance', value)}
    </Badge>
  );
}
