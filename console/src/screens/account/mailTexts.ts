import type { Language } from '../../i18n';

interface MailTexts {
  readonly title: string;
  readonly none: string;
  readonly alerts: string;
  readonly alertsHint: string;
  readonly briefing: string;
  readonly briefingHint: string;
  readonly hour: string;
  readonly zone: string;
  readonly save: string;
  readonly saved: string;
}

/** The texts of the mail settings, which are loaded with their screen. */
export const mailTexts: Record<Language, MailTexts> = {
  en: {
    title: 'Mails',
    none: 'This gateway sends no mails: its operator has set no mail server (ROSTRUM_MAIL_URL).',
    alerts: 'Tell me by mail when this happens',
    alertsHint: 'Events within 5 minutes are one mail. None is chosen: no such mails.',
    briefing: 'Send me a daily briefing',
    briefingHint:
      'New hits of saved searches, drafts that wait for your review, failing sources and opens of links. A day with nothing new has none.',
    hour: 'Hour',
    zone: 'Time zone',
    save: 'Save mail settings',
    saved: 'Saved. The mails are in English.',
  },
  de: {
    title: 'Mails',
    none: 'Dieser Server verschickt keine Mails: Sein Betreiber hat keinen Mailserver eingestellt (ROSTRUM_MAIL_URL).',
    alerts: 'Per Mail melden, wenn das geschieht',
    alertsHint: 'Ereignisse innerhalb von 5 Minuten sind eine Mail. Nichts gewählt: keine Mails.',
    briefing: 'Einen Tagesüberblick senden',
    briefingHint:
      'Neue Treffer gespeicherter Suchen, Entwürfe, die auf Ihre Prüfung warten, gestörte Quellen und geöffnete Links. Ohne Neues kommt keiner.',
    hour: 'Stunde',
    zone: 'Zeitzone',
    save: 'Mails speichern',
    saved: 'Gespeichert. Die Mails kommen auf Deutsch.',
  },
};
