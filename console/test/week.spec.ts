// Two people work through a week: one invites the other, a text comes in and is corrected, a draft
// is written from a brief, discussed, reviewed, published, read by a stranger and taken back. Once
// in each language, at each width, by mouse and by keyboard alone.
import type { Browser, BrowserContext } from '@playwright/test';
import { expect, type Page, test } from './fixtures';
import { gateway, unique, user, viewerAgent } from './gateway';
import { type Device, type Language, Person } from './person';
import { phone, textOf } from './screen';

const words = {
  en: {
    text: 'The ferry runs in winter too. Fares fall by a tenth in January.',
    title: 'Winter timetable',
    tag: 'timetable',
    brief: 'A note to the skippers',
    point: 'Fares fall by a tenth',
    added: 'Ask us in January.',
    word: 'January',
    question: 'Which week?',
    answer: 'The first one.',
    reason: 'Name a person.',
    named: ' Call Ada Example.',
    corrected: ' Or write to her.',
    withdrawal: 'The month is wrong.',
    embargoed: 'This page is not open yet',
    withdrawn: 'This page has been withdrawn',
  },
  de: {
    text: 'Die Fähre fährt auch im Winter. Die Preise sinken im Januar um ein Zehntel.',
    title: 'Winterfahrplan',
    tag: 'Fahrplan',
    brief: 'Eine Nachricht an die Kapitäne',
    point: 'Die Preise sinken um ein Zehntel',
    added: 'Fragen Sie uns im Januar.',
    word: 'Januar',
    question: 'In welcher Woche?',
    answer: 'In der ersten.',
    reason: 'Bitte eine Person nennen.',
    named: ' Rufen Sie Ada Example an.',
    corrected: ' Oder schreiben Sie ihr.',
    withdrawal: 'Der Monat stimmt nicht.',
    embargoed: 'Diese Seite ist noch nicht öffentlich',
    withdrawn: 'Diese Seite wurde zurückgezogen',
  },
};

const password = 'correct horse battery';

/** The people of the week, and what they write. */
interface Week {
  readonly owner: Person;
  readonly colleague: Person;
  /** The name of the colleague, and the title of the document and the draft. */
  readonly name: string;
  readonly title: string;
  readonly says: (typeof words)['en'];
}

const cases: { language: Language; width: number; device: Device }[] = [
  { language: 'en', width: 1280, device: 'mouse' },
  { language: 'de', width: phone, device: 'mouse' },
  { language: 'de', width: 1280, device: 'keyboard' },
  { language: 'en', width: phone, device: 'keyboard' },
];

const locales = { en: 'en-GB', de: 'de-DE' };

for (const { language, width, device } of cases) {
  test.describe(`${language}, ${width} pixels, ${device}`, () => {
    const settings = { locale: locales[language], viewport: { width, height: 900 } };
    test.use(settings);

    test('two people publish a text and take it back', async ({ page, browser, log }) => {
      const context = await browser.newContext(settings);
      log.watch(context);
      const week: Week = {
        owner: new Person(page, language, device),
        colleague: new Person(await context.newPage(), language, device),
        name: unique('Kim').replace(' ', ''),
        title: unique(words[language].title),
        says: words[language],
      };
      await signIn(week.owner);
      await test.step('invite', () => invite(week));
      await test.step('ingest', () => ingest(week));
      await test.step('correct', () => correct(week));
      await test.step('write', () => write(week));
      await test.step('discuss', () => discuss(week));
      await test.step('review', () => review(week));
      const address = await test.step('publish', () => publish(week));
      const stranger = await openStranger(browser, settings);
      await test.step('read', () => read(week, stranger, address));
      await test.step('withdraw', () => withdraw(week, stranger));
      await stranger.close();
      await context.close();
    });
  });
}

async function signIn(owner: Person) {
  await owner.open(`${gateway}/console/`);
  await owner.fill(owner.field('signin.email'), user.email);
  await owner.fill(owner.field('signin.password'), user.password);
  await owner.press(owner.button('signin.submit'));
  await owner.expectHeading(owner.t('home.title'));
}

