import { input } from '@assurance/kernel';
import { Convert, FreeForm } from '../../environments/bodies/instance';
import { body, closed, type Rule } from '../../http/bodies/body';
import { isPlain } from '../../http/bodies/plain';
import {
  all,
  Anything,
  CutText,
  Doc,
  eachOf,
  FiniteNumber,
  Flag,
  FreeObject,
  Nested,
  NestedList,
  Optional,
  Parts,
  LenientTime,
  Text,
  WholeNumber,
  zeroIfImplausible,
} from '../../http/bodies/rules';
import type { FieldErrors } from '../../http/params';

const TEXT_MAX = 65_536;

/** One suite of a JUnit report. */
export const JunitResultInput = closed('JunitResultInput', {
  name: Optional(Text({ max: TEXT_MAX })),
  failures: WholeNumber(0),
  errors: WholeNumber(0),
  skipped: Optional(WholeNumber(0)),
  total: Optional(WholeNumber(0)),
  duration: [Doc('Seconds.', 1.5), Optional(FiniteNumber())],
  timestamp: [Doc('Epoch seconds.', 1_700_000_000), Optional(LenientTime())],
});

/** An issue that a commit or a branch refers to. */
export const JiraResultInput = closed('JiraResultInput', {
  issue_id: Optional(Text({ max: TEXT_MAX })),
  issue_url: Optional(Text({ max: TEXT_MAX })),
  issue_exists: Flag(),
  issue_fields: [Doc('The issue’s status in the tracker.'), Optional(FreeObject())],
});

/** The result of a scan of one target: counts, and the vulnerabilities as the scanner reports them. */
const SnykResultInput = body('SnykResultInput', {
  critical_count: Optional(WholeNumber(0)),
  high_count: WholeNumber(0),
  medium_count: WholeNumber(0),
  low_count: WholeNumber(0),
  critical: Optional(Objects()),
  high: Optional(Objects()),
  medium: Optional(Objects()),
  low: Optional(Objects()),
});

export const SnykResultsInput = body('SnykResultsInput', {
  schema_version: Optional(WholeNumber(0)),
  tool: [
    Doc('Name and version of the scanner.', { name: 'Snyk Open Source', version: '1.1290.0' }),
    Optional(FreeObject()),
  ],
  results: NestedList(() => SnykResultInput),
});

const SonarGateInput = body('SonarGateInput', {
  name: Optional(Text({ max: TEXT_MAX })),
  status: [Doc('Compliant if this is `OK`.', 'OK'), Text({ max: 100 })],
  conditions: Optional(Objects()),
});

export const SonarResultsInput = body('SonarResultsInput', {
  serverUrl: Optional(Text({ max: TEXT_MAX })),
  taskId: Optional(Text({ max: TEXT_MAX })),
  status: Optional(Text({ max: TEXT_MAX })),
  analysedAt: Optional(Text({ max: TEXT_MAX })),
  revision: Optional(Text({ max: TEXT_MAX })),
  changedAt: Optional(Text({ max: TEXT_MAX })),
  project: Optional(FreeObject()),
  branch: Optional(FreeObject()),
  pullRequest: [Doc('Number of the analysed pull request.'), Anything()],
  qualityGate: Optional(Nested(() => SonarGateInput)),
});

/** A person who approved a pull request, if the client sends more than the name. */
const APPROVER = {
  type: 'object',
  properties: {
    username: { type: 'string' },
    state: { type: ['string', 'null'] },
    timestamp: { type: ['number', 'null'] },
  },
  additionalProperties: false,
};

function approverErrors(value: unknown): FieldErrors {
  const wrongItems = listErrors(value, (item) => typeof item === 'string' || isPlain(item), 'a text or an object');
  if (Object.keys(wrongItems).length > 0 || !Array.isArray(value)) return wrongItems;
  return Object.fromEntries(
    value.flatMap((item: unknown, i) =>
      isPlain(item) ? Object.entries(approverProblems(item)).map(([name, problem]) => [`${i}.${name}`, problem]) : [],
    ),
  );
}

function approverProblems(approver: Readonly<Record<string, unknown>>): FieldErrors {
  const problems: [string, string][] = [];
  for (const [name, value] of Object.entries(approver)) {
    const types = APPROVER.properties[name as keyof typeof APPROVER.properties]?.type;
    if (types === undefined) problems.push([name, `Unknown property ${input(value)}`]);
    else if (!types.includes(value === null ? 'null' : typeof value)) {
      problems.push([name, wrong(value, name === 'timestamp' ? 'a number' : 'a text')]);
    }
  }
  return Object.fromEntries(problems);
}

export const PullRequestInput = closed('PullRequestInput', {
  merge_commit: Optional(Text({ max: TEXT_MAX })),
  url: Text({ max: TEXT_MAX }),
  state: Optional(Text({ max: TEXT_MAX })),
  approvers: [
    Doc('Names, or objects with a `username`.', ['ada']),
    Optional(all(FreeForm, Parts(approverErrors, { type: 'array', items: { anyOf: [{ type: 'string' }, APPROVER] } }))),
  ],
  author: Optional(Text({ max: TEXT_MAX })),
  created_at: Optional(LenientTime()),
  merged_at: Optional(LenientTime()),
  title: Optional(CutText(TEXT_MAX)),
  head_ref: Optional(Text({ max: TEXT_MAX })),
  base_ref: Optional(Text({ max: TEXT_MAX })),
  commits: Optional(all(Objects(), Convert(withPlausibleTimes))),
});

/** The commits of a pull request. Unknown times become 0. */
function withPlausibleTimes(commits: unknown): unknown {
  return (commits as readonly Readonly<Record<string, unknown>>[]).map((commit) => {
    const timestamp = zeroIfImplausible(commit['timestamp']);
    return timestamp === commit['timestamp'] ? commit : { ...commit, timestamp };
  });
}

/** A list of objects with any content. */
function Objects(): Rule<readonly Readonly<Record<string, unknown>>[]> {
  return all(
    FreeForm,
    Parts((value) => listErrors(value, isPlain, 'an object'), { type: 'array', items: { type: 'object' } }),
  );
}

function listErrors(value: unknown, holds: (item: unknown) => boolean, what: string): FieldErrors {
  if (!Array.isArray(value)) return { '': wrong(value, 'a list') };
  return eachOf(value, (item) => (holds(item) ? null : wrong(item, what)));
}

function wrong(value: unknown, what: string): string {
  return value === undefined ? 'Field required' : `Input should be ${what} ${input(value)}`;
}
