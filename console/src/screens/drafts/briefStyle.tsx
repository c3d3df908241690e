import { NativeSelect, NumberInput, Stack, TextInput, Textarea } from '@mantine/core';
import { useQuery } from 'urql';
import { BriefPersonasDocument } from '../../graph/drafts/graphql';
import { useTranslator } from '../../i18n';
import type { Brief } from './brief';

interface StyleProps {
  readonly brief: Brief;
  readonly change: (part: Partial<Brief>) => void;
}

/** Who speaks in a text, how it sounds, and how it is built. */
export function BriefStyle({ brief, change }: StyleProps) {
  const { t } = useTranslator();
  return (
    <details>
      <summary>{t('brief.style')}</summary>
      <Stack mt="sm">
        <Personas brief={brief} change={change} />
        <TextInput
          label={t('brief.tone')}
          maxLength={5000}
          value={brief.tone}
          onChange={(event) => change({ tone: event.currentTarget.value })}
        />
        <Textarea
          label={t('brief.structure')}
          maxLength={20_000}
          value={brief.structure}
          onChange={(event) => change({ structure: event.currentTarget.value })}
          autosize
          minRows={2}
          dir="auto"
        />
        <Textarea
          label={t('brief.example')}
          description={t('brief.exampleHint')}
          maxLength={50_000}
          value={brief.example}
          onChange={(event) => change({ example: event.currentTarget.value })}
          autosize
          minRows={2}
          maxRows={10}
          dir="auto"
        />
        <TextInput
          label={t('brief.themes')}
          description={t('source.tagsHint')}
          value={brief.themes}
          onChange={(event) => change({ themes: event.currentTarget.value })}
        />
        <NumberInput
          label={t('brief.titleLength')}
          min={1}
          max={500}
          allowDecimal={false}
          value={brief.titleLength}
          onChange={(value) => change({ titleLength: value === '' ? '' : Number(value) })}
        />
      </Stack>
    </details>
  );
}

/** The personas who can speak, and those whose voice can be imitated. */
function Personas({ brief, change }: StyleProps) {
  const { t } = useTranslator();
  const [{ data }] = useQuery({ query: BriefPersonasDocument });
  const personas = data?.personas?.nodes ?? [];
  const offer = (offered: typeof personas) => [
    { value: '', label: t('brief.nobody') },
    ...offered.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <>
      <NativeSelect
        label={t('brief.speaker')}
        description={t('brief.speakerHint')}
        value={brief.speaker}
        onChange={(event) => change({ speaker: event.currentTarget.value })}
        data={offer(personas)}
      />
      <NativeSelect
        label={t('brief.voice')}
        description={t('brief.voiceHint')}
        value={brief.voice}
        onChange={(event) => change({ voice: event.currentTarget.value })}
        data={offer(personas.filter(({ includeInVoiceList }) => includeInVoiceList))}
      />
    </>
  );
}
