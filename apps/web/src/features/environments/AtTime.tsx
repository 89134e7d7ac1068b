import { useState } from 'react';
import { to } from '../../app/paths';
import { timeOf } from '../../parts/moment';
import { Button, useGo } from '../../ui';
import { MomentInput } from '../../ui/Fields';
import { useZone } from '../../ui/zone';
import css from './AtTime.module.css';

/** A link to the snapshot of a moment. */
export function AtTime({ env }: { readonly env: string }) {
  const go = useGo();
  const zone = useZone();
  const [text, setText] = useState('');
  const time = timeOf(text, zone);
  return (
    <form
      className={css.at}
      onSubmit={(event) => {
        event.preventDefault();
        if (!Number.isNaN(time)) void go(to.snapshotAt(env, time / 1000));
      }}
    >
      <MomentInput label={`What ran at (${zone === 'utc' ? 'UTC' : 'local time'})`} value={text} onChange={setText} />
      <Button type="submit">Show</Button>
    </form>
  );
}
