import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

interface Line {
  readonly line: string;
  /** For each violation: the end of the rule's name and a part of its message. */
  readonly expected: readonly string[];
  readonly refused: readonly string[];
}

interface Planted {
  readonly name: string;
  readonly lines: readonly Line[];
}

const printed = execFileSync(process.execPath, [join(__dirname, 'check-planted.ts')], { encoding: 'utf8' });
const files = JSON.parse(printed) as readonly Planted[];

function agrees(refusal: string, expectation: string): boolean {
  const [rule = '', ...words] = expectation.split(' ');
  const [ruleId = ''] = refusal.split(' ');
  return ruleId.endsWith(rule) && refusal.includes(words.join(' '));
}

describe.each(files)('planted in $name', ({ lines }) => {
  it.each(lines.filter(({ expected }) => expected.length > 0))('refuses: $line', ({ expected, refused }) => {
    expect(expected.filter((expectation) => !refused.some((refusal) => agrees(refusal, expectation)))).toEqual([]);
    expect(refused).toHaveLength(expected.length);
  });

  it.each(lines.filter(({ expected }) => expected.length === 0))('allows: $line', ({ refused }) => {
    expect(refused).toEqual([]);
  });
});