/** The owner makes a link, by which the colleague joins in another browser. */
async function invite({ owner, colleague, name }: Week) {
  await owner.goTo('nav.members');
  await owner.fill(owner.field('signin.email'), `${name.toLowerCase()}@example.org`);
  await owner.fill(owner.field('members.name'), name);
  await owner.choose(owner.field('members.role'), owner.t('role.REVIEWER'));
  await owner.press(owner.button('members.invite'));
  await expect(owner.region('members.open').getByText(name, { exact: false })).toBeVisible();
  const link = await owner.page.locator('[data-secret]').innerText();
  await colleague.open(`${gateway}${link.replace(/^https?:\/\/[^/]+/, '')}`);
  await expect(colleague.field('members.name')).toHaveValue(name);
  await colleague.fill(colleague.field('signin.password'), password);
  await colleague.press(colleague.button('entry.join'));
  await colleague.expectHeading(colleague.t('home.title'));
}

/** The owner pastes a text, whose first line is not yet the title. */
async function ingest({ owner, title, says }: Week) {
  await owner.goTo('nav.documents');
  await owner.press(owner.button('documents.add'));
  await owner.fill(owner.field('documents.paste'), says.text);
  const name = owner.textbox('document.title');
  await expect(name).toHaveValue(says.text);
  await owner.fill(name, `${title}?`);
  await owner.press(owner.button('documents.addText'));
  await owner.expectHeading(`${title}?`);
}

async function correct({ owner, title, says }: Week) {
  const details = owner.region('document.details');
  await owner.press(owner.button('action.edit', details));
  await owner.fill(owner.textbox('document.title', details), title);
  await owner.fill(owner.field('document.tags', details), says.tag);
  await owner.press(owner.button('action.save', details));
  await owner.expectHeading(title);
  await expect(details.getByText(says.tag, { exact: true })).toBeVisible();
  await expect(details.getByText(owner.t('origin.CORRECTED')).first()).toBeVisible();
}

/** The owner has an outline written, as there is no text model, and adds a sentence. */
async function write({ owner, title, says }: Week) {
  const { page } = owner;
  await owner.press(owner.button('brief.fromDocument'));
  const form = owner.region('brief.title');
  await expect(form.getByText(title)).toBeVisible();
  await expect(form.getByText(owner.t('brief.noModel'))).toBeVisible();
  await owner.fill(owner.field('brief.prompt', form), says.brief);
  await owner.fill(owner.field('brief.points', form), says.point);
  await owner.press(owner.button('brief.write', form));
  await expect(page).toHaveURL(/\/drafts\/drf_/);
  await expect(page.getByRole('status').getByText(owner.t('warning.outline'))).toBeVisible();
  await expect(textOf(page).getByText(says.point).first()).toBeVisible();
  await owner.fill(owner.field('drafts.title'), title);
  await append(owner, `\n\n${says.added}`);
  await owner.expectHeading(title);
}

/** Writes at the end of the draft's text, and saves it. */
async function append(person: Person, text: string) {
  await person.append(person.field('document.text'), text);
  await person.press(person.button('action.save'));
  await expect(person.page.getByRole('status').getByText(person.t('drafts.stored'))).toBeVisible();
}

/** The colleague asks about a word; the owner answers and resolves. */
async function discuss({ owner, colleague, title, says }: Week) {
  await colleague.goTo('nav.drafts');
  await colleague.press(colleague.page.getByRole('link', { name: title, exact: true }));
  await colleague.expectHeading(title);
  const [asked, seen] = [colleague.region('comments.title'), owner.region('comments.title')];
  await colleague.selectLastWord(colleague.field('document.text'), says.word);
  await colleague.press(colleague.button('comments.onSelection', asked));
  await colleague.fill(colleague.field('comments.yourComment', asked), says.question);
  await colleague.press(colleague.button('comments.send', asked));
  const comment = seen.getByRole('listitem').filter({ hasText: says.question });
  await owner.press(owner.button('comments.reply', comment));
  await owner.fill(owner.field('comments.yourReply', comment), says.answer);
  await owner.press(owner.button('comments.reply', comment));
  await expect(asked.getByText(says.answer)).toBeVisible();
  await owner.press(owner.button('comments.resolve', comment));
  await expect(asked.getByText(colleague.t('comments.none'))).toBeVisible();
}

