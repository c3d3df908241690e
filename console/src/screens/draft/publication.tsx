import {
  Alert,
  Anchor,
  Button,
  CopyButton,
  Group,
  NativeSelect,
  Stack,
  Text,
  TextInput,
  Textarea,
} from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { PublishDraftDocument, WithdrawDraftDocument } from '../../graph/draft/graphql';
import { useTranslator } from '../../i18n';
import { useMay } from '../../liveUpdates';
import { fieldProblem } from '../../problemText';
import { useOpening } from '../../ui/draftState';
import { GuardedButton } from '../../ui/guardedButton';
import { useNotice } from '../../ui/notice';
import { RefusalAlert } from '../../ui/refusalAlert';
import { ScreenLink } from '../../ui/screenLink';
import { localTime } from '../../ui/visibilityFields';
import { warningText } from '../../warningText';
import type { DraftDetails } from './draft';
import { FormButtons } from './formButtons';

/** The languages that the words around a page are in. */
const languages = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl'];

interface PublicationProps {
  readonly draft: DraftDetails;
  /** True if the fields have words that are not saved. */
  readonly isChanged: boolean;
}

/** The hosted page of a draft: where it is, what it shows, and what can be done with it. */
export function Publication({ draft, isChanged }: PublicationProps) {
  const { t } = useTranslator();
  const mayEdit = useMay('EDIT');
  const [form, setForm] = useState<'publish' | 'change' | 'withdraw' | null>(null);
  const close = () => setForm(null);
  const { state, publishedVersion } = draft;
  if (form === 'publish') {
    return <PublishForm draft={draft} version={draft.currentVersion?.id ?? ''} close={close} />;
  }
  if (form === 'change' && publishedVersion) {
    return <PublishForm draft={draft} version={publishedVersion.id} isOpening close={close} />;
  }
  if (form === 'withdraw') {
    return <WithdrawForm draft={draft} close={close} />;
  }
  return (
    <>
      <PageState draft={draft} />
      {(state === 'APPROVED' || publishedVersion) && (
        <Group gap="xs">
          {state === 'APPROVED' && (
            <GuardedButton
              size="xs"
              allowed={mayEdit}
              disabled={isChanged}
              onClick={() => setForm('publish')}
            >
              {t(publishedVersion ? 'publish.again' : 'publish.action')}
            </GuardedButton>
          )}
          {publishedVersion && (
            <>
              <GuardedButton
                size="xs"
                variant="default"
                allowed={mayEdit}
                onClick={() => setForm('change')}
              >
                {t('publish.change')}
              </GuardedButton>
              <GuardedButton
                size="xs"
                variant="default"
                allowed={mayEdit}
                onClick={() => setForm('withdraw')}
              >
                {t('publish.withdraw')}
              </GuardedButton>
            </>
          )}
        </Group>
      )}
    </>
  );
}

