// A mail server on loopback, with the commands of IMAP that the gateway sends.
import net, { type Socket } from 'node:net';

/** A folder of mails, each with its subject, that a user reads with a password. */
export interface Folder {
  readonly subjects: string[];
  readonly password: string;
}

const mailOf = (subject: string) =>
  [
    'From: Ana Example <ana@example.com>',
    `Subject: ${subject}`,
    `Message-ID: <${subject.replaceAll(' ', '-')}@example.com>`,
    '',
    `${subject}: the harbour authority counted more ferries on the northern route than any forecast had allowed for.`,
    '',
  ].join('\r\n');

const literal = (text: string) => `{${Buffer.byteLength(text)}}\r\n${text}`;

/** Returns the numbers of a set such as "2:4,9". */
const numbersOf = (set: string) =>
  set.split(',').flatMap((part) => {
    const [first = 0, last = first] = part.split(':').map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });

function fetched({ subjects }: Folder, set: string, items: string) {
  return numbersOf(set)
    .filter((uid) => uid <= subjects.length)
    .map((uid) => {
      const mail = mailOf(subjects[uid - 1] ?? '');
      const head = `${mail.slice(0, mail.indexOf('\r\n\r\n'))}\r\n\r\n`;
      const body = items.includes('BODY.PEEK[]')
        ? `BODY[] ${literal(mail)}`
        : `RFC822.SIZE ${mail.length} INTERNALDATE "05-Jan-2026 10:00:00 +0000" BODY[HEADER.FIELDS (Subject Message-ID)]<0> ${literal(head)}`;
      return `* ${uid} FETCH (UID ${uid} ${body})\r\n`;
    })
    .join('');
}

/** Answers a command without its tag: lines, and how it ended. */
function answer(folder: Folder, command: string): [lines: string, end: string] {
  const [, first = ''] = /^UID SEARCH UID (\d+):/.exec(command) ?? [];
  const [, set = '', items = ''] = /^(?:UID )?FETCH (\S+) (.*)$/.exec(command) ?? [];
  const count = folder.subjects.length;
  if (command.startsWith('LOGIN') && !command.endsWith(` "${folder.password}"`)) {
    return ['', 'NO refused'];
  } else if (command.startsWith('EXAMINE')) {
    return [`* ${count} EXISTS\r\n* OK [UIDVALIDITY 1] valid\r\n`, 'OK [READ-ONLY] done'];
  } else if (first) {
    const uids = numbersOf(`1:${count}`).filter((uid) => uid >= Number(first));
    return [`* SEARCH${uids.map((uid) => ` ${uid}`).join('')}\r\n`, 'OK done'];
  } else if (set) {
    return [fetched(folder, set, items), 'OK done'];
  }
  return ['', 'OK done'];
}

function serve(socket: Socket, folder: Folder) {
  let waiting = '';
  socket.on('error', () => socket.destroy());
  socket.write('* OK [CAPABILITY IMAP4rev1] ready\r\n');
  socket.on('data', (part) => {
    const lines = (waiting + part.toString()).split('\r\n');
    waiting = lines.pop() ?? '';
    for (const line of lines) {
      const [tag, ...words] = line.split(' ');
      const [text, end] = answer(folder, words.join(' '));
      socket.write(`${text}${tag} ${end}\r\n`);
    }
  });
}

/** Makes a server of a folder, which does not listen yet. */
export const mailServer = (folder: Folder) => net.createServer((socket) => serve(socket, folder));