/** The colleague finds the draft that waits for them, returns it, and approves the next version. */
async function review({ owner, colleague, name, title, says }: Week) {
  const asked = owner.region('review.draftTitle');
  await owner.press(owner.button('review.ask', asked));
  await owner.fillNextYear(owner.field('review.due', asked));
  await sendToReview(owner, name);
  await colleague.goTo('nav.home');
  const waiting = colleague.region('home.waiting_one');
  await colleague.press(waiting.getByRole('link', { name: title, exact: true }));
  await colleague.expectHeading(title);
  const given = colleague.region('review.draftTitle');
  await colleague.press(colleague.button('review.draftReturn', given));
  await colleague.fill(colleague.field('review.reason', given), says.reason);
  await colleague.press(colleague.button('review.draftReturn', given));
  await expect(owner.button('review.ask')).toBeVisible();
  await expect(owner.region('review.draftTitle').getByText(says.reason)).toBeVisible();
  await append(owner, says.named);
  await askForReview(owner, name);
  await approve(colleague, says.named);
}

async function askForReview(owner: Person, name: string) {
  await owner.press(owner.button('review.ask'));
  await sendToReview(owner, name);
}

/** Sends the form that asks for a review. */
async function sendToReview(owner: Person, name: string) {
  const asked = owner.region('review.draftTitle');
  await owner.choose(owner.field('review.assignee', asked), name);
  await owner.press(owner.button('review.ask', asked));
  await expect(asked.getByText(owner.t('draftState.IN_REVIEW'), { exact: true })).toBeVisible();
}

/** Approves the draft of the screen, once it shows the words. */
async function approve(colleague: Person, text: string) {
  const given = colleague.region('review.draftTitle');
  await expect(textOf(colleague.page).getByText(text.trim())).toBeVisible();
  await colleague.press(colleague.button('review.draftApprove', given));
  await expect(given.getByText(colleague.t('draftState.APPROVED'), { exact: true })).toBeVisible();
}

/** The owner publishes under an embargo, and gets the page's address. */
async function publish({ owner }: Week): Promise<string> {
  const form = owner.region('review.draftTitle');
  await owner.press(owner.button('publish.action', form));
  await owner.fillNextYear(owner.field('publish.until', form));
  await owner.press(owner.button('publish.action', form));
  await expect(form.getByText(owner.t('draftState.PUBLISHED'), { exact: true })).toBeVisible();
  return (await form.getByRole('link', { name: /\/l\// }).getAttribute('href')) ?? '';
}

const openStranger = (browser: Browser, settings: object): Promise<BrowserContext> =>
  browser.newContext({
    ...settings,
    userAgent: viewerAgent,
    extraHTTPHeaders: { 'Sec-CH-UA': '"Chromium";v="150"' }, // a browser without windows is no viewer
  });

/** A stranger reads that the page is not open, and after a correction its text, which is counted. */
async function read(week: Week, stranger: BrowserContext, address: string) {
  const { owner, colleague, name, title, says } = week;
  const page = await stranger.newPage();
  await page.goto(address);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(says.embargoed);
  await append(owner, says.corrected);
  await askForReview(owner, name);
  await approve(colleague, says.corrected);
  const form = owner.region('review.draftTitle');
  await owner.press(owner.button('publish.again', form));
  await owner.clearTime(owner.field('publish.until', form));
  await owner.press(owner.button('publish.action', form));
  await expect(form.getByText(owner.t('draftState.PUBLISHED'), { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByText(says.corrected.trim())).toBeVisible();
  await owner.press(form.getByRole('link', { name: owner.t('publish.link') }));
  await owner.expectHeading(title);
  const opens = owner.page.getByText(owner.t('links.opens'), { exact: true }).locator('xpath=..');
  await expect(opens.getByText('1', { exact: true })).toBeVisible();
}

/** The owner takes the page back; the stranger reads why. */
async function withdraw({ owner, title, says }: Week, stranger: BrowserContext) {
  const page = stranger.pages()[0] as Page;
  await owner.press(owner.page.getByRole('main').getByRole('link', { name: title, exact: true }));
  await owner.expectHeading(title);
  const form = owner.region('review.draftTitle');
  await owner.press(owner.button('publish.withdraw', form));
  await owner.fill(owner.field('publish.reason', form), says.withdrawal);
  await owner.press(owner.button('publish.withdraw', form));
  await expect(
    form.getByText(owner.t('publish.withdrawn', { reason: says.withdrawal })),
  ).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(says.withdrawn);
  await expect(page.getByText(says.withdrawal)).toBeVisible();
}
