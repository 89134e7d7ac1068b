import type { Message } from '../domain/message';
import { mailText } from './email/render';
import { slackMessage } from './slack/blocks';
import { wordsOf } from './words';

const site = { publicUrl: 'https://assurance.example', org: 'acme' };
const told = (name: string): Message['told'][number] => ({
  ...{ type: 'ARTIFACT_STARTED', description: '1 instance started running (from 0 to 1)' },
  artifact: { name, fingerprint: 'ab'.repeat(32), compliant: null, provenance: null },
});
const messageOf = (names: readonly string[], environment = 'production'): Message => ({
  ...{ org: 'acme', notification: 'alerts', environment, at: 1, snapshot: { index: 42, compliant: null } },
  ...{ told: names.map(told), counts: { ARTIFACT_STARTED: names.length } },
});

describe('a long name', () => {
  const path = `registry.example.com/${'team/'.repeat(30)}shop`;
  const digest = `@sha256:${'c0ffee'.repeat(11).slice(0, 64)}`;

  it('keeps its beginning, its tag and the beginning of its digest in Slack and in mail', () => {
    const names = Array.from({ length: 20 }, (_, i) => `${path}:1.4.${i}${digest}`);
    const words = wordsOf(site, messageOf(names));
    for (const text of [JSON.stringify(slackMessage(words)), mailText(words)]) {
      for (let i = 0; i < names.length; i += 1) expect(text).toContain(`/shop:1.4.${i}@sha256:c0ffeec0ffee…`);
      expect(text).toContain('registry.example.com/');
    }
    for (const { name } of words.lines) expect([...(name ?? '')].length).toBeLessThanOrEqual(120);
  });

  it('that only its digest makes long keeps everything else', () => {
    const name = `registry.example.com/${'team/'.repeat(5)}shop:1.4.0`;
    expect(wordsOf(site, messageOf([name + digest])).lines[0]?.name).toBe(`${name}@sha256:c0ffeec0ffee…`);
  });

  it('keeps the longest tag that there is', () => {
    const tag = 'a'.repeat(60) + '-end-of-tag';
    expect(wordsOf(site, messageOf([`${path}:${tag}`])).lines[0]?.name).toMatch(new RegExp(`:${tag}$`));
  });

  it('of an environment leaves the title its end', () => {
    expect(wordsOf(site, messageOf(['web'], 'e'.repeat(500))).title).toMatch(/^e+…e+ #42: 1 started$/);
  });

  it('that fits stays as it is', () => {
    expect(wordsOf(site, messageOf([`shop:1${digest}`])).lines[0]?.name).toBe(`shop:1${digest}`);
  });

  it('is not cut within a character', () => {
    expect(wordsOf(site, messageOf(['🚢'.repeat(200)])).lines[0]?.name).toMatch(/^(🚢)+…(🚢)+$/u);
  });
});
