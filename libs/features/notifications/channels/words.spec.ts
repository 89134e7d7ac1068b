import type { Message } from '../domain/message';
import { mailHtml, mailText } from './email/render';
import { slackMessage } from './slack/blocks';
import { payload } from './webhook/payload';
import { wordsOf } from './words';

const site = { publicUrl: 'https://assurance.example', org: 'acme' };
const told = (name: string): Message['told'][number] => ({
  type: 'ARTIFACT_STARTED',
  description: '1 instance started running (from 0 to 1)',
  artifact: { name, fingerprint: 'ab'.repeat(32), compliant: null, provenance: null },
});
const messageOf = (names: readonly string[], environment = 'production'): Message => ({
  org: 'acme',
  notification: 'alerts',
  environment,
  at: 1,
  snapshot: { index: 42, compliant: null },
  told: names.map(told),
  counts: { ARTIFACT_STARTED: names.length },
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

describe('a name with characters that change the order of others', () => {
  const names = ['web\u202egpj.exe', '\u2067web\u2069'];

  it('shows their numbers in the title and in each line, in Slack and in mail', () => {
    const words = wordsOf(site, messageOf(names, 'prod\u200f'));
    for (const text of [JSON.stringify(slackMessage(words)), mailText(words), mailHtml(words)]) {
      for (const shown of ['web⟨U+202E⟩gpj.exe', '⟨U+2067⟩web⟨U+2069⟩', 'prod⟨U+200F⟩ #42'])
        expect(text).toContain(shown);
      expect(text).not.toMatch(/[\u200f\u202e\u2067\u2069]/);
    }
  });

  it('goes to webhooks as it is, because programs read it', () => {
    expect(JSON.stringify(payload(site, messageOf(names)))).toContain(names[0]);
  });
});

describe('a message about a vulnerability', () => {
  const vulnerability = { id: 'CVE-<1>', severity: 'high', component: 'pkg:npm/lib@1.0.0', certain: true } as const;
  const description = 'pkg:npm/lib@1.0.0 in web has CVE-<1> (high)';
  const message: Message = {
    ...messageOf([]),
    told: [{ type: 'VULNERABLE_ENV', description, artifact: null, vulnerability }],
    counts: { VULNERABLE_ENV: 1 },
  };
  const page = 'https://assurance.example/acme/vulnerabilities/CVE-%3C1%3E';

  it('names it with its page in every channel, escaped', () => {
    const words = wordsOf(site, message);
    expect(words.title).toBe('production #42: vulnerable');
    expect(words.lines).toEqual([{ name: 'CVE-<1>', text: description, from: null, url: page }]);
    expect(mailText(words)).toContain(description);
    expect(mailHtml(words)).toContain(`<a href="${page}"><b>CVE-&#60;1&#62;</b></a>`);
    expect(JSON.stringify(slackMessage(words))).toContain(`<${page}|CVE-&lt;1&gt;>`);
  });

  it('has it in the payload of webhooks', () => {
    expect(payload(site, message)).toMatchObject({
      event_type: 'VULNERABLE_ENV',
      description,
      artifact: null,
      environment: 'production',
      vulnerability: {
        ...vulnerability,
        html_url: page,
        api_url: 'https://assurance.example/api/v2/vulnerabilities/acme/CVE-%3C1%3E',
      },
    });
  });
});

describe('a message about a flow', () => {
  const attestation = { id: 'i1', name: 'tests', type: 'junit', compliant: false };
  const artifact = { name: 'web', fingerprint: 'ab'.repeat(32), compliant: null, provenance: null };
  const message: Message = {
    org: 'acme',
    notification: 'alerts',
    environment: null,
    at: 1_000,
    snapshot: null,
    trail: { flow: 'shop <web>', trail: 'build 1' },
    told: [
      { type: 'TRAIL_STARTED', description: 'The trail started', artifact: null },
      { type: 'ATTESTATION_REPORTED', description: 'It was attested', artifact, attestation },
    ],
    counts: { TRAIL_STARTED: 1, ATTESTATION_REPORTED: 1 },
  };
  const page = 'https://assurance.example/acme/flows/shop%20%3Cweb%3E/trails/build%201';

  it('names the trail, and links it and the attestation', () => {
    expect(wordsOf(site, message)).toEqual({
      title: 'shop <web> build 1: trail started, attested',
      lines: [
        { name: null, text: 'The trail started', from: null, url: null },
        { name: 'web', text: 'It was attested', from: null, url: `${page}?attestation_id=i1` },
      ],
      more: null,
      page: { title: 'Open the trail', url: page },
    });
  });

  it('of an artifact without a trail names the flow', () => {
    const events = [{ type: 'PROVENANCE_ATTESTED', description: 'Reported', artifact }] as const;
    const legacy = {
      ...message,
      told: events,
      trail: { flow: 'shop', trail: null },
      counts: { PROVENANCE_ATTESTED: 1 },
    };
    expect(wordsOf(site, legacy)).toMatchObject({ title: 'shop: artifact reported', page: null });
  });

  it('is escaped in Slack and in mail', () => {
    const words = wordsOf(site, message);
    expect(JSON.stringify(slackMessage(words))).toContain('shop &lt;web&gt; build 1');
    expect(mailHtml(words)).toContain('shop &#60;web&#62; build 1');
    expect(mailHtml(words)).toContain('Open the trail');
    expect(mailText(words)).toContain(page);
  });

  it('has its trail and attestation in the payload of webhooks', () => {
    expect(payload(site, { ...message, told: message.told.slice(1) })).toEqual({
      version: '1.0',
      timestamp: '1',
      org: 'acme',
      environment: null,
      event_type: 'ATTESTATION_REPORTED',
      description: 'It was attested',
      snapshot: null,
      artifact: { name: 'web', fingerprint: 'ab'.repeat(32), provenance: null },
      flow: { name: 'shop <web>', html_url: 'https://assurance.example/acme/flows/shop%20%3Cweb%3E' },
      trail: {
        name: 'build 1',
        html_url: page,
        api_url: 'https://assurance.example/api/v2/trails/acme/shop%20%3Cweb%3E/build%201',
      },
      attestation: {
        id: 'i1',
        name: 'tests',
        type: 'junit',
        status: 'NON-COMPLIANT',
        html_url: `${page}?attestation_id=i1`,
        api_url: 'https://assurance.example/api/v2/attestations/acme?attestation_id=i1',
      },
    });
  });
});
