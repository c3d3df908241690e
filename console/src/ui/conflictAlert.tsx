import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useTranslator } from '../i18n';

interface ConflictProps {
  /** When the stored text was saved. */
  readonly updatedAt: string;
  /** The stored fields that differ, each with its label. */
  readonly fields: readonly { readonly label: string; readonly text: string }[];
  readonly isSaving: boolean;
  readonly takeStored: () => void;
  readonly saveMine: () => void;
}

/** Shows the text that another editor has saved, and asks which of the two texts stays. */
export function ConflictAlert({
  updatedAt,
  fields,
  isSaving,
  takeStored,
  saveMine,
}: ConflictProps) {
  const { t, ago } = useTranslator();
  return (
    <Alert color="orange" role="alert" title={t('conflict.title')}>
      <Stack gap="sm">
        <Text size="sm">{t('conflict.text', { when: ago(updatedAt) })}</Text>
        {fields.map(({ label, text }) => (
          <Textarea
            key={label}
            label={t('conflict.stored', { field: label })}
            value={text}
            readOnly
            autosize
            minRows={1}
            maxRows={12}
            dir="auto"
          />
        ))}
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={takeStored}>
            {t('conflict.useStored')}
          </Button>
          <Button size="xs" loading={isSaving} onClick={saveMine}>
            {t('conflict.saveMine')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
