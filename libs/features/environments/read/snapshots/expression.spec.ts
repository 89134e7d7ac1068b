import fc from 'fast-check';
import { codePoint } from '@assurance/testing/code-point';
import { readExpression, readSnappish } from './expression';

const NOW = Date.UTC(2024, 2, 31, 12, 0, 0, 500);
const at = (...parts: [number, number, number, number?, number?, number?, number?]) => Date.UTC(...parts);

describe('a snapshot expression', () => {
  it.each([
    ['-1', { kind: 'behind', text: '#-1', behind: 0 }],
    ['-2', { kind: 'behind', text: '#-2', behind: 1 }],
    ['-11', { kind: 'behind', text: '#-11', behind: 10 }],
    ['~0', { kind: 'behind', text: '~0', behind: 0 }],
    ['~1', { kind: 'behind', text: '~1', behind: 1 }],
    ['23', { kind: 'index', text: '#23', index: 23 }],
    ['#23', { kind: 'index', text: '#23', index: 23 }],
    ['0', { kind: 'index', text: '#0', index: 0 }],
    ['@{now}', { kind: 'behind', text: '@{now}', behind: 0 }],
  ])('%s', (text, expected) => expect(readExpression(text, NOW)).toEqual(expected));

  it.each([
    ['2023-10-02T12:00:00', at(2023, 9, 2, 12)],
    ['2023-10-02T12:00:00Z', at(2023, 9, 2, 12)],
    ['2023-10-02T12:00:00.5', at(2023, 9, 2, 12, 0, 0, 500)],
    ['2023-10-02T12:00:00.123456789Z', at(2023, 9, 2, 12, 0, 0, 123)],
    ['2023-10-02T12:00:00+02:00', at(2023, 9, 2, 10)],
    ['2023-10-02T12:00:00-05:30', at(2023, 9, 2, 17, 30)],
    ['2024-02-29T23:59:59', at(2024, 1, 29, 23, 59, 59)],
    ['1970-01-01T00:00:00', 0],
    ['9999-12-31T23:59:59', at(9999, 11, 31, 23, 59, 59)],
    ['1.minute.ago', NOW - 60_000],
    ['5.minutes.ago', NOW - 300_000],
    ['5.hours.ago', at(2024, 2, 31, 7, 0, 0, 500)],
    ['1.hour.ago', at(2024, 2, 31, 11, 0, 0, 500)],
    ['1.day.ago', at(2024, 2, 30, 12, 0, 0, 500)],
    ['2.weeks.ago', at(2024, 2, 17, 12, 0, 0, 500)],
    ['1.month.ago', at(2024, 1, 29, 12, 0, 0, 500)],
    ['13.months.ago', at(2023, 1, 28, 12, 0, 0, 500)],
    ['12.months.ago', at(2023, 2, 31, 12, 0, 0, 500)],
    ['0.days.ago', NOW],
  ])('@{%s}', (time, expected) => {
    const text = `@{${time}}`;
    expect(readExpression(text, NOW)).toEqual({ kind: 'time', text, at: expected });
  });

  it.each(
    [
      '',
      ' ',
      'x',
      '1.0',
      '+1',
      '##1',
      '#-1',
      '-0',
      '--1',
      '~',
      '~-1',
      '1e3',
      '1 ',
      '1\n',
      '٣',
      '#',
      '@',
      'NOW',
      '@{}',
      '@{NOW}',
      '@{now',
      '@now',
      '@{{now}}',
      '@{5.hours}',
      '@{5hours.ago}',
      '@{hours.ago}',
      '@{5.years.ago}',
      '@{-5.hours.ago}',
      '@{1.5.hours.ago}',
      '@{2023-10-02}',
      '@{2023-10-02 12:00:00}',
      '@{2023-10-02T12:00}',
      '@{2023-02-30T12:00:00}',
      '@{2023-13-01T12:00:00}',
      '@{2023-00-01T12:00:00}',
      '@{2023-01-00T12:00:00}',
      '@{2023-10-02T24:00:00}',
      '@{2023-10-02T12:60:00}',
      '@{2023-10-02T12:00:60}',
      '@{2023-10-02T12:00:00.}',
      '@{2023-10-02T12:00:00+0200}',
      '@{2023-10-02T12:00:00+24:00}',
      '@{2023-10-02T12:00:00z}',
      '9'.repeat(16),
    ].map((text) => [text]),
  )('cannot be %j', (text) => expect(readExpression(text, NOW)).toBeNull());

  it('is accepted or refused without a fault, and times are whole milliseconds', () => {
    const pieces = fc.constantFrom(...'-~#@{}0123456789.:TZ+', 'now', 'hours', 'month', '.ago', 'é', ' ');
    const texts = fc.oneof(
      fc.string({ unit: codePoint }),
      fc.array(pieces, { maxLength: 30 }).map((all) => all.join('')),
    );
    const wrapped = fc.oneof(
      texts,
      texts.map((text) => `@{${text}}`),
    );
    const told = fc
      .tuple(fc.nat(999_999), fc.constantFrom('minute', 'hours', 'day', 'weeks', 'months', 'month'))
      .map(([count, unit]) => `@{${count}.${unit}.ago}`);
    fc.assert(
      fc.property(fc.oneof(wrapped, told), fc.nat(4_000_000_000_000), (text, now) => {
        const read = readExpression(text, now);
        if (read?.kind === 'time') expect(Number.isSafeInteger(read.at)).toBe(true);
        readSnappish(text, now);
      }),
    );
  });

  it('reads every time that a clock may show as that time', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date(253402300799000), noInvalidDate: true }), (date) => {
        expect(readExpression(`@{${date.toISOString()}}`, NOW)).toMatchObject({ at: date.getTime() });
      }),
    );
  });
});

describe('an environment with an expression', () => {
  it.each([
    ['env', 'env', { kind: 'behind', text: '', behind: 0 }],
    ['my.env-1_x', 'my.env-1_x', { kind: 'behind', text: '', behind: 0 }],
    ['env#3', 'env', { kind: 'index', text: '#3', index: 3 }],
    ['env#-1', 'env', { kind: 'behind', text: '#-1', behind: 0 }],
    ['env~2', 'env', { kind: 'behind', text: '~2', behind: 2 }],
    ['env@{now}', 'env', { kind: 'behind', text: '@{now}', behind: 0 }],
    ['env@{1.hour.ago}', 'env', { kind: 'time', text: '@{1.hour.ago}', at: NOW - 3_600_000 }],
  ])('%s', (text, environment, expression) => expect(readSnappish(text, NOW)).toEqual({ environment, expression }));

  it.each(['', '#3', '~1', '@{now}', 'env#', 'env#x', 'env~', 'env@', 'env@{soon}', 'env#1#2', 'env~1~2'])(
    'cannot be %j',
    (text) => expect(readSnappish(text, NOW)).toBeNull(),
  );
});
