import { type ReactNode, useEffect, useState } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import { TextField as AriaTextField } from 'react-aria-components/TextField';
import css from './Fields.module.css';

interface SearchProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A text field for a filter in the address. It keeps its own text, because the address changes only when the list has loaded. */
export function SearchInput({ label, value, onChange }: SearchProps) {
  const [text, setText] = useState<string | null>(null);
  // Back and Forward change the address without the field, also while the list of an earlier text is still on its way.
  useEffect(() => {
    const follow = () => setText(null);
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);
  const change = (value: string) => {
    setText(value);
    onChange(value);
  };
  return (
    <AriaTextField className={css.field ?? ''} type="search" value={text ?? value} onChange={change}>
      <Label className={css.label ?? ''}>{label}</Label>
      <Input className={css.input ?? ''} />
    </AriaTextField>
  );
}

/** A date in a filter, such as `2026-11-02`; empty if unset. */
export const DateInput = ({ label, value, onChange }: SearchProps) => (
  <label className={css.field}>
    <span className={css.label}>{label}</span>
    <input className={css.input} type="date" value={value} onChange={(event) => onChange(event.target.value)} />
  </label>
);

/** A date and time, such as `2026-11-02T14:05`; empty until it is complete. Only screen readers read the label. */
export const MomentInput = ({ label, value, onChange }: SearchProps) => (
  <input
    className={css.input}
    type="datetime-local"
    aria-label={label}
    title={label}
    value={value}
    onChange={(event) => onChange(event.target.value)}
  />
);

/** The same with a visible label, for a form that can leave it empty. The zone is that of the time. */
export const OptionalMoment = ({ label, zone, ...rest }: SearchProps & { readonly zone: string }) => (
  <label className={css.field}>
    <span className={css.label}>
      {label}
      <span className={css.optional}> (optional, {zone})</span>
    </span>
    <MomentInput label={`${label} (optional, ${zone})`} {...rest} />
  </label>
);

interface SuggestedProps extends SearchProps {
  /** The id of the list of suggestions. */
  readonly list: string;
  /** Content below the field. */
  readonly children?: ReactNode;
}

/** A required text with suggestions. */
export const SuggestedInput = ({ label, value, onChange, list, children }: SuggestedProps) => (
  <div className={css.field}>
    <label className={css.field}>
      <span className={css.label}>{label}</span>
      <input
        className={css.input}
        list={list}
        required
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
    {children}
  </div>
);

interface FileProps {
  readonly name: string;
  readonly label: string;
  /** File extensions or media types. */
  readonly accept: string;
}

/** A required file. */
export const FileInput = ({ name, label, accept }: FileProps) => (
  <label className={css.field}>
    <span className={css.label}>{label}</span>
    <input className={css.input} type="file" name={name} accept={accept} required />
  </label>
);

interface TextProps {
  readonly name: string;
  readonly label: string;
  readonly help?: string;
  readonly value?: string;
  readonly required?: boolean;
  readonly type?: 'text' | 'password' | 'email' | 'url' | 'search' | 'number';
  readonly lines?: number;
  readonly autoComplete?: string;
  readonly onChange?: (value: string) => void;
  /** What is wrong with the text, in the place of an error of the API. */
  readonly problem?: string | undefined;
}

/** A text field with one or several lines. An error of the API with the field's name is shown below it. */
export function TextInput({
  name,
  label,
  help,
  value,
  required = false,
  type = 'text',
  lines = 1,
  problem,
  ...rest
}: TextProps) {
  return (
    <AriaTextField
      className={css.field ?? ''}
      name={name}
      type={type}
      isRequired={required}
      defaultValue={value}
      {...(problem === undefined ? {} : { isInvalid: true })}
      {...rest}
    >
      <Label className={css.label ?? ''}>
        {label}
        {!required && type !== 'search' && <span className={css.optional}> (optional)</span>}
      </Label>
      {lines > 1 ? <TextArea rows={lines} className={css.input ?? ''} /> : <Input className={css.input ?? ''} />}
      {help !== undefined && (
        <Text slot="description" className={css.help ?? ''}>
          {help}
        </Text>
      )}
      <FieldError className={css.error ?? ''}>{problem}</FieldError>
    </AriaTextField>
  );
}

interface SelectProps {
  readonly name?: string;
  readonly label: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly value?: string;
  readonly onChange?: (value: string) => void;
  /** Whether only screen readers read the label. */
  readonly hidesLabel?: boolean;
}

/** A choice of one option, as the browser's own list. Every device has a good one. */
export const Select = ({ name, label, options, value, onChange, hidesLabel = false }: SelectProps) => (
  <label className={css.field}>
    <span className={hidesLabel ? 'hidden' : css.label}>{label}</span>
    <select
      className={css.input}
      name={name}
      {...(onChange ? { value, onChange: (event) => onChange(event.target.value) } : { defaultValue: value })}
    >
      {options.map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </select>
  </label>
);

interface ChecksProps {
  readonly name: string;
  readonly label: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly selected?: readonly string[];
  readonly help?: string;
}

/** A choice of any number of options. */
export const Checks = ({ name, label, options, selected = [], help }: ChecksProps) => (
  <fieldset className={css.checks}>
    <legend className={css.label}>{label}</legend>
    {options.map(([value, text]) => (
      <label key={value} className={css.check}>
        <input type="checkbox" name={name} value={value} defaultChecked={selected.includes(value)} />
        <bdi>{text}</bdi>
      </label>
    ))}
    {help !== undefined && <p className={css.help}>{help}</p>}
  </fieldset>
);

/** Fields in a row above a list, such as its filters. */
export const FieldRow = ({ children }: { readonly children: ReactNode }) => <div className={css.row}>{children}</div>;
