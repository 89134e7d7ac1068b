import { useId, useState, type FormEvent } from 'react';
import { useSearchParams } from 'react-router';
import { useEnvironmentNames } from '../../api/environments';
import { Button } from '../../ui';
import { FieldRow, MomentInput, SuggestedInput } from '../../ui/Fields';
import { useZone } from '../../ui/zone';
import { expressionOf, sideOf } from './compared-sides';

interface Props {
  /** The two compared sides, as in the address. */
  readonly a: string;
  readonly b: string;
}

/** The choice of two environments to compare, each now or at a time. */
export function Choosers({ a, b }: Props) {
  const zone = useZone();
  const [, setSearch] = useSearchParams();
  const [sides, setSides] = useState([sideOf(a, zone), sideOf(b, zone)]);
  const id = useId();
  const names = useEnvironmentNames();
  const compare = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const [first = '', second = ''] = sides.map((side) => expressionOf(side, zone));
    setSearch((before) => {
      const tab = before.get('tab');
      return { a: first, b: second, ...(tab === null ? {} : { tab }) };
    });
  };
  return (
    <form onSubmit={compare}>
      <datalist id={id}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <FieldRow>
        {sides.map((side, i) => {
          const set = (change: Partial<typeof side>) =>
            setSides((before) => before.map((candidate, j) => (i === j ? { ...candidate, ...change } : candidate)));
          const label = i === 0 ? 'From' : 'To';
          return (
            <SuggestedInput key={label} label={label} list={id} value={side.name} onChange={(name) => set({ name })}>
              <MomentInput label={`${label}, at a time`} value={side.time} onChange={(time) => set({ time })} />
            </SuggestedInput>
          );
        })}
        <Button type="submit" look="main">
          Compare
        </Button>
      </FieldRow>
    </form>
  );
}
