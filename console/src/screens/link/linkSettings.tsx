import { Button, Checkbox, Group, NumberInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { SaveLinkDocument, type UpdateLinkInput } from '../../graph/link/graphql';
import { useTranslator } from '../../i18n';
import { fieldProblem } from '../../problemText';
import { useNotice } from '../../ui/notice';
import { Panel } from '../../ui/panel';
import { RefusalAlert } from '../../ui/refusalAlert';
import { UnsavedWarning } from '../../ui/unsavedWarning';
import { useFormState } from '../../ui/useFormState';
import { localTime } from '../../ui/visibilityFields';
import type { LinkDetails } from './link';

/** What is stored of a link's settings, as its form has it. */
interface Settings {
  readonly destinationUrl: string;
  readonly expiresAt: string;
  readonly maxOpens: number | '';
}

const settingsOf = (link: LinkDetails): Settings => ({
  destinationUrl: link.destinationUrl ?? '',
  expiresAt: localTime(link.expiresAt),
  maxOpens: link.maxOpens ?? '',
});

const isSame = (a: Settings, b: Settings) =>
  a.destinationUrl === b.destinationUrl && a.expiresAt === b.expiresAt && a.maxOpens === b.maxOpens;

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
        onSubmit={(event) => void form.store(event)}
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
          <PasswordFields link={link} form={form} />
          <RefusalAlert error={error} fields={fields} />
          <UnsavedWarning isUnsaved={form.isChanged} />
          <Group>
            <Button size="xs" type="submit" loading={form.fetching} disabled={!form.isChanged}>
              {t('links.saveSettings')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}

const fields = ['destinationUrl', 'expiresAt', 'maxOpens', 'password'] as const;

/** A new password, which nobody can read later, and the removal of the stored one. */
function PasswordFields({
  link,
  form,
}: {
  link: LinkDetails;
  form: ReturnType<typeof useLinkSettings>;
}) {
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
  const state = useFormState({ value: settingsOf(link), updatedAt: link.updatedAt }, isSame);
  const [password, setPassword] = useState('');
  const [isOpened, setOpened] = useState(false);
  const [{ fetching, error }, save] = useMutation(SaveLinkDocument);
  const store = async (event: FormEvent) => {
    event.preventDefault();
    const input = {
      linkId: link.id,
      ...changedSettings(state.base.value, state.value),
      ...(isOpened ? { password: null } : password && { password }),
    };
    const saved = (await save({ input })).data?.updateLink?.link;
    if (saved) {
      state.setBase({ value: settingsOf({ ...link, ...saved }), updatedAt: saved.updatedAt });
      setPassword('');
      setOpened(false);
      notify(t('drafts.stored'));
    }
  };
  return {
    value: state.value,
    change: (part: Partial<Settings>) => state.change((before) => ({ ...before, ...part })),
    isChanged: state.isChanged || password !== '' || isOpened,
    password,
    setPassword,
    isOpened,
    setOpened,
    fetching,
    error,
    store,
  };
}
