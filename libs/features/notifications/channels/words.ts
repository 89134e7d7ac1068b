import { links, type Site } from '@assurance/contracts/http/links';
import { visibleText } from '@assurance/kernel/shown/visible';
import type { EventType, Message, MessageItem } from '../domain/message';

/** A message as text for people. Each channel escapes it, and lists fewer events where its service limits the size. */
export interface MessageText {
  readonly title: string;
  readonly lines: readonly Line[];
  /** The number of events that are not listed. */
  readonly more: string | null;
  /** The page of the snapshot or trail; null if there is none. */
  readonly page: { readonly title: string; readonly url: string } | null;
}

export interface Line {
  /** Such as `shop/web:1.4`; null for an event about the whole environment. */
  readonly name: string | null;
  readonly text: string;
  /** The origin, such as `a1b2c3d of shop-web`; null if it is unknown. */
  readonly from: string | null;
  readonly url: string | null;
}

const EVENT_WORDS: Readonly<Record<EventType, string>> = {
  ARTIFACT_STARTED: 'started',
  ARTIFACT_EXITED: 'exited',
  ARTIFACT_SCALED: 'scaled',
  ARTIFACT_ALLOWED: 'allowed',
  NON_COMPLIANT_ENV: 'not compliant',
  COMPLIANT_ENV: 'compliant',
  ALLOWANCE_ENDING: 'an allowance ends',
  STALE_ENV: 'not reported',
  VULNERABLE_ENV: 'vulnerable',
  TRAIL_STARTED: 'trail started',
  PROVENANCE_ATTESTED: 'artifact reported',
  ATTESTATION_REPORTED: 'attested',
  API_KEY_EXPIRING: 'API key ends soon',
  TEST: 'test',
};
/** The most characters of a name. */
const NAME_MAX = 120;

/** The text of a message, in which characters that change the order of others are shown by their number. */
export function wordsOf(site: Site, message: Message): MessageText {
  const { told, counts } = message;
  const parts = Object.entries(counts).map(([type, count]) => eventLabel(type as EventType, count));
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return {
    title: visibleText(`${sourceOf(message)}: ${parts.join(', ')}`),
    lines: told.map((item) => visibleLine(lineOf(site, item, message.trail))),
    more: all > told.length ? `and ${all - told.length} more` : null,
    page: pageOf(site, message),
  };
}

function visibleLine({ name, text, from, url }: Line): Line {
  return { name: name && visibleText(name), text: visibleText(text), from: from && visibleText(from), url };
}

function sourceOf({ environment, snapshot, trail, notification }: Message): string {
  if (trail !== undefined)
    return trail.trail === null ? shortenName(trail.flow) : `${shortenName(trail.flow)} ${shortenName(trail.trail)}`;
  if (environment === null) return shortenName(notification);
  return `${shortenName(environment)}${snapshot === null ? '' : ` #${snapshot.index}`}`;
}

function pageOf(site: Site, { environment, snapshot, trail }: Message): MessageText['page'] {
  if (environment !== null && snapshot !== null) {
    return { title: 'Open the snapshot', url: links.snapshotPage(site, environment, snapshot.index) };
  }
  if (trail === undefined || trail.trail === null) return null;
  return { title: 'Open the trail', url: links.trailPage(site, trail.flow, trail.trail) };
}

function eventLabel(type: EventType, count: number): string {
  return type.startsWith('ARTIFACT') ? `${count} ${EVENT_WORDS[type]}` : EVENT_WORDS[type];
}

function lineOf(
  site: Site,
  { description, artifact, attestation, vulnerability }: MessageItem,
  trail: Message['trail'],
): Line {
  if (artifact === null) {
    if (vulnerability === undefined) return { name: null, text: description, from: null, url: null };
    const url = links.vulnerabilityPage(site, vulnerability.id);
    return { name: shortenName(vulnerability.id), text: description, from: null, url };
  }
  const { provenance, fingerprint } = artifact;
  const name = shortenName(artifact.name);
  if (attestation !== undefined && trail !== undefined && trail.trail !== null) {
    const url = links.attestationPage(site, trail.flow, trail.trail, attestation.id);
    return { name, text: description, from: null, url };
  }
  if (provenance === null) return { name, text: description, from: null, url: null };
  const { flow, gitCommit, artifactId } = provenance;
  return {
    name,
    text: description,
    from: `${gitCommit.slice(0, 7)} of ${shortenName(flow)}`,
    url: links.artifactPage(site, flow, fingerprint, artifactId),
  };
}

const DIGEST = /(@sha256:[0-9a-f]{12})[0-9a-f]{52}$/;

/**
 * Shortens a name to at most `NAME_MAX` characters. It cuts most of a digest, then the middle, because names differ at their ends, such as images in
 * tag and digest.
 */
function shortenName(name: string): string {
  const characters = [...(name.length <= NAME_MAX ? name : name.replace(DIGEST, '$1…'))];
  if (characters.length <= NAME_MAX) return characters.join('');
  const end = Math.floor((NAME_MAX * 2) / 3);
  return `${characters.slice(0, NAME_MAX - 1 - end).join('')}…${characters.slice(-end).join('')}`;
}

/** Cuts a text to a number of characters. The last character shows that it was cut. */
export function truncate(text: string, maxLength: number): string {
  const characters = [...text];
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join('')}…`;
}
