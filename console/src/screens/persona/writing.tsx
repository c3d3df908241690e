import { Alert, NativeSelect, Stack, Text, TextInput, Textarea } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { type ContentLength, WriteAsPersonaDocument } from '../../graph/persona/graphql';
import { useTranslator } from '../../i18n';
import { fieldProblem } from '../../problemText';
import { GuardedButton } from '../../ui/guardedButton';
import { ModelHint } from '../../ui/modelHint';
import { Panel } from '../../ui/panel';
import { RefusalAlert } from '../../ui/refusalAlert';
import { ScreenLink } from '../../ui/screenLink';
import { warningText } from '../../warningText';
import type { PersonaDetails } from './persona';

const lengths: readonly ContentLength[] = ['SHORT', 'MEDIUM', 'LONG'];

/** Has a text written in the persona's voice, which is kept as a document. */
export function Writing({
  persona,
  mayWrite,
}: {
  persona: PersonaDetails;
  mayWrite: boolean | undefined;
}) {
  const { t } = useTranslator();
  const [topic, setTopic] = useState('');
  const [contentType, setType] = useState('');
  const [length, setLength] = useState<ContentLength>('MEDIUM');
  const [{ data, fetching, error }, write] = useMutation(WriteAsPersonaDocument);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const input = { personaId: persona.id, topic, length };
    void write({ input: { ...input, contentType: contentType || undefined } });
  };
  const written = data?.generatePersonaContent;
  return (
    <Panel title={t('persona.writing')}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm" p="md" align="stretch">
          <Textarea
            label={t('persona.topic')}
            value={topic}
            onChange={(event) => setTopic(event.currentTarget.value)}
            error={fieldProblem(error, 'topic')}
            autosize
            minRows={2}
            dir="auto"
          />
          <TextInput
            label={t('persona.contentType')}
            description={t('persona.contentTypeHint')}
            value={contentType}
            onChange={(event) => setType(event.currentTarget.value)}
            error={fieldProblem(error, 'contentType')}
            dir="auto"
          />
          <NativeSelect
            label={t('persona.length')}
            value={length}
            onChange={(event) => setLength(event.currentTarget.value as ContentLength)}
            data={lengths.map((value) => ({ value, label: t(`persona.length.${value}`) }))}
          />
          <RefusalAlert error={error} fields={['topic', 'contentType']} />
          <ModelHint message="persona.noWriter" />
          <GuardedButton
            type="submit"
            allowed={mayWrite}
            size="xs"
            variant="light"
            leftSection={<IconPencil size={14} aria-hidden />}
            disabled={!topic.trim()}
            loading={fetching}
            style={{ alignSelf: 'flex-start' }}
          >
            {t('persona.write')}
          </GuardedButton>
        </Stack>
      </form>
      {written && <Written {...written} />}
    </Panel>
  );
}

interface WrittenProps {
  readonly content: string;
  readonly warning: string | null;
  readonly documentId: string | null;
  readonly truncated: boolean;
}

function Written({ content, warning, documentId, truncated }: WrittenProps) {
  const translator = useTranslator();
  const { t } = translator;
  return (
    <Stack gap="sm" p="md" pt={0} role="status">
      {warning && <Alert color="orange">{warningText(translator, warning)}</Alert>}
      {truncated && <Alert color="orange">{t('persona.truncated')}</Alert>}
      <div className="prose" dir="auto">
        {content}
      </div>
      <Text size="sm">
        {documentId ? (
          <ScreenLink isInText to={`/documents/${documentId}`}>
            {t('persona.kept')}
          </ScreenLink>
        ) : (
          t('persona.notKept')
        )}
      </Text>
    </Stack>
  );
}
