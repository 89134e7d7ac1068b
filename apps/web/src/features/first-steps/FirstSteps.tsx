import { useState } from 'react';
import { api, BASE } from '../../api/client';
import { useOrg, useSession } from '../../api/session';
import { inDays } from '../../api/window';
import { Button, CodeLines, Failure, Panel, Verdict } from '../../ui';
import { Tabs } from '../../ui/Tabs';
import { Demo } from '../demo/Demo';
import type { Progress } from './progress';
import { WAYS } from './ways';

const STEPS: readonly (readonly [keyof Progress, string])[] = [
  ['environment', 'Name a place where software runs'],
  ['artifact', 'Report what a pipeline built, and from what'],
  ['running', 'Report what runs'],
];
/** How long a key from this page is valid (days). */
const DAYS = 90;
const NO_KEY = 'your-api-key';

interface Props {
  readonly progress: Progress;
  /** The heading. */
  readonly title?: string;
}

/** The first steps of an organization. It shows which are done and, for each way to do them, commands with the address and a key. */
export function FirstSteps({ progress, title: heading = 'First steps' }: Props) {
  const org = useOrg();
  const [key, setKey] = useState(NO_KEY);
  const target = { api: `${location.origin}${BASE}api/v2`, org, key };
  const finishedCount = STEPS.filter(([step]) => progress[step]).length;
  return (
    <Panel
      title={heading}
      note={`${finishedCount} of ${STEPS.length} done`}
      actions={<MakeKey isMade={key !== NO_KEY} onMade={setKey} />}
    >
      <div className="stack">
        <p style={{ margin: 0 }}>After them, the pages show what runs, since when, and from which commit.</p>
        <ol style={{ margin: 0, paddingInlineStart: '1.25rem' }}>
          {STEPS.map(([step, title]) => (
            <li key={step}>
              <span className="line">
                {title}
                {progress[step] && <Verdict value={true}>Done</Verdict>}
              </span>
            </li>
          ))}
        </ol>
        <Tabs
          label="Ways to do them"
          tabs={WAYS.map(({ id, title, lines }) => ({
            id,
            title,
            content: (
              <div className="stack">
                {lines(target).map((candidate) => (
                  <div key={candidate.title}>
                    <p style={{ margin: '0 0 0.25rem' }}>{candidate.title}</p>
                    <CodeLines label={`Lines: ${candidate.title}`} text={candidate.text} />
                  </div>
                ))}
              </div>
            ),
          }))}
        />
        <Demo />
      </div>
    </Panel>
  );
}

interface KeyProps {
  readonly isMade: boolean;
  readonly onMade: (key: string) => void;
}

/** Creates a key and inserts it into the commands. The key is shown nowhere else. */
function MakeKey({ isMade, onMade }: KeyProps) {
  const { principal } = useSession();
  const [fault, setFault] = useState<unknown>(null);
  if (principal.kind === 'service-account') return null;
  const make = async () => {
    try {
      const { data } = await api.POST('/user/api-keys', {
        body: { description: 'First steps', expires_at: inDays(DAYS) },
      });
      if (data !== undefined) onMade(data.key);
      setFault(null);
    } catch (error) {
      setFault(error);
    }
  };
  return (
    <>
      <span className="small quiet" role="status">
        {isMade && `The lines below have a key of yours, valid for ${DAYS} days. It is shown only now.`}
      </span>
      {!isMade && (
        <Button icon="plus" onPress={() => void make()}>
          Create a key for these lines
        </Button>
      )}
      {fault !== null && <Failure fault={fault} />}
    </>
  );
}
