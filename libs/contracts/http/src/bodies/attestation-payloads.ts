import { input } from '@assurance/kernel';
import { isPlain } from './plain';
import {
  Doc,
  FiniteNumber,
  Flag,
  FreeObject,
  Nested,
  NestedList,
  Optional,
  Parts,
  PerhapsTime,
  Text,
  WholeNumber,
} from './rules';

const TEXT_MAX = 65_536;

/** One suite of a JUnit report. */
export class JunitResultInput {
  @Optional(Text({ max: TEXT_MAX }))
  name?: string;

  @WholeNumber(0)
  failures!: number;

  @WholeNumber(0)
  errors!: number;

  @Optional(WholeNumber(0))
  skipped?: number;

  @Optional(WholeNumber(0))
  total?: number;

  @Doc('Seconds.', 1.5)
  @Optional(FiniteNumber())
  duration?: number;

  @Doc('Epoch seconds.', 1_700_000_000)
  @Optional(PerhapsTime())
  timestamp?: unknown;
}

/** An issue that a commit or a branch refers to. */
export class JiraResultInput {
  @Optional(Text({ max: TEXT_MAX }))
  issue_id?: string;

  @Optional(Text({ max: TEXT_MAX }))
  issue_url?: string;

  @Flag()
  issue_exists!: boolean;

  @Doc('The issue’s status in the tracker.')
  @Optional(FreeObject())
  issue_fields?: Readonly<Record<string, unknown>>;
}

/** The result of a scan of one target: counts, and the vulnerabilities as the scanner reports them. */
export class SnykResultInput {
  @Optional(WholeNumber(0))
  critical_count?: number;

  @WholeNumber(0)
  high_count!: number;

  @WholeNumber(0)
  medium_count!: number;

  @WholeNumber(0)
  low_count!: number;

  @Optional(Objects())
  critical?: readonly Readonly<Record<string, unknown>>[];

  @Optional(Objects())
  high?: readonly Readonly<Record<string, unknown>>[];

  @Optional(Objects())
  medium?: readonly Readonly<Record<string, unknown>>[];

  @Optional(Objects())
  low?: readonly Readonly<Record<string, unknown>>[];
}

export class SnykResultsInput {
  @Optional(WholeNumber(0))
  schema_version?: number;

  @Doc('Name and version of the scanner.', { name: 'Snyk Open Source', version: '1.1290.0' })
  @Optional(FreeObject())
  tool?: Readonly<Record<string, unknown>>;

  @NestedList(() => SnykResultInput)
  results!: readonly SnykResultInput[];
}

export class SonarGateInput {
  @Doc('Compliant if this is `OK`.', 'OK')
  @Text({ max: 100 })
  status!: string;

  @Optional(Objects())
  conditions?: readonly Readonly<Record<string, unknown>>[];
}

export class SonarResultsInput {
  @Optional(Text({ max: TEXT_MAX }))
  serverUrl?: string;

  @Optional(Text({ max: TEXT_MAX }))
  taskId?: string;

  @Optional(Text({ max: TEXT_MAX }))
  status?: string;

  @Optional(Text({ max: TEXT_MAX }))
  analysedAt?: string;

  @Optional(Text({ max: TEXT_MAX }))
  revision?: string;

  @Optional(FreeObject())
  project?: Readonly<Record<string, unknown>>;

  @Optional(FreeObject())
  branch?: Readonly<Record<string, unknown>>;

  @Doc('Number of the analysed pull request.')
  @Optional()
  pullRequest?: unknown;

  @Optional(Nested(() => SonarGateInput))
  qualityGate?: SonarGateInput;
}

export class PullRequestInput {
  @Optional(Text({ max: TEXT_MAX }))
  merge_commit?: string;

  @Text({ max: TEXT_MAX })
  url!: string;

  @Optional(Text({ max: TEXT_MAX }))
  state?: string;

  @Doc('Names, or objects with a `username`.', ['ada'])
  @Optional(
    Parts((value) => eachOf(value, (item) => typeof item === 'string' || isPlain(item), 'a text or an object'), {
      type: 'array',
      items: { anyOf: [{ type: 'string' }, { type: 'object' }] },
    }),
  )
  approvers?: readonly unknown[];

  @Optional(Text({ max: TEXT_MAX }))
  author?: string;

  @Optional(PerhapsTime())
  created_at?: unknown;

  @Optional(PerhapsTime())
  merged_at?: unknown;

  @Optional(Text({ max: TEXT_MAX }))
  title?: string;

  @Optional(Text({ max: TEXT_MAX }))
  head_ref?: string;

  @Optional(Text({ max: TEXT_MAX }))
  base_ref?: string;

  @Optional(Objects())
  commits?: readonly Readonly<Record<string, unknown>>[];
}

/** A list of objects of any content. */
function Objects(): PropertyDecorator {
  return Parts((value) => eachOf(value, isPlain, 'an object'), { type: 'array', items: { type: 'object' } });
}

function eachOf(value: unknown, holds: (item: unknown) => boolean, what: string): Readonly<Record<string, string>> {
  if (!Array.isArray(value)) return { '': wrong(value, 'a list') };
  return Object.fromEntries(
    value.flatMap((item, i): [string, string][] => (holds(item) ? [] : [[String(i), wrong(item, what)]])),
  );
}

function wrong(value: unknown, what: string): string {
  return value === undefined ? 'Field required' : `Input should be ${what} ${input(value)}`;
}
