import { Badge, Group } from '@mantine/core';
import { useTranslator } from '../i18n';

/** Shows that a link has ended, and that it has a password. */
export function LinkBadges({
  link,
}: {
  readonly link: {
    readonly endedReason: string | null;
    readonly hasPassword: boolean;
  };
}) {
  const { t } = useTranslator();
  return (
    (link.endedReason ?? link.hasPassword) && (
      <Group gap={6} wrap="nowrap" component="span">
        {link.endedReason && (
          <Badge size="xs" color="gray" variant="outline">
            {t('links.ended')}
          </Badge>
        )}
        {link.hasPassword && (
          <Badge size="xs" variant="outline">
            {t('links.password')}
          </Badge>
        )}
      </Group>
    )
  );
}
