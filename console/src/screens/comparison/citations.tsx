import { Badge, Group, Text } from '@mantine/core';
import type { EvidenceFragment } from '../../graph/comparison/graphql';
import { useTranslator } from '../../i18n';
import { passageAddress } from '../../ui/address';
import { ScreenLink } from '../../ui/screenLink';

/** The passages that a claim rests on: each opens in its document, with its speaker. */
export function Citations({ of }: { of: readonly EvidenceFragment[] }) {
  const { t } = useTranslator();
  return of.map((citation) => (
    <Group gap={6} key={citation.signalId + citation.quote}>
      <Text size="sm" component="div">
        <ScreenLink to={passageAddress({ ...citation, findingId: citation.signalId })}>
          “{citation.quote}”
        </ScreenLink>
      </Text>
      {citation.executive && (
        <Text size="sm" component="div">
          <ScreenLink to={`/executives/${encodeURIComponent(citation.executive)}`}>
            {citation.executive}
          </ScreenLink>
        </Text>
      )}
      {citation.start == null && (
        <Badge size="xs" color="orange" variant="light">
          {t('comparison.gone')}
        </Badge>
      )}
    </Group>
  ));
}
