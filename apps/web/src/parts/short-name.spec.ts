import { shortName } from './short-name';

const COMMIT = '4f2a'.repeat(10);
const DIGEST = 'c0ffee12'.repeat(8);

it.each([
  ['shop:1.12', 'shop:1.12'],
  [`shop:${COMMIT}`, 'shop:4f2a4f2a4f2a'],
  [`shop:main-${COMMIT}`, 'shop:main-4f2a4f2a4f2a'],
  [`registry:5000/team/name@sha256:${DIGEST}`, 'registry:5000/team/name@c0ffee12c0ff'],
  [`registry:5000/team/name:1.2@sha256:${DIGEST}`, 'registry:5000/team/name:1.2'],
  [`sha256:${DIGEST}`, 'sha256:c0ffee12c0ff'],
  [DIGEST, 'c0ffee12c0ff'],
  [
    'arn:aws:lambda:eu-central-1:123456789012:function:web:7',
    'arn:aws:lambda:eu-central-1:123456789012:function:web:7',
  ],
  ['', ''],
])('%j is shown as %j', (name, short) => expect(shortName(name)).toBe(short));
