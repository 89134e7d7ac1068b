import fc from 'fast-check';
import { CODEC, type Codec, decodeEvent, refuseUnknown, UnknownEvent } from './codec';

const existing = Object.entries(CODEC).flatMap(([kind, types]) =>
  Object.entries(types).map(([type, [version]]) => ({ kind, type, version })),
);
const event = fc.constantFrom(...existing);
const place = (kind: string) => ({ stream: `${kind}/1`, seq: 1 });

describe('the codec', () => {
  it('has an upcaster for each version but the newest', () => {
    for (const types of Object.values(CODEC)) {
      for (const [newest, ...upcasters] of Object.values(types)) expect(upcasters).toHaveLength(newest - 1);
    }
  });

  it.each(existing)('gives $type of $kind in its newest version', ({ kind, type, version }) => {
    const data = { some: 'data' };
    expect(decodeEvent(place(kind), { type, version }, data)).toMatchObject({ type, version });
  });

  it('brings older versions to the newest, one step at a time', () => {
    const codec: Codec = { sum: { Added: [3, (data) => [data, 2], (data) => [data, 3]], Cleared: [1] } };
    const at = { stream: 'sum/1', seq: 1 };
    const upcast = (version: number) => decodeEvent(at, { type: 'Added', version }, 'as stored', codec);
    expect([1, 2, 3].map(upcast)).toEqual([
      { type: 'Added', version: 3, data: [['as stored', 2], 3] },
      { type: 'Added', version: 3, data: ['as stored', 3] },
      { type: 'Added', version: 3, data: 'as stored' },
    ]);
    expect(() => upcast(4)).toThrow(UnknownEvent);
  });

  it('refuses a commit with an event that it does not know, wherever that stands', () => {
    const unknown = fc.oneof(
      event.map(({ type, version }) => ({ type: `${type}OfLater`, version })),
      event.map(({ type, version }) => ({ type, version: version + 1 })),
      event.chain(({ type }) => fc.constantFrom(0, -1, 1.5, NaN).map((version) => ({ type, version }))),
      fc.constantFrom('__proto__', 'constructor', 'toString', '').map((type) => ({ type, version: 1 })),
    );
    fc.assert(
      fc.property(event, fc.nat(3), fc.nat(3), unknown, ({ kind, type, version }, before, after, later) => {
        const some = (times: number) => Array.from({ length: times }, () => ({ type, version }));
        refuseUnknown({ ...place(kind), events: [...some(before), ...some(after)] });
        const commit = { ...place(kind), events: [...some(before), later, ...some(after)] };
        expect(() => refuseUnknown(commit)).toThrow(`${kind}/1#1 holds ${later.type} v${later.version}, which`);
      }),
    );
  });

  it.each(['thought', '__proto__', 'constructor', ''])('refuses a stream of the kind "%s"', (kind) => {
    expect(() => decodeEvent(place(kind), { type: 'FlowCreated', version: 1 }, {})).toThrow(UnknownEvent);
  });

  it('refuses an event of another kind of stream', () => {
    expect(() => decodeEvent(place('environment'), { type: 'FlowCreated', version: 1 }, {})).toThrow(UnknownEvent);
  });
});
