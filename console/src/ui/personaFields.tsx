import { Switch, TextInput, Textarea } from '@mantine/core';
import type { CombinedError } from '@urql/core';
import { useTranslator } from '../i18n';
import { fieldProblem } from '../problemText';
import { differing } from './editForm';

/** The fields of a persona that are texts, in the order of the form. */
export const textFields = [
  'name',
  'category',
  'description',
  'interests',
  'concerns',
  'communicationStyle',
  'tone',
  'instructions',
] as const;

const shortFields: readonly string[] = ['name', 'category', 'tone'];

/** How a persona is used. */
export const usageFields = ['isActive', 'includeInAudience', 'includeInVoiceList'] as const;

/** What a person sets of a persona. */
export type PersonaValue = Readonly<
  Record<(typeof textFields)[number], string> & Record<(typeof usageFields)[number], boolean>
>;

export const newPersona: PersonaValue = {
  name: '',
  category: '',
  description: '',
  interests: '',
  concerns: '',
  communicationStyle: '',
  tone: '',
  instructions: '',
  isActive: true,
  includeInAudience: true,
  includeInVoiceList: false,
};

interface FieldsProps {
  readonly value: PersonaValue;
  readonly change: (change: Partial<PersonaValue>) => void;
  readonly error: CombinedError | undefined;
}

/** The fields of a persona, each with the reason why the gateway refused it. */
export function PersonaFields({ value, change, error }: FieldsProps) {
  const { t } = useTranslator();
  return (
    <>
      {textFields.map((field) => {
        const props = {
          label: t(`persona.${field}`),
          required: field === 'name',
          value: value[field],
          error: fieldProblem(error, field),
          dir: 'auto',
          onChange: (event: { currentTarget: { value: string } }) =>
            change({ [field]: event.currentTarget.value }),
        };
        return shortFields.includes(field) ? (
          <TextInput key={field} {...props} />
        ) : (
          <Textarea key={field} {...props} autosize minRows={2} maxRows={10} />
        );
      })}
      {usageFields.map((field) => (
        <Switch
          key={field}
          label={t(`persona.${field}`)}
          checked={value[field]}
          onChange={(event) => change({ [field]: event.currentTarget.checked })}
        />
      ))}
    </>
  );
}

const names = [...textFields, ...usageFields] as const;

/** Returns the fields that differ from a base. */
export function changedFields(value: PersonaValue, base: PersonaValue): Partial<PersonaValue> {
  return Object.fromEntries(differing(value, base, [...names]).map((name) => [name, value[name]]));
}

/** Reports whether two values are the same for a person. */
export const isSamePersona = (a: PersonaValue, b: PersonaValue) =>
  Object.keys(changedFields(a, b)).length === 0;
