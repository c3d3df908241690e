import {
  ActionIcon,
  Code,
  CloseButton,
  Group,
  Popover,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconHelp, IconSearch } from '@tabler/icons-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { MessageKey } from '../../i18n';
import { useTranslator } from '../../i18n';

/** How long the input rests before it is searched, in milliseconds. */
const pause = 300;

interface SearchFormProps {
  readonly value: string;
  readonly change: (value: string) => void;
  /** What is wrong in the query and where. */
  readonly problem: string | undefined;
}

/** The search field: it searches while one types, and the key / puts the cursor into it. */
export function SearchForm({ value, change, problem }: SearchFormProps) {
  const { t } = useTranslator();
  const [text, setText] = useSearchText(value, change);
  const input = useRef<HTMLInputElement>(null);
  useSlash(input);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change(text.trim());
  };
  return (
    <form role="search" onSubmit={submit} style={{ flex: '1 1 16rem' }}>
      <TextInput
        ref={input}
        aria-label={t('documents.search')}
        aria-keyshortcuts="/"
        placeholder={t('documents.search')}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        maxLength={500}
        error={problem}
        rightSectionWidth={value ? 60 : undefined}
        rightSection={
          <Group gap={0} wrap="nowrap">
            {value && (
              <CloseButton
                size="sm"
                aria-label={t('documents.clear')}
                onClick={() => {
                  setText('');
                  change('');
                }}
              />
            )}
            <SearchHelp />
          </Group>
        }
      />
    </form>
  );
}

/**
 * Holds the text of the field and passes it on after it rests. A value from elsewhere, such as a
 * link or the browser's history, replaces the text.
 */
function useSearchText(value: string, change: (value: string) => void) {
  const [text, setText] = useState(value);
  const [sent, setSent] = useState(value);
  if (value !== sent) {
    setSent(value);
    if (value !== text.trim()) {
      setText(value);
    }
  }
  useEffect(() => {
    if (text.trim() === value) {
      return;
    }
    const timer = setTimeout(() => change(text.trim()), pause);
    return () => clearTimeout(timer);
    // change is another function after every render
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [text, value]);
  return [text, setText] as const;
}

/** Puts the cursor into the field at the key /, unless somebody is writing elsewhere. */
function useSlash(input: React.RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const { target } = event;
      const isWriting =
        target instanceof HTMLElement &&
        (target.isContentEditable || target.closest('input, textarea, select, [role="dialog"]'));
      if (event.key === '/' && !isWriting && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        input.current?.focus();
        input.current?.select();
      }
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, [input]);
}

/** Examples of the language with their meanings. */
const examples: readonly (readonly [string, MessageKey])[] = [
  ['debt cut', 'search.words'],
  ['"interest rates"', 'search.phrase'],
  ['mer*', 'search.prefix'],
  ['-rumour', 'search.without'],
  ['strike OR walkout', 'search.or'],
  ['title:budget', 'search.title'],
  ['company:Acme executive:"Ann Lee" speaker:Lee', 'search.names'],
  ['tag:energy type:speech lang:de', 'search.kinds'],
  ['is:hidden', 'search.is'],
  ['after:2026-10-01 before:2027', 'search.days'],
];

function SearchHelp() {
  const { t } = useTranslator();
  return (
    <Popover position="bottom-end" width={380} withArrow shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={t('search.help')}>
          <IconHelp size={16} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap={6} tabIndex={-1} data-autofocus>
          {examples.map(([example, meaning]) => (
            <div key={example}>
              <Code>{example}</Code>
              <Text size="sm" c="dimmed">
                {t(meaning)}
              </Text>
            </div>
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
