import { useState, type FormEvent } from 'react';
import { useSearchParams } from 'react-router';
import { useEnvironmentNames } from '../../api/environments';
import { Button, Page, Panel } from '../../ui';
import { DateInput, FieldRow, MomentInput, Select, TextInput } from '../../ui/Fields';
import { useZone } from '../../ui/zone';
import { Matches } from './Matches';
import { addressOf, queryOf, questionOf, TIMES } from './question';

/** The page that shows where a component runs and ran. */
export function ComponentsPage() {
  const [address] = useSearchParams();
  const zone = useZone();
  const query = queryOf(questionOf(address, zone), zone);
  const filters = new URLSearchParams(address);
  filters.delete('page');
  return (
    <Page
      title="Components"
      lead="Which environments run a component, and ran it, as the SBOMs of their artifacts say."
    >
      <Filters key={`${filters} ${zone}`} />
      {query === null ? <Help /> : <Matches query={query} />}
    </Page>
  );
}

const Help = () => (
  <Panel title="What can be asked">
    <ul className="roomy">
      <li>
        A package URL, such as <code>pkg:maven/org.apache.logging.log4j/log4j-core</code>, or a name, such as{' '}
        <code>log4j-core</code>.
      </li>
      <li>
        One version, such as <code>2.14.1</code>, or a range, such as <code>&gt;=2,&lt;2.17</code>. Versions are
        compared by the rules of their ecosystem.
      </li>
      <li>One environment, a time, or the time between two dates. Without a time, the answer has all that ever ran.</li>
    </ul>
  </Panel>
);

/** The fields of a question. The address changes when the form is submitted. */
function Filters() {
  const [address, setAddress] = useSearchParams();
  const zone = useZone();
  const names = useEnvironmentNames();
  const [question, setQuestion] = useState(questionOf(address, zone));
  const { component, version, env, time, at, from, to } = question;
  const set = (name: keyof typeof question) => (value: string) =>
    setQuestion((before) => ({ ...before, [name]: value }));
  const find = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAddress(addressOf(question, zone));
  };
  return (
    <form role="search" aria-label="Components" onSubmit={find}>
      <FieldRow>
        <TextInput
          name="component"
          label="Package URL or name"
          required
          value={component}
          onChange={set('component')}
          autoComplete="off"
        />
        <TextInput
          name="version"
          label="Version or range"
          value={version}
          onChange={set('version')}
          autoComplete="off"
        />
        <Select
          label="Environment"
          value={env}
          onChange={set('env')}
          options={[['', 'All environments'], ...names.map((name) => [name, name] as const)]}
        />
        <Select label="Time" value={time} onChange={set('time')} options={TIMES} />
        {time === 'at' && (
          <MomentInput label={`Ran at (${zone === 'utc' ? 'UTC' : 'local time'})`} value={at} onChange={set('at')} />
        )}
        {time === 'period' && (
          <>
            <DateInput label="From" value={from} onChange={set('from')} />
            <DateInput label="To" value={to} onChange={set('to')} />
          </>
        )}
        <Button type="submit" look="main">
          Find
        </Button>
      </FieldRow>
    </form>
  );
}
