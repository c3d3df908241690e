import { Button, Checkbox, Group, NumberInput, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { failureCode } from '../../client';
import {
  SaveLinkDocument,
  StoredSettingsDocument,
  type UpdateLinkInput,
} from '../../graph/link/graphql';
import { useTranslator } from '../../i18n';
import { fieldProblem } from '../../problemText';
import { ConflictAlert } from '../../ui/conflictAlert';
import { clashing, differing } from '../../ui/editForm';
import { useNotice } from '../../ui/notice';
import { Panel } from '../../ui/panel';
import { RefusalAlert } from '../../ui/refusalAlert';
import { saveMerged } from '../../ui/saveMerged';
import { UnsavedWarning } from '../../ui/unsavedWarning';
import { useFormState } from '../../ui/useFormState';
import { useFreshRead } from '../../ui/useFreshRead';
import { localTime } from '../../ui/visibilityFields';
import { tagList } from '../../ui/tagList';
import type { LinkDetails } from './link';

/** What is stored of a link's settings, as its form has it. */
interface Settings {
  readonly destinationUrl: string;
  readonly expiresAt: string;
  readonly maxOpens: number | '';
  readonly tags: string;
}

const settingsOf = (
  link: Pick<LinkDetails, 'destinationUrl' | 'expiresAt' | 'maxOpens' | 'tags'>,
): Settings => ({
  destinationUrl: link.destinationUrl ?? '',
  expiresAt: localTime(link.expiresAt),
  maxOpens: link.maxOpens ?? '',
  tags: link.tags?.join(', ') ?? '',
});

const isSame = (a: Settings, b: Settings) => differing(a, b).length === 0;

/** Returns the input of the settings that were changed. */
function changedSettings(before: Settings, now: Settings): Omit<UpdateLinkInput, 'linkId'> {
  return {
    ...(now.destinationUrl !== before.destinationUrl && { destinationUrl: now.destinationUrl }),
    ...(now.expiresAt !== before.expiresAt && {
      expiresAt: now.expiresAt ? new Date(now.expiresAt).toISOString() : null,
    }),
    ...(now.maxOpens !== before.maxOpens && {
      maxOpens: now.maxOpens === '' ? null : now.maxOpens,
    }),
    ...(now.tags !== before.tags && { tags: tagList(now.tags) }),
  };
}

/** Where a link leads, when and after how many opens it ends, and its password. */
export function LinkSettings({ link }: { link: LinkDetails }) {
  const { t, number } = useTranslator();
  const form = useLinkSettings(link);
  const { value, change, error } = form;
  const leads = link.kind === 'REDIRECT' && (link.variants?.length ?? 0) === 0;
  return (
    <Panel title={t('links.settings')}>
      <form
        aria-label={t('links.settings')}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void form.store();
        }}
      >
        <Stack p="md" gap="sm">
          {leads && (
            <TextInput
              type="url"
              label={t('links.destinationUrl')}
              value={value.destinationUrl}
              onChange={(event) => change({ destinationUrl: event.currentTarget.value })}
              error={fieldProblem(error, 'destinationUrl')}
            />
          )}
          <Group align="flex-start">
            <TextInput
              type="datetime-local"
              label={t('links.expiresAt')}
              description={t('links.expiresAtHint')}
              value={value.expiresAt}
              onChange={(event) => change({ expiresAt: event.currentTarget.value })}
              error={fieldProblem(error, 'expiresAt')}
            />
            <NumberInput
              label={t('links.maxOpens')}
              description={t('links.maxOpensHint', { count: number(link.openCount) })}
              min={1}
              max={1_000_000}
              allowDecimal={false}
              value={value.maxOpens}
              onChange={(text) => change({ maxOpens: text === '' ? '' : Number(text) })}
              error={fieldProblem(error, 'maxOpens')}
            />
          </Group>
          <TextInput
            label={t('links.tags')}
            description={t('links.tagsHint')}
            dir="auto"
            value={value.tags}
            onChange={(event) => change({ tags: event.currentTarget.value })}
            error={fieldProblem(error, 'tags')}
          />
          <PasswordFields link={link} form={form} />
          <RefusalAlert error={error} fields={fields} />
          <SettingsConflict link={link} form={form} />
          <UnsavedWarning isUnsaved={form.isChanged} />
          <Group>
            <Button
              size="xs"
              type="submit"
              loading={form.fetching}
              disabled={!form.isChanged || form.conflicts.length > 0}
            >
              {t('links.saveSettings')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}

const fields = ['destinationUrl', 'expiresAt', 'maxOpens', 'tags', 'password'] as const;

type SettingsForm = ReturnType<typeof useLinkSettings>;

/** Shows the settings that somebody else has changed differently, and asks which ones stay. */
function SettingsConflict({ link, form }: { link: LinkDetails; form: SettingsForm }) {
  const { t } = useTranslator();
  return (
    form.conflicts.length > 0 && (
      <ConflictAlert
        updatedAt={link.updatedAt}
        fields={form.conflicts.map((name) => ({
          label: t(`links.${name}`),
          text: String(form.stored[name]).replace('T', ' '),
        }))}
        isSaving={form.fetching}
        takeStored={form.takeStored}
        saveMine={() => void form.store()}
      />
    )
  );
}

/** A new password, which nobody can read later, and the removal of the stored one. */
function PasswordFields({ link, form }: { link: LinkDetails; form: SettingsForm }) {
  const { t } = useTranslator();
  return (
    <Group align="flex-end">
      <TextInput
        label={t(link.hasPassword ? 'links.newPassword' : 'links.password')}
        description={t('links.passwordHint')}
        autoComplete="off"
        spellCheck={false}
        value={form.password}
        disabled={form.isOpened}
        onChange={(event) => form.setPassword(event.currentTarget.value)}
        error={fieldProblem(form.error, 'password')}
        style={{ flex: '1 1 16rem' }}
      />
      {link.hasPassword && (
        <Checkbox
          label={t('links.removePassword')}
          checked={form.isOpened}
          onChange={(event) => form.setOpened(event.currentTarget.checked)}
          mb={8}
        />
      )}
    </Group>
  );
}

/** The edited settings; a password is sent only if one was entered or is removed. */
function useLinkSettings(link: LinkDetails) {
  const { t } = useTranslator();
  const notify = useNotice();
  const stored = { value: settingsOf(link), updatedAt: link.updatedAt, version: link.version };
  const state = useFormState(stored, isSame);
  const [password, setPassword] = useState('');
  const [isOpened, setOpened] = useState(false);
  const [{ fetching, error }, update] = useMutation(SaveLinkDocument);
  const { read } = useFreshRead(StoredSettingsDocument, { id: link.id });
  const { value } = state;
  const base = state.base.value;
  const send = (version: string) =>
    update({
      input: {
        linkId: link.id,
        ifVersion: [version],
        ...changedSettings(base, value),
        ...(isOpened ? { password: null } : password && { password }),
      },
    });
  const store = async () => {
    const result = await saveMerged({
      value,
      base,
      version: link.version,
      send,
      read: async () => {
        const now = (await read())?.link;
        return now ? { value: settingsOf(now), version: now.version } : null;
      },
    });
    const saved = result?.data?.updateLink?.link;
    if (saved) {
      const { updatedAt, version } = saved;
      state.setBase({ value: settingsOf(saved), updatedAt, version });
      setPassword('');
      setOpened(false);
      notify(t('drafts.stored'));
    }
  };
  return {
    value,
    stored: stored.value,
    conflicts: clashing(base, value, stored.value),
    takeStored: () => state.setBase(stored),
    change: (part: Partial<Settings>) => state.change((before) => ({ ...before, ...part })),
    isChanged: state.isChanged || password !== '' || isOpened,
    password,
    setPassword,
    isOpened,
    setOpened,
    fetching,
    error: failureCode({ error }) === 'precondition_failed' ? undefined : error,
    store,
  };
}