/** Whether and where the draft is published, and whether its text has changed since. */
function PageState({ draft }: Pick<PublicationProps, 'draft'>) {
  const translator = useTranslator();
  const { t } = translator;
  const opening = useOpening();
  const { link, publishedVersion, currentVersion } = draft;
  const newsroomUrl = draft.workspace?.newsroomUrl;
  if (!link) {
    return null;
  }
  return (
    <>
      <Group gap="xs">
        <Anchor size="sm" href={link.shortUrl} target="_blank" rel="noreferrer">
          {link.shortUrl}
        </Anchor>
        <CopyButton value={link.shortUrl}>
          {({ copied, copy }) => (
            <Button size="compact-xs" variant="default" onClick={copy}>
              {t(copied ? 'action.copied' : 'publish.copy')}
            </Button>
          )}
        </CopyButton>
        <ScreenLink to={`/links/${link.id}`}>{t('publish.link')}</ScreenLink>
      </Group>
      {publishedVersion &&
        link.warnings?.map((warning) => (
          <Alert key={warning} color="orange">
            {warningText(translator, warning)}
          </Alert>
        ))}
      {publishedVersion ? (
        <Text size="sm">
          {[t('publish.shows', { number: publishedVersion.number }), opening(link.embargoedUntil)]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      ) : (
        <Text size="sm">{t('publish.withdrawn', { reason: link.withdrawalReason ?? '' })}</Text>
      )}
      {publishedVersion && newsroomUrl && (
        <Text size="sm">
          {t('publish.newsroom')}{' '}
          <Anchor size="sm" href={newsroomUrl} target="_blank" rel="noreferrer">
            {newsroomUrl}
          </Anchor>
        </Text>
      )}
      {publishedVersion && publishedVersion.id !== currentVersion?.id && (
        <Alert color="orange">{t('publish.older', { number: publishedVersion.number })}</Alert>
      )}
    </>
  );
}

interface FormProps {
  readonly draft: DraftDetails;
  readonly close: () => void;
}

interface PublishProps extends FormProps {
  readonly version: string;
  /** True if the page shows the version already, and only when it opens and its language change. */
  readonly isOpening?: boolean;
}

/** Asks for the address of a new page, its language, and when it opens. */
function PublishForm({ draft, version, isOpening = false, close }: PublishProps) {
  const { t, language: own } = useTranslator();
  const names = new Intl.DisplayNames(own, { type: 'language' });
  const notify = useNotice();
  const { link } = draft;
  const [slug, setSlug] = useState('');
  const [language, setLanguage] = useState(link ? (link.language ?? 'en') : own);
  const storedUntil = localTime(link?.embargoedUntil);
  const [until, setUntil] = useState(storedUntil);
  const [{ fetching, error }, publish] = useMutation(PublishDraftDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const input = {
      draftId: draft.id,
      versionId: version,
      language,
      ...(slug.trim() && { slug: slug.trim() }),
      ...(until !== storedUntil && {
        embargoedUntil: until ? new Date(until).toISOString() : null,
      }),
    };
    if ((await publish({ input })).data?.publishDraft) {
      notify(t(isOpening ? 'publish.changed' : 'publish.done'));
      close();
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="sm">
        {!link && (
          <TextInput
            autoFocus
            label={t('links.slug')}
            description={t('publish.slugHint')}
            value={slug}
            onChange={(event) => setSlug(event.currentTarget.value)}
            error={fieldProblem(error, 'slug')}
          />
        )}
        <NativeSelect
          autoFocus={Boolean(link)}
          label={t('publish.language')}
          value={language}
          onChange={(event) => setLanguage(event.currentTarget.value)}
          error={fieldProblem(error, 'language')}
          data={[...new Set([...languages, language])].map((value) => ({
            value,
            label: names.of(value) ?? value,
          }))}
        />
        <TextInput
          type="datetime-local"
          label={t('publish.until')}
          description={t('publish.untilHint')}
          value={until}
          onChange={(event) => setUntil(event.currentTarget.value)}
          error={fieldProblem(error, 'embargoedUntil')}
        />
        <RefusalAlert error={error} fields={['slug', 'language', 'embargoedUntil']} />
        <FormButtons
          action={t(isOpening ? 'publish.keep' : 'publish.action')}
          fetching={fetching}
          close={close}
        />
      </Stack>
    </form>
  );
}

/** Asks for the reason, which visitors read. */
function WithdrawForm({ draft, close }: FormProps) {
  const { t } = useTranslator();
  const notify = useNotice();
  const [reason, setReason] = useState('');
  const [{ fetching, error }, withdraw] = useMutation(WithdrawDraftDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if ((await withdraw({ input: { draftId: draft.id, reason } })).data?.withdrawDraft) {
      notify(t('publish.taken'));
      close();
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="sm">
        <Textarea
          autoFocus
          label={t('publish.reason')}
          description={t('publish.reasonHint')}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={fieldProblem(error, 'reason')}
          autosize
          minRows={2}
          dir="auto"
        />
        <RefusalAlert error={error} fields={['reason']} />
        <FormButtons
          action={t('publish.withdraw')}
          fetching={fetching}
          isDisabled={!reason.trim()}
          close={close}
        />
      </Stack>
    </form>
  );
}
