import { input } from '@assurance/kernel';
import { asSent, body, withCheck, closed, withConversion, optional } from '../../http/bodies/body';
import { isPlain } from '../../http/bodies/plain';
import { anyJson, cutText, freeObject, lenientTime, zeroIfImplausible } from '../../http/bodies/words';
import { either, flag, integer, list, number, type Problems, type Shape, text } from '../../http/shape';

type JsonObject = Readonly<Record<string, unknown>>;

const TEXT_MAX = 65_536;
const shortText = text(undefined, { max: TEXT_MAX });
const count = integer(undefined, { min: 0 });
const someObject: Shape<JsonObject> = { schema: { type: 'object' } };
/** A list of objects with any content. */
const objects = asSent(list(someObject));

/** One suite of a JUnit report. */
export const JunitResultInput = closed('JunitResultInput', {
  name: optional(shortText),
  failures: count,
  errors: count,
  skipped: optional(count),
  total: optional(count),
  duration: optional(number('Seconds.', { example: 1.5 })),
  timestamp: optional(lenientTime('Epoch seconds.', { example: 1_700_000_000 })),
});

/** An issue that a commit or a branch refers to. */
export const JiraResultInput = closed('JiraResultInput', {
  issue_id: optional(shortText),
  issue_url: optional(shortText),
  issue_exists: flag(),
  issue_fields: optional(freeObject('The issue’s status in the tracker.')),
});

/** The result of a scan of one target: counts, and the vulnerabilities as the scanner reports them. */
const SnykResultInput = body('SnykResultInput', {
  critical_count: optional(count),
  high_count: count,
  medium_count: count,
  low_count: count,
  critical: optional(objects),
  high: optional(objects),
  medium: optional(objects),
  low: optional(objects),
});

export const SnykResultsInput = body('SnykResultsInput', {
  schema_version: optional(count),
  tool: optional(
    freeObject('Name and version of the scanner.', { example: { name: 'Snyk Open Source', version: '1.1290.0' } }),
  ),
  results: list(SnykResultInput),
});

const SonarGateInput = body('SonarGateInput', {
  name: optional(shortText),
  status: text('Compliant if this is `OK`.', { max: 100, example: 'OK' }),
  conditions: optional(objects),
});

export const SonarResultsInput = body('SonarResultsInput', {
  serverUrl: optional(shortText),
  taskId: optional(shortText),
  status: optional(shortText),
  analysedAt: optional(shortText),
  revision: optional(shortText),
  changedAt: optional(shortText),
  project: optional(freeObject()),
  branch: optional(freeObject()),
  pullRequest: anyJson('Number of the analysed pull request.'),
  qualityGate: optional(SonarGateInput),
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

const approver = withCheck(either(text(), { schema: APPROVER } as Shape<JsonObject>), (value: unknown): Problems => {
  if (typeof value === 'string') return null;
  if (!isPlain(value)) return `Input should be a text or an object ${input(value)}`;
  const problems = Object.entries(value).map(([name, part]) => [name, problemOfApprover(name, part)] as const);
  return Object.fromEntries(problems.flatMap(([name, problem]) => (problem === null ? [] : [[name, problem]])));
});

function problemOfApprover(name: string, value: unknown): string | null {
  const types = Object.entries(APPROVER.properties).find(([key]) => key === name)?.[1].type;
  if (types === undefined) return `Unknown property ${input(value)}`;
  if (types.includes(value === null ? 'null' : typeof value)) return null;
  return `Input should be ${types.includes('number') ? 'a number' : 'a text'} ${input(value)}`;
}

export const PullRequestInput = closed('PullRequestInput', {
  merge_commit: optional(shortText),
  url: shortText,
  state: optional(shortText),
  approvers: optional(asSent(list(approver, 'Names, or objects with a `username`.', { example: ['ada'] }))),
  author: optional(shortText),
  created_at: optional(lenientTime()),
  merged_at: optional(lenientTime()),
  title: optional(cutText(TEXT_MAX)),
  head_ref: optional(shortText),
  base_ref: optional(shortText),
  commits: optional(withConversion(objects, (commits) => commits.map(withPlausibleTime))),
});

/** The commit of a pull request. An unknown time becomes 0. */
function withPlausibleTime(commit: JsonObject): JsonObject {
  const timestamp = zeroIfImplausible(commit['timestamp']);
  return timestamp === commit['timestamp'] ? commit : { ...commit, timestamp };
}
