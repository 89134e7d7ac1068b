import { changeOf, earlierName } from './change';

describe('how the name of an artifact changed', () => {
  it.each([
    ['shop:1.12', 'shop:1.11', 'shop:', '1.11'],
    ['registry.example:5000/shop:2', 'registry.example:5000/shop:1', 'registry.example:5000/shop:', '1'],
    ['registry.example:5000/shop', 'registry.example:5000/basket', '', 'registry.example:5000/basket'],
    ['shop:2', 'basket:1', '', 'basket:1'],
    ['shop:2', 'shop:2', '', 'shop:2'],
    ['shop:2', null, '', null],
    [null, 'shop:1', '', 'shop:1'],
  ])('of %j after %j is %j and before it %j', (now, before, same, rest) => {
    expect(changeOf(now, before)).toEqual({ same, before: rest });
  });

  it.each([
    ['shop:1.12', 'shop:1.11', '1.11'],
    ['registry.example:5000/shop/web:2', 'registry.example:5000/shop/basket:1', 'basket:1'],
    ['registry.example:5000/shop/web:2', 'other.example/shop/web:1', 'other.example/shop/web:1'],
    ['shop:2', 'basket:1', 'basket:1'],
    ['shop:2', 'shop:2', 'shop:2'],
  ])('beside %j, the earlier %j is called %j', (now, before, name) => {
    expect(earlierName(now, before)).toBe(name);
  });
});
