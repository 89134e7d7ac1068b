import { addedImages } from './images';

describe('the images of a review', () => {
  const spec = { containers: [{ image: 'a' }, { image: 'b' }], initContainers: [{ image: 'c' }, { image: 'a' }] };
  const added = (object: object | null, oldObject?: object | null) => addedImages({ uid: '1', object, oldObject });

  it('are those of pods and of what makes pods', () => {
    expect(added({ spec })).toEqual(['c', 'a', 'b']);
    expect(added({ spec: { template: { spec } } })).toEqual(['c', 'a', 'b']);
    expect(added({ spec: { jobTemplate: { spec: { template: { spec } } } } })).toEqual(['c', 'a', 'b']);
    expect([added({}), added(null)]).toEqual([[], []]);
  });

  it('are those of image volumes and of ephemeral containers too', () => {
    const volumes = [
      { name: 'tmp', emptyDir: {} },
      { name: 'model', image: { reference: 'd' } },
    ];
    const ephemeralContainers = [{ name: 'debug', image: 'e' }];
    expect(added({ spec: { ...spec, volumes, ephemeralContainers } })).toEqual(['c', 'a', 'b', 'e', 'd']);
  });

  it('are, of an update, those that the object did not have', () => {
    expect(added({ spec: { containers: [{ image: 'a' }, { image: 'd' }] } }, { spec })).toEqual(['d']);
    expect(added({ metadata: { labels: {} }, spec }, { spec })).toEqual([]);
    expect(added({ spec }, null)).toEqual(['c', 'a', 'b']);
  });
});
