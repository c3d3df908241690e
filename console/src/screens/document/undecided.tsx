import { Alert, Group, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { UpdateDocumentDocument } from '../../graph/document/graphql';
import { useTranslator } from '../../i18n';
import { ConfirmedButton } from '../../ui/confirmedButton';
import { GuardedButton } from '../../ui/guardedButton';
import { useAction } from '../../ui/useAction';
import { localTime, visibilityInput } from '../../ui/visibilityFields';
import type { DocumentDetails } from './document';

/** Says that a text is not public because its head says so, until a person decides. */
export function UndecidedVisibility({
  document,
  mayWrite,
}: {
  readonly document: DocumentDetails;
  readonly mayWrite: boolean | undefined;
}) {
  const { t, name, dateTime } = useTranslator();
  const update = useAction(UpdateDocumentDocument);
  const { id, visibility, embargoedUntil, attributionOrigins } = document;
  if (attributionOrigins.visibility !== 'TEXT' || visibility === 'PUBLIC') {
    return null;
  }
  const decide = (decided: DocumentDetails['visibility']) =>
    update.run({
      input: {
        documentId: id,
        ...visibilityInput({ visibility: decided, until: localTime(embargoedUntil) }),
      },
    });
  const until = embargoedUntil ? ` → ${dateTime(embargoedUntil)}` : '';
  return (
    <Alert color="orange" icon={<IconLock aria-hidden />} title={t('document.undecided')}>
      <Text size="sm">
        {t('document.undecidedHint', { visibility: name('visibility', visibility) + until })}
      </Text>
      <Group gap="xs" mt="xs">
        <GuardedButton
          size="xs"
          variant="default"
          allowed={mayWrite}
          loading={update.fetching}
          onClick={() => void decide(visibility)}
        >
          {t('document.keepVisibility')}
        </GuardedButton>
        <ConfirmedButton
          size="xs"
          variant="default"
          allowed={mayWrite ?? false}
          loading={update.fetching}
          subject={id}
          action={t('document.makePublic')}
          question={t('document.makePublicQuestion', { title: document.title })}
          run={() => decide('PUBLIC')}
        />
      </Group>
    </Alert>
  );
}
