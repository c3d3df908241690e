import { Group, Popover, Stack, TextInput } from '@mantine/core';
import { IconBookmark } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { type DocumentFilter, SaveSearchDocument } from '../../graph/documents/graphql';
import { useTranslator } from '../../i18n';
import { fieldProblem } from '../../problemText';
import { GuardedButton } from '../../ui/guardedButton';
import { useNotice } from '../../ui/notice';
import { RefusalAlert } from '../../ui/refusalAlert';

interface SaveProps {
  readonly filter: DocumentFilter;
  readonly mayWrite: boolean | undefined;
}

/** A button that saves the search of the list under a name. */
export function SaveSearch({ filter, mayWrite }: SaveProps) {
  const { t } = useTranslator();
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      width={300}
      withArrow
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <GuardedButton
          allowed={mayWrite}
          size="xs"
          variant="light"
          leftSection={<IconBookmark size={14} aria-hidden />}
          onClick={() => setOpen(!isOpen)}
        >
          {t('search.save')}
        </GuardedButton>
      </Popover.Target>
      <Popover.Dropdown>
        <SaveForm filter={filter} close={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

function SaveForm({ filter, close }: { filter: DocumentFilter; close: () => void }) {
  const { t } = useTranslator();
  const notify = useNotice();
  const [name, setName] = useState(filter.q ?? '');
  const [{ fetching, error }, save] = useMutation(SaveSearchDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await save({ input: { name, filter } });
    if (data?.createSavedSearch) {
      notify(t('search.isSaved'));
      close();
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="xs">
        <TextInput
          data-autofocus
          label={t('search.savedName')}
          value={name}
          maxLength={200}
          onChange={(event) => setName(event.currentTarget.value)}
          error={fieldProblem(error, 'name')}
        />
        <Group>
          <GuardedButton allowed type="submit" size="xs" loading={fetching}>
            {t('action.save')}
          </GuardedButton>
        </Group>
        <RefusalAlert error={error} fields={['name']} />
      </Stack>
    </form>
  );
}
