import type { FormFieldType, LinkPageFragment } from '../../graph/link/graphql';
import type { FormState } from '../../ui/useFormState';

/** A question of the form while it is edited. */
export interface Question {
  readonly row: string;
  readonly name: string;
  readonly label: string;
  readonly type: FormFieldType;
  readonly required: boolean;
}

/** The fields of a page. Each has its own state, because two people may change different fields. */
export interface PageFields {
  readonly title: FormState<string>;
  readonly body: FormState<string>;
  readonly questions: FormState<readonly Question[]>;
  readonly thanks: FormState<string>;
}

type PageValues = { readonly [Name in keyof PageFields]: PageFields[Name]['value'] };

/** Returns the questions of a stored page. */
export function questionsOf({ form }: Pick<LinkPageFragment, 'form'>): readonly Question[] {
  return (form?.fields ?? []).map((field) => ({ ...field, row: field.name }));
}

/** Returns what viewers read after they have sent the form; empty for the usual words. */
export function thanksOf({ form }: Pick<LinkPageFragment, 'form'>): string {
  return form?.thanks ?? '';
}

/** Returns the form as updateLink takes it; null without questions. */
export function formInput(questions: readonly Question[], thanks: string) {
  const fields = questions.map(({ name, label, type, required }) => ({
    name,
    label,
    type,
    required,
  }));
  return fields.length > 0 ? { fields, thanks } : null;
}

/** Reports whether two lists of questions are stored as the same form. */
export function isSameForm(a: readonly Question[], b: readonly Question[]): boolean {
  return JSON.stringify(formInput(a, '')) === JSON.stringify(formInput(b, ''));
}

function storedValues(link: LinkPageFragment): PageValues {
  return {
    title: link.title,
    body: link.body ?? '',
    questions: questionsOf(link),
    thanks: thanksOf(link),
  };
}

/**
 * Returns the changed fields as updateLink takes them. Of a form of which one part was changed, the
 * other part is the stored one.
 */
export function changedInput(
  { title, body, questions, thanks }: PageFields,
  stored: Pick<LinkPageFragment, 'form'>,
) {
  return {
    ...(title.isChanged && { title: title.value }),
    ...(body.isChanged && { body: body.value }),
    ...((questions.isChanged || thanks.isChanged) && {
      form: formInput(
        questions.isChanged ? questions.value : questionsOf(stored),
        thanks.isChanged ? thanks.value : thanksOf(stored),
      ),
    }),
  };
}

/**
 * Returns the changed fields with a conflict: their stored value is neither the expected one, by
 * default their base, nor the present one.
 */
export function conflictingFields(
  { title, body, questions, thanks }: PageFields,
  stored: LinkPageFragment,
  expected?: LinkPageFragment,
): (keyof PageFields)[] {
  const values = storedValues(stored);
  const wanted = expected
    ? storedValues(expected)
    : {
        title: title.base.value,
        body: body.base.value,
        questions: questions.base.value,
        thanks: thanks.base.value,
      };
  const isForm = (form: readonly Question[]) => isSameForm(values.questions, form);
  return [
    ...(title.isChanged && values.title !== wanted.title && values.title !== title.value
      ? (['title'] as const)
      : []),
    ...(body.isChanged && values.body !== wanted.body && values.body !== body.value
      ? (['body'] as const)
      : []),
    ...(questions.isChanged && !isForm(wanted.questions) && !isForm(questions.value)
      ? (['questions'] as const)
      : []),
    ...(thanks.isChanged && values.thanks !== wanted.thanks && values.thanks !== thanks.value
      ? (['thanks'] as const)
      : []),
  ];
}

/** Replaces the value of a field by the stored one. */
export function resetField(
  { title, body, questions, thanks }: PageFields,
  name: keyof PageFields,
  link: LinkPageFragment,
): void {
  const { updatedAt } = link;
  const values = storedValues(link);
  ({
    title: () => title.setBase({ value: values.title, updatedAt }),
    body: () => body.setBase({ value: values.body, updatedAt }),
    questions: () => questions.setBase({ value: values.questions, updatedAt }),
    thanks: () => thanks.setBase({ value: values.thanks, updatedAt }),
  })[name]();
}

/** Makes the saved link the base of all fields. Changes made since sending stay. */
export function keepSaved(
  { title, body, questions, thanks }: PageFields,
  sent: PageValues,
  link: LinkPageFragment,
): void {
  const { updatedAt } = link;
  const values = storedValues(link);
  title.setBase({ value: values.title, updatedAt }, (present) =>
    present === sent.title ? values.title : present,
  );
  body.setBase({ value: values.body, updatedAt }, (present) =>
    present === sent.body ? values.body : present,
  );
  questions.setBase({ value: values.questions, updatedAt }, (present) =>
    isSameForm(present, sent.questions) ? withRows(values.questions, present) : present,
  );
  thanks.setBase({ value: values.thanks, updatedAt }, (present) =>
    present === sent.thanks ? values.thanks : present,
  );
}

/** Returns the questions with the rows of the sent ones, so that their inputs keep the focus. */
function withRows(questions: readonly Question[], sent: readonly Question[]): readonly Question[] {
  return questions.map((question, i) => ({ ...question, row: sent[i]?.row ?? question.row }));
}

/** Returns a name that no question has. */
export function freeName(questions: readonly Question[]): string {
  const names = new Set(questions.map(({ name }) => name.toLowerCase()));
  let number = questions.length + 1;
  while (names.has(`field_${number}`)) {
    number++;
  }
  return `field_${number}`;
}
