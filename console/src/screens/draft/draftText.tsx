import { Group, SegmentedControl, Skeleton, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslator } from '../../i18n';
import { useFrame } from '../../liveUpdates';
import { loadLater } from '../../ui/loadLater';
import { type EditorProps, MarkedEditor } from './markedEditor';

const RichEditor = loadLater<EditorProps>(() => import('./rich'), {
  waiting: () => <Skeleton h={360} aria-busy />,
});

/** The longest text of the formatted editor, in UTF-16 units. */
const longestText = 120_000;

const modes = ['rich', 'source'] as const;
type Mode = (typeof modes)[number];

/** Returns how a person edits texts, which the browser remembers for each person. */
function useMode(): readonly [Mode, (mode: Mode) => void] {
  const user = useFrame()?.viewer?.user?.id ?? '';
  const item = `rostrum.editor ${user}`;
  const [chosen, setChosen] = useState<Mode | null>(null);
  const mode = chosen ?? (localStorage.getItem(item) === 'source' ? 'source' : 'rich');
  return [
    mode,
    (next) => {
      localStorage.setItem(item, next);
      setChosen(next);
    },
  ];
}

interface DraftTextProps extends EditorProps {
  readonly contentType: string;
}

/** The editor of a draft's text: formatted, or its Markdown. Other formats have a text area. */
export function DraftText({ contentType, ...props }: DraftTextProps) {
  const { t } = useTranslator();
  const [mode, setMode] = useMode();
  if (contentType !== 'markdown') {
    return <MarkedEditor {...props} />;
  }
  const isTooLong = props.value.length > longestText;
  return (
    <div>
      <Group gap="xs" justify="flex-end" mb={4}>
        {isTooLong ? (
          <Text size="xs" c="dimmed">
            {t('editor.tooLong')}
          </Text>
        ) : (
          <SegmentedControl
            size="xs"
            aria-label={t('editor.mode')}
            data={modes.map((value) => ({ value, label: t(`editor.${value}`) }))}
            value={mode}
            onChange={(value) => setMode(value)}
          />
        )}
      </Group>
      {mode === 'rich' && !isTooLong ? <RichEditor {...props} /> : <MarkedEditor {...props} />}
    </div>
  );
}
