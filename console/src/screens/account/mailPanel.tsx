import { Button, Checkbox, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { eventTypes } from '../../eventTypes';
import { type AccountQuery, UpdateMailSettingsDocument } from '../../graph/account/graphql';
import { useTranslator } from '../../i18n';
import { sendsMail } from '../../session';
import { localTimeZone } from '../../timeZone';
import { useNotice } from '../../ui/notice';
import { Panel } from '../../ui/panel';
import { RefusalAlert } from '../../ui/refusalAlert';

type Settings = NonNullable<NonNullable<AccountQuery['viewer']>['mailSettings']>;

interface MailProps {
  readonly settings: Settings;
  readonly reload: () => void;
}

/** Chooses what the signed-in user gets by mail. */
export function MailPanel(props: MailProps) {
  const { t } = useTranslator();
  return (
    <Panel title={t('mails.title')}>
      <div style={{ padding: '1rem' }}>
        {sendsMail ? <MailForm {...props} /> : <Text size="sm">{t('mails.none')}</Text>}
      </div>
    </Panel>
  );
}

const usualHour = 7;
const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}));

function MailForm({ settings, reload }: MailProps) {
  const { t, name, language } = useTranslator();
  const notify = useNotice();
  const isNew = settings.alerts.length === 0 && settings.briefingHour === null;
  const [alerts, setAlerts] = useState(settings.alerts);
  const [isBriefed, setBriefed] = useState(settings.briefingHour !== null);
  const [hour, setHour] = useState(settings.briefingHour ?? usualHour);
  const [timeZone, setTimeZone] = useState(isNew ? localTimeZone() : settings.timeZone);
  const [{ fetching, error }, update] = useMutation(UpdateMailSettingsDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const briefingHour = isBriefed ? hour : null;
    const { data } = await update({ input: { alerts, briefingHour, timeZone, language } });
    if (data?.updateMailSettings) {
      notify(t('mails.saved'));
      reload();
    }
  };
  const zones = [...new Set([timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <Checkbox.Group
          label={t('mails.alerts')}
          description={t('mails.alertsHint')}
          value={[...alerts]}
          onChange={(chosen) => setAlerts(eventTypes.filter((type) => chosen.includes(type)))}
        >
          <Group gap="sm" mt="xs">
            {eventTypes.map((type) => (
              <Checkbox key={type} size="xs" value={type} label={name('event', type)} />
            ))}
          </Group>
        </Checkbox.Group>
        <Checkbox
          label={t('mails.briefing')}
          description={t('mails.briefingHint')}
          checked={isBriefed}
          onChange={(event) => setBriefed(event.currentTarget.checked)}
        />
        {isBriefed && (
          <Group gap="sm">
            <NativeSelect
              label={t('mails.hour')}
              data={hours}
              value={String(hour)}
              onChange={(event) => setHour(Number(event.currentTarget.value))}
            />
            <NativeSelect
              label={t('mails.zone')}
              data={zones}
              value={timeZone}
              onChange={(event) => setTimeZone(event.currentTarget.value)}
            />
          </Group>
        )}
        <RefusalAlert error={error} />
        <Button type="submit" loading={fetching} style={{ alignSelf: 'flex-start' }}>
          {t('mails.save')}
        </Button>
      </Stack>
    </form>
  );
}
