import { channelLabel } from './channel-label';

describe('the label of a channel', () => {
  it('is its name as words, for channels that come later too', () => {
    expect(channelLabel('WEBHOOK')).toBe('Webhook');
    expect(channelLabel('GOOGLE_CHAT' as never)).toBe('Google chat');
  });

  it('is another where the name does not say what it is', () => {
    expect(channelLabel('TEAMS')).toBe('Microsoft Teams');
    expect(channelLabel('EMAIL')).toBe('Mail');
    expect(channelLabel('NESTED_CONFIG')).toBe('Configuration');
  });
});
