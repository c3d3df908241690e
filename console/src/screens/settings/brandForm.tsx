import {
  Anchor,
  Button,
  Checkbox,
  FileInput,
  Group,
  Stack,
  Text,
  TextInput,
  Textarea,
} from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { type SettingsQuery, UpdateBrandDocument } from '../../graph/settings/graphql';
import { useTranslator } from '../../i18n';
import { fieldProblem } from '../../problemText';
import { useNotice } from '../../ui/notice';
import { Panel } from '../../ui/panel';
import { RefusalAlert } from '../../ui/refusalAlert';

type Workspace = NonNullable<NonNullable<SettingsQuery['viewer']>['workspace']>;
export type Brand = NonNullable<Workspace['brand']>;

/** The fields that are texts, each with what it may need to know about its input. */
const textFields = ['name', 'accentColor', 'imprintUrl', 'privacyUrl', 'newsroomSlug'] as const;
type TextField = (typeof textFields)[number];

interface BrandFormProps {
  readonly stored: Brand;
  readonly reload: () => void;
}

/** What readers see of the workspace on its hosted pages, and the newsroom. Mount it anew when it changes. */
export function BrandForm({ stored, reload }: BrandFormProps) {
  const { t } = useTranslator();
  const notify = useNotice();
  const [texts, setTexts] = useState(() =>
    Object.fromEntries(textFields.map((field) => [field, stored[field] ?? ''])),
  );
  const [imprint, setImprint] = useState(stored.imprint ?? '');
  const [file, setFile] = useState<File | null>(null);
  const [removeLogo, setRemoveLogo] = useState(false);
  const [{ fetching, error }, update] = useMutation(UpdateBrandDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const given = Object.fromEntries(
      textFields.map((field) => [field, texts[field]?.trim() || null]),
    );
    const input = { ...given, imprint: imprint.trim() || null, ...(removeLogo && { removeLogo }) };
    if ((await update({ input, file })).data?.updateBrand) {
      notify(t('brand.saved'));
      reload();
    }
  };
  const textInput = (field: TextField, hint?: string) => (
    <TextInput
      label={t(`brand.${field}`)}
      description={hint}
      value={texts[field] ?? ''}
      onChange={({ currentTarget: { value } }) => setTexts((all) => ({ ...all, [field]: value }))}
      error={fieldProblem(error, field)}
      style={{ flex: '1 1 14rem' }}
    />
  );
  return (
    <Panel title={t('brand.title')}>
      <form onSubmit={(event) => void submit(event)} noValidate style={{ padding: '1rem' }}>
        <Stack gap="sm">
          <Group align="flex-start">
            {textInput('name', t('brand.nameHint'))}
            {textInput('accentColor', t('brand.accentHint'))}
          </Group>
          <LogoInput
            stored={stored}
            file={file}
            setFile={setFile}
            isRemoved={removeLogo}
            setRemoved={setRemoveLogo}
            problem={fieldProblem(error, 'file')}
          />
          <Textarea
            label={t('brand.imprint')}
            description={t('brand.imprintHint')}
            value={imprint}
            onChange={(event) => setImprint(event.currentTarget.value)}
            error={fieldProblem(error, 'imprint')}
            autosize
            minRows={3}
            dir="auto"
          />
          <Group align="flex-start">
            {textInput('imprintUrl')}
            {textInput('privacyUrl')}
          </Group>
          {textInput('newsroomSlug', t('brand.newsroomHint'))}
          {stored.newsroomUrl && (
            <Anchor size="sm" href={stored.newsroomUrl} target="_blank" rel="noreferrer">
              {stored.newsroomUrl}
            </Anchor>
          )}
          <RefusalAlert error={error} fields={[...textFields, 'imprint', 'file']} />
          <Group>
            <Button type="submit" loading={fetching}>
              {t('brand.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}

interface LogoInputProps {
  readonly stored: Brand;
  readonly file: File | null;
  readonly setFile: (file: File | null) => void;
  readonly isRemoved: boolean;
  readonly setRemoved: (isRemoved: boolean) => void;
  readonly problem: string | undefined;
}

/** The logo, a new one in its place, or none. */
function LogoInput({ stored, file, setFile, isRemoved, setRemoved, problem }: LogoInputProps) {
  const { t } = useTranslator();
  const { logo } = stored;
  return (
    <Stack gap="xs">
      {logo && (
        <Group>
          <img
            src={logo.url}
            alt={t('brand.logoNow')}
            style={{ maxHeight: '3rem', maxWidth: '100%', background: 'white' }}
          />
          <Text size="sm">{t('brand.logoSize', { width: logo.width, height: logo.height })}</Text>
        </Group>
      )}
      <FileInput
        label={t('brand.logo')}
        description={t('brand.logoHint')}
        accept="image/png,image/jpeg,image/webp"
        value={file}
        onChange={setFile}
        disabled={isRemoved}
        clearable
        clearButtonProps={{ 'aria-label': t('brand.logoClear') }}
        error={problem}
      />
      {logo && !file && (
        <Checkbox
          label={t('brand.logoRemove')}
          checked={isRemoved}
          onChange={(event) => setRemoved(event.currentTarget.checked)}
        />
      )}
    </Stack>
  );
}
